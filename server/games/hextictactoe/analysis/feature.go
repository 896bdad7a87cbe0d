package analysis

import (
	"slices"
)

// Feature is a capability of judges and its effect on the analysis.
type Feature struct {
	Name     string `json:"name"`
	Declared bool   `json:"declared"`
	Effect   string `json:"effect"` // with it, or without it
}

// features are the capabilities that an analysis uses, and its effects with each and without it.
var features = []struct{ name, with, without string }{
	{
		"evaluation", "eval_request: what it thinks of each position",
		"its evaluations are those that come with its moves",
	},
	{
		"evaluation_time_limit", "it is told how long an evaluation may take",
		"an evaluation that takes too long is cut off",
	},
	{
		"move_time_limit", "it is told how long a move may take",
		"a move that takes too long is cut off",
	},
	{"config", "a depth, if one is given, sets how far it looks", "a depth has no effect"},
	{"free_setup", "it starts from any position", "it is told the game from its beginning"},
	{
		"resettable_state", "setup again: moves are taken back in one session",
		"a new session for each move that is taken back",
	},
	{"move_skips", "previous tells it of moves that it was not asked " +
		"for", "each position is a separate setup"},
	{"dual_sided", "one session judges both sides", "each side has a session"},
	{"free_move_order", "a side can be asked for two moves in a row, to know its " +
		"threats", "threats are not told"},
	{
		"interruptible", "interrupt, when it takes too long",
		"when it takes too long its session is given up",
	},
	{"request_id", "its session goes on after an interrupt", "a session ends with an interrupt"},
}

// describe returns the judge with its features, of which a stateless one has few.
func (j *judge) describe() Judge {
	if j.who.Stateless {
		j.who.Features = append(j.who.Features,
			Feature{"stateless", true, "each position is a separate request"})
	}
	for _, f := range features {
		if j.who.Stateless &&
			!slices.Contains([]string{"evaluation", "move_time_limit", "free_move_order"}, f.name) {
			continue
		}
		one := Feature{f.name, j.can.Can(f.name), f.without}
		if one.Declared {
			one.Effect = f.with
		}
		j.who.Features = append(j.who.Features, one)
	}
	return j.who
}
