package hexabomb

import (
	"strconv"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/protocol/jsonscan"
)

const (
	// maxAbridged is how many actions are left of an answer without effect: what it is
	// like can be seen from the first ones, and each takes a refusal as well.
	maxAbridged = 32
	// plainAction is how long an action may be to be left as it was sent, in bytes: any
	// that a bot sends is, with white space. Of others, what the rules read is written.
	plainAction = 128
)

// AppendAbridged implements [engine.Abridger]: it leaves the first actions.
func (g *Game) AppendAbridged(dst []byte, i int, in *engine.Input, limit int) (out []byte, kept int, ok bool) {
	for k := range g.actions {
		switch a := &g.actions[k]; {
		case int(a.input) != i:
		case a.reason == accepted:
			return dst, 0, false
		case a.index == wholeInput:
			return append(dst, "null"...), 0, true // refused as a whole like any actions: unreadable, or of an unknown player
		}
	}
	list := jsonscan.Value(in.Actions)
	if !in.Valid {
		list, _ = jsonscan.Parse(in.Actions) // it was read before
	}
	end := len(dst) + limit - len("]")
	dst = append(dst, '[')
	for index, v := range list.Elements() {
		before := len(dst)
		if dst = appendAction(comma(dst, index), v); len(dst) > end {
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

// appendAction appends an action that was refused: as it was sent, or what the rules
// have read of it.
func appendAction(b []byte, v jsonscan.Value) []byte {
	if len(v) <= plainAction {
		return append(b, v...)
	}
	o := readOrder(v)
	if !o.wellFormed() {
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
	return append(b, `,"movement":"revive"}`...)
}
