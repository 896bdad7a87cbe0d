package hexabomb

import (
	"strconv"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/protocol/jsonscan"
)

const (
	// maxAbridged is the number of actions kept of an answer without effect: the first
	// ones show what the answer was like, and each needs a refusal as well.
	maxAbridged = 32
	// plainAction is the length in bytes up to which an action is kept as it was sent;
	// actions as bots write them, white space included, are shorter. Of longer ones
	// only the fields that the rules read are written.
	plainAction = 128
)

// AppendAbridged implements [engine.Abridger]: it keeps the first actions.
func (g *Game) AppendAbridged(
	dst []byte, i int, in *engine.Input, limit int,
) (out []byte, kept int, ok bool) {
	for k := range g.actions {
		switch a := &g.actions[k]; {
		case int(a.input) != i:
		case a.reason == accepted:
			return dst, 0, false
		case a.index == wholeInput:
			// refused as a whole like the original: unreadable, or of an unknown player
			return append(dst, "null"...), 0, true
		}
	}
	list := jsonscan.Value(in.Actions)
	if !in.Valid {
		list, _ = jsonscan.Parse(in.Actions) // cannot fail: the step has parsed it
	}
	end := len(dst) + limit - len("]")
	dst = append(dst, '[')
	for index, v := range list.Elements() {
		before := len(dst)
		if dst = g.appendAction(comma(dst, index), v); len(dst) > end {
			dst = dst[:before]
			break
		}
		if kept++; kept == maxAbridged {
			break
		}
	}
	return append(dst, ']'), kept, true
}

func comma(b []byte, index int) []byte {
	if index > 0 {
		return append(b, ',')
	}
	return b
}

// appendAction appends a refused action: as it was sent if it is short, otherwise
// the fields that the rules read.
func (g *Game) appendAction(b []byte, v jsonscan.Value) []byte {
	if len(v) <= plainAction {
		return append(b, v...)
	}
	o := readOrder(v)
	if !g.wellFormed(&o) {
		return append(b, '0')
	}
	b = append(b, `{"id":`...)
	b = strconv.AppendInt(b, int64(o.id), 10)
	switch o.verb {
	case move:
		b = append(b, `,"movement":"move","direction":"`...)
		b = append(b, o.dir.String()...)
		return append(b, `"}`...)
	case dropBomb:
		b = append(b, `,"movement":"bomb","bomb_range":`...)
		b = strconv.AppendInt(b, int64(o.reach), 10)
		b = append(b, `,"bomb_delay":`...)
		b = strconv.AppendInt(b, int64(o.delay), 10)
		return append(b, '}')
	}
	b = append(b, `,"movement":"revive"`...)
	if g.revivesAnywhere {
		b = append(b, `,"revive_q":`...)
		b = strconv.AppendInt(b, int64(o.q), 10)
		b = append(b, `,"revive_r":`...)
		b = strconv.AppendInt(b, int64(o.r), 10)
	}
	return append(b, '}')
}
