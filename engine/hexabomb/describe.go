package hexabomb

import (
	"fmt"

	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// Describe implements [engine.Describer].
func (g *Game) Describe(action []byte) string {
	v, err := jsonscan.Parse(action)
	if err != nil || v.Kind() != jsonscan.Object {
		return ""
	}
	o := readOrder(v)
	switch {
	case !g.wellFormed(&o):
		return ""
	case o.verb == move:
		return fmt.Sprintf("character %d moves %s", o.id, o.dir)
	case o.verb == dropBomb:
		return fmt.Sprintf("character %d drops a bomb, range %d, delay %d", o.id, o.reach, o.delay)
	case o.has&(hasQ|hasR) == hasQ|hasR:
		return fmt.Sprintf("character %d revives at %d,%d", o.id, o.q, o.r)
	default:
		return fmt.Sprintf("character %d revives", o.id)
	}
}
