package claim

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/games"
)

// Entry describes the game to hexarena.
func Entry() *games.Game {
	return &games.Game{
		Name: "claim", Title: "claim",
		Rules: []string{Rules},
		Settings: []config.Setting{{
			Name: "cells", Kind: config.Integer(2, 1000), Default: "24",
			Commands: config.Serve | config.Play | config.Cup,
			Help:     "cells to claim",
		}},
		New:    newInstance,
		Replay: replay,
		Builtins: []games.Builtin{
			{Name: "claimer", Summary: "claims any free cell", New: func(seed uint64) netorcai.Bot {
				return &claimer{rng: rand.New(rand.NewPCG(seed, 1))}
			}},
		},
		Draw: draw, DrawsWhole: true, Terminal: newTerminal, Text: text,
		Mix: func(seats int) []string { return slices.Repeat([]string{"claimer"}, seats) },
	}
}

// mostPlayers is the number of players that can play at once: the match is over soon with more.
const mostPlayers = 6

// setup is what a recording keeps of the settings.
type setup struct {
	Cells int `json:"cells"`
}

func newInstance(v config.Values) (games.Instance, error) {
	s := setup{v.Int("cells")}
	text, err := json.Marshal(s)
	return games.Instance{
		Map: "claim", Setup: text, Players: min(s.Cells, mostPlayers),
		New:        func() engine.Game { return New(s.Cells) },
		AnswerSize: games.UsualAnswer,
	}, err
}

func replay(_ string, text []byte) (engine.Game, error) {
	var s setup
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, err
	}
	if s.Cells < 1 || s.Cells > 1000 {
		return nil, fmt.Errorf("claim: %d cells are not in 1…1000", s.Cells)
	}
	return New(s.Cells), nil
}

// claimer is the built-in player.
type claimer struct {
	rng    *rand.Rand
	free   []int
	answer []byte
}

// Start implements netorcai.Bot.
func (c *claimer) Start(netorcai.GameStarts) error { return nil }

// Turn implements netorcai.Bot.
func (c *claimer) Turn(t netorcai.Turn) ([]byte, error) {
	list, err := owners(t.State)
	if err != nil {
		return nil, err
	}
	c.free = c.free[:0]
	for cell, owner := range list {
		if owner < 0 {
			c.free = append(c.free, cell)
		}
	}
	if len(c.free) == 0 {
		return nil, nil
	}
	c.answer = fmt.Appendf(c.answer[:0], `[{"claim":%d}]`, c.free[c.rng.IntN(len(c.free))])
	return c.answer, nil
}

// End implements netorcai.Bot.
func (c *claimer) End(netorcai.GameEnds) {}
