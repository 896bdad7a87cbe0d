package rerun

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/recording"
)

// game is an engine.Game that plays a recording: its steps lead to the recorded states,
// whatever the players answer. It awaits the player in one seat and compares its answers
// with the recorded ones.
type game struct {
	*recording.Replay
	opts     *Options
	seat     engine.PlayerID
	recorded answers      // of the player, as far as the recording has them whole
	answered answers      // of the bot that plays it
	lapse    engine.Lapse // why the player gave no answer to the TURN owed
	owed     int
	err      error // why the recording cannot be played any further
}

// Rules implements engine.Game.
func (g *game) Rules() string { return g.Reader().Header().Rules }

// Start implements engine.Game.
func (g *game) Start(engine.Setup) (engine.Result, error) {
	if _, g.err = g.Next(); g.err == io.EOF {
		g.err = recording.ErrEmpty
	}
	return g.result(), g.err
}

// Step implements engine.Game. The game is over where the recording ends, where it cannot be
// read any further, and when the player owes an answer.
func (g *game) Step(inputs []engine.Input) engine.Result {
	for i := range inputs {
		switch in := &inputs[i]; {
		case in.Player != g.seat:
		case in.Lapse != engine.Answered:
			g.lapse, g.owed = in.Lapse, in.Turn
		default:
			g.answered.add(in)
		}
	}
	if g.lapse == engine.Answered {
		t, err := g.Next()
		if err == nil {
			g.played(t)
			return g.result()
		}
		if err != io.EOF {
			g.err = err
		}
	}
	r := g.result()
	r.Over = true
	return r
}

// result returns the result of the last step, without the refusals, which are those of the
// recorded inputs.
func (g *game) result() engine.Result {
	r := *g.Result()
	r.Await, r.Refused = engine.Only(g.seat), nil
	return r
}

// played keeps the player's answers of a turn that the recording has.
func (g *game) played(t *recording.Turn) {
	for i := range t.Inputs {
		if in := &t.Inputs[i]; in.Player == g.seat && in.Lapse == engine.Answered &&
			in.Abridged.Bytes == 0 {
			g.recorded.add(&in.Input)
		}
	}
	if g.opts.Progress != nil {
		g.opts.Progress(t.Step, g.Reader().Header().Turns)
	}
}

// AppendState implements engine.Game.
func (g *game) AppendState(dst []byte) []byte { return append(dst, g.State()...) }

// answers holds a player's answers by the number of the TURN. Of two to the same TURN, the one
// applied last counts.
type answers map[int]string

// add adds an answer without its white space or, if it is not JSON, as it is.
func (a answers) add(in *engine.Input) {
	var plain bytes.Buffer
	if json.Compact(&plain, in.Actions) != nil {
		plain.Reset()
		plain.Write(in.Actions)
	}
	a[in.Turn] = plain.String()
}

// compare adds the differences between the bot's answers and the recorded ones to a report.
func (g *game) compare(r *Report) {
	for _, turn := range slices.Sorted(maps.Keys(g.answered)) {
		recorded, there := g.recorded[turn]
		if !there {
			continue
		}
		r.Compared++
		if answered := g.answered[turn]; answered != recorded {
			r.Differences = append(r.Differences, g.difference(turn, recorded, answered))
		}
	}
}

func (g *game) difference(turn int, recorded, answered string) Difference {
	words := func(actions string) string { return strings.Join(g.Describe([]byte(actions)), "; ") }
	d := Difference{turn, recorded, answered, words(recorded), words(answered)}
	if d.RecordedActs == d.AnsweredActs {
		d.RecordedActs, d.AnsweredActs = recorded, answered
	}
	return d
}

// AppendMessage appends the frame that a player was sent with the state after a turn:
// GAME_STARTS before the first turn, GAME_ENDS after the last, else a TURN.
func AppendMessage(
	dst []byte, p *recording.Replay, t *recording.Turn, player engine.PlayerID,
) ([]byte, error) {
	h := p.Reader().Header()
	switch {
	case t.Step == 0:
		return netorcai.AppendGameStarts(dst, netorcai.GameStarts{
			PlayerID: int(player), NbPlayers: h.Players, NbSpecialPlayers: h.Specials, NbTurnsMax: h.Turns,
			BeforeFirstTurn: h.DelayFirst, BetweenTurns: h.DelayTurns, State: p.State(),
		})
	case Ended(p, t):
		return netorcai.AppendGameEnds(dst, int(p.Result().Winner), p.State())
	}
	return netorcai.AppendTurn(dst, t.Step-1, p.State(), nil)
}

// Ended reports whether the match was over after a turn, so that players received the board in
// GAME_ENDS.
func Ended(p *recording.Replay, t *recording.Turn) bool {
	return p.Result().Over || t.Step >= p.Reader().Header().Turns
}

// CheckSeat returns an error if the recording has no player with that id.
func CheckSeat(h *recording.Header, player int) error {
	if player < 0 || player >= len(h.Seats) {
		return fmt.Errorf("%d is not in 0…%d", player, len(h.Seats)-1)
	}
	return nil
}
