package hextictactoe

import (
	"slices"

	"github.com/hexarena/hexarena/engine"
)

// AppendAbridged implements engine.Abridger.
func (g *Game) AppendAbridged(
	dst []byte, i int, in *engine.Input, _ int,
) (out []byte, kept int, ok bool) {
	at := slices.IndexFunc(g.refused, func(r engine.Refusal) bool { return r.Input == i })
	switch {
	case at < 0:
		return append(dst, "[]"...), 0, i != g.counted && isEmptyAnswer(in)
	case g.refused[at].Reason == forfeitUnreadable:
		return append(dst, "null"...), 0, true
	}
	switch g.refused[at].Reason {
	case forfeitMissing, forfeitTime:
		return append(dst, "[]"...), 0, true
	case notYourTurn, unknownPlayer, oneAnswer, forfeitMalformed:
		return append(dst, "[0]"...), 1, true
	case forfeitSeveral:
		return append(dst, "[0,0]"...), 2, true
	case forfeitNumber:
		return append(dst, `[{"pieces":[]}]`...), 1, true
	}
	move, _, _ := readMove(in)
	dst = append(dst, `[{"pieces":`...)
	dst = appendCoords(dst, move.Pieces[:move.Placed])
	return append(dst, "}]"...), 1, true
}
