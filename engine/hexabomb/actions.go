package hexabomb

import (
	"bytes"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// verb is the kind of an action.
type verb uint8

const (
	noVerb verb = iota
	move
	dropBomb
	revive
	verbs // how many there are
)

// Blocked is the reason of refusals that a player cannot always avoid: another one has moved to the
// cell.
const Blocked = "blocked"

// reason is the reason why an action has no effect.
type reason uint8

const (
	accepted reason = iota // it has an effect, or may still have one
	unknownPlayer
	unreadable
	malformed
	unknownCharacter
	notYours
	onePerCharacter
	dead
	noSuchCell
	blocked
	noBombLeft
	bombAlreadyHere
	bombOutOfRange
	noRevival
	alive
	tooEarly
)

var reasons = [...]string{
	accepted:         "",
	unknownPlayer:    "unknown player",
	unreadable:       "unreadable",
	malformed:        "malformed",
	unknownCharacter: "unknown character",
	notYours:         "not yours",
	onePerCharacter:  "one action per character",
	dead:             "dead",
	noSuchCell:       "no such cell",
	blocked:          Blocked,
	noBombLeft:       "no bomb left",
	bombAlreadyHere:  "bomb already here",
	bombOutOfRange:   "range or delay out of range",
	noRevival:        "no revival in sudden death",
	alive:            "alive",
	tooEarly:         "cannot revive yet",
}

// maxSurplus bounds the actions of one array that are refused without being tried and
// still reported: the refusals of a message full of rubbish must not take many times
// its size in memory.
const maxSurplus = 256

// wholeInput is the index of a refusal of the whole array.
const wholeInput = -1

// action is one element of an array of actions.
type action struct {
	player engine.PlayerID
	input  int32 // index of the input
	index  int32 // index in the array of the input
	reason reason
	order
}

// order holds what an action says.
type order struct {
	has   fields // fields that are present and valid
	verb  verb
	dir   hexgrid.Dir
	id    int32
	reach int32
	delay int32
	q, r  int32 // where the character is to be revived
}

// fields is a set of the fields of an action.
type fields uint8

const (
	hasID fields = 1 << iota
	hasDir
	hasReach
	hasDelay
	hasQ
	hasR
)

// read adds the actions of one input to g.actions. An input with a lapse has none.
func (g *Game) read(i int32, in *engine.Input) {
	if in.Lapse != engine.Answered {
		return
	}
	if !g.hasPlayer(in.Player) {
		g.refuseInput(i, in.Player, unknownPlayer)
		return
	}
	if p, ok := in.Prepared.(*prepared); ok {
		if !g.readPrepared(i, in, p) {
			g.refuseInput(i, in.Player, unreadable)
		}
		return
	}
	mark := len(g.actions)
	if g.readQuickly(i, in.Player, in.Actions) {
		return
	}
	g.actions = g.actions[:mark]
	if !g.readExactly(i, in) {
		g.refuseInput(i, in.Player, unreadable)
	}
}

func (g *Game) refuseInput(i int32, p engine.PlayerID, why reason) {
	g.actions = append(g.actions, action{player: p, input: i, index: wholeInput, reason: why})
}

// readExactly reads any JSON. It returns false, and adds nothing, if the actions are
// not a JSON array. If a field is repeated, the last one counts.
func (g *Game) readExactly(i int32, in *engine.Input) bool {
	list := jsonscan.Value(in.Actions)
	if !in.Valid {
		var err error
		if list, err = jsonscan.Parse(in.Actions); err != nil {
			return false
		}
	}
	if list.Kind() != jsonscan.Array {
		return false
	}
	g.beginEntry()
	for index, v := range list.Elements() {
		g.admit(action{player: in.Player, input: i, index: int32(index), order: readOrder(v)})
	}
	return true
}

func readOrder(v jsonscan.Value) (o order) {
	for key, v := range v.Fields() {
		switch {
		case key.Is("id"):
			o.id = o.readInt(hasID, v)
		case key.Is("bomb_range"):
			o.reach = o.readInt(hasReach, v)
		case key.Is("bomb_delay"):
			o.delay = o.readInt(hasDelay, v)
		case key.Is("revive_q"):
			o.q = o.readPlainInt(hasQ, v)
		case key.Is("revive_r"):
			o.r = o.readPlainInt(hasR, v)
		case key.Is("movement"):
			o.verb = readVerb(v)
		case key.Is("direction"):
			o.readDir(v)
		}
	}
	return o
}

func (o *order) readInt(f fields, v jsonscan.Value) int32 {
	n, ok := v.Int32()
	o.note(f, ok)
	return n
}

// readPlainInt is like readInt, and refuses integers such as 2.0 and 2e0.
func (o *order) readPlainInt(f fields, v jsonscan.Value) int32 {
	n := o.readInt(f, v)
	if bytes.ContainsAny(v, ".eE") {
		o.note(f, false)
	}
	return n
}

func (o *order) readDir(v jsonscan.Value) {
	for _, d := range hexgrid.Dirs {
		if v.Is(d.String()) {
			o.dir = d
			o.note(hasDir, true)
			return
		}
	}
	o.note(hasDir, false)
}

// note records whether the last field f was valid.
func (o *order) note(f fields, good bool) {
	o.has &^= f
	if good {
		o.has |= f
	}
}

func readVerb(v jsonscan.Value) verb {
	switch {
	case v.Is("move"):
		return move
	case v.Is("bomb"):
		return dropBomb
	case v.Is("revive"):
		return revive
	}
	return noVerb
}

// beginEntry starts reading another array of actions.
func (g *Game) beginEntry() {
	g.entry++
	g.surplus = 0
}

// admit adds the next element of the array.
func (g *Game) admit(a action) {
	switch {
	case !g.wellFormed(&a.order):
		a.reason = malformed
	case a.id < 0 || int(a.id) >= len(g.chars):
		a.reason = unknownCharacter
	case g.chars[a.id].player != a.player:
		a.reason = notYours
	case g.seen[a.id] == g.entry:
		a.reason = onePerCharacter
	case g.readsBounds && a.verb == dropBomb && !a.bombWithin(maxBomb):
		a.reason = bombOutOfRange
	default:
		g.seen[a.id] = g.entry
		g.actions = append(g.actions, a)
		return
	}
	if g.surplus++; g.surplus <= maxSurplus {
		g.actions = append(g.actions, a)
	}
}
