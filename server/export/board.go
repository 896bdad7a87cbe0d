package export

import (
	"context"
	"fmt"

	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
)

// Board returns the number of the turn that shows the board after a step, which may be LastTurn,
// and that board as text.
func (r *Recording) Board(ctx context.Context, step int) (text string, err error) {
	err = r.ReplayTo(ctx, step, func(p *recording.Replay, t *recording.Turn) error {
		text, err = r.board(p, t)
		return err
	}, nil)
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
	return fmt.Sprintf("%s\n%s", match.NameBoard(t.Step, h.Turns), text), err
}
