package export

import (
	"context"
	"maps"
	"slices"

	"github.com/hexarena/hexarena/engine"
)

// Decision is a turn that decided between two players.
type Decision struct {
	Turn   int      `json:"turn"`
	About  []string `json:"about"`  // why it is one of them, a sentence each
	Played []string `json:"played"` // what both did in it, and what they lost: a line each
}

// Decisions returns the turns that decided between two players of the match whose course it is, by
// turn: that from which the winner led, and those with the largest swings.
func (r *Recording) Decisions(
	ctx context.Context, c *Course, a, b engine.PlayerID,
) ([]Decision, error) {
	d := &Digest{Course: c, For: a, Other: b, turns: map[int]*digestTurn{}}
	if err := r.follow(ctx, d); err != nil {
		return nil, err
	}
	d.chooseTurns()
	if err := r.lookAt(ctx, d); err != nil {
		return nil, err
	}
	var list []Decision
	for _, step := range slices.Sorted(maps.Keys(d.turns)) {
		list = append(list, Decision{step, d.turns[step].about, d.turns[step].played})
	}
	return list, nil
}

// Rivals returns the best two of the players that are ranked; nil if there are fewer, or the game
// has no figures.
func (c *Course) Rivals() []engine.PlayerID {
	if len(c.Header.Counts) == 0 || len(c.Header.Seats)-c.Header.Specials < 2 {
		return nil
	}
	order := c.Order()
	return []engine.PlayerID{engine.PlayerID(order[0]), engine.PlayerID(order[1])}
}
