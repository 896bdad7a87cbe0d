package export

import (
	"context"
	"fmt"

	"github.com/hexarena/hexarena/server/recording"
)

// Board returns the number of a turn, which may be LastTurn, and the board after it as text.
func (r *Recording) Board(ctx context.Context, turn int) (text string, err error) {
	x := &exporter{ctx: ctx, Recording: *r}
	if turn, err = x.turn("turn", turn); err != nil {
		return "", err
	}
	err = r.ReplayTo(ctx, turn, func(p *recording.Replay, t *recording.Turn) error {
		text, err = r.board(p, t)
		return err
	})
	return text, err
}

// board returns the number of the turn that was replayed last, and the board after it as text.
func (r *Recording) board(p *recording.Replay, t *recording.Turn) (string, error) {
	h := p.Reader().Header()
	g := r.Games.OfRules(h.Rules)
	if g == nil || g.Text == nil {
		return "", usageErrorf("boards of %s have no form as text; replay export --format json has the "+
			"states", h.RulesName())
	}
	text, err := g.Text(matchOf(h), p.State())
	return fmt.Sprintf("turn %d of %d\n%s", t.Step, h.Turns, text), err
}
