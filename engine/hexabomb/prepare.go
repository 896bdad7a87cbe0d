package hexabomb

import (
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// prepared is an array of actions that was parsed before its turn.
type prepared struct {
	readable bool // the actions are an array
	list     []numbered
}

// numbered is an action and its index in the array.
type numbered struct {
	index int32
	order
}

// Prepare implements [engine.Preparer]. The result takes a turn no longer to apply than
// ordinary actions of the same size.
func (g *Game) Prepare(actions []byte) any {
	list := jsonscan.Value(actions)
	p := &prepared{readable: list.Kind() == jsonscan.Array}
	if !p.readable {
		return p
	}
	malformed := 0
	for index, v := range list.Elements() {
		o := readOrder(v)
		if !g.wellFormed(&o) {
			// Malformed actions after the last reported one change nothing in any position.
			if malformed++; malformed > maxSurplus {
				continue
			}
		}
		p.list = append(p.list, numbered{int32(index), o})
	}
	return p
}

// readPrepared adds actions that were parsed before.
func (g *Game) readPrepared(i int32, in *engine.Input, p *prepared) bool {
	if !p.readable {
		return false
	}
	g.beginEntry()
	for k := range p.list {
		g.admit(action{player: in.Player, input: i, index: p.list[k].index, order: p.list[k].order})
	}
	return true
}
