// Package play builds the matches of contests: of cups, on this machine and on workers, and of the
// rounds, finals, practice and test matches of events. It alone decides what these have in common:
// their pace, the order of their seats, and how a row follows from the report on a match.
package play

import (
	"cmp"
	"strconv"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/result"
	"github.com/hexarena/hexarena/server/seat"
	"github.com/hexarena/hexarena/server/seat/direct"
	"github.com/hexarena/hexarena/server/seat/seating"
)

// Setup says how the matches of a contest are played.
type Setup struct {
	Game        *games.Game
	Turns       int           // of a match, unless the board says how many it has
	TurnTimeout time.Duration // for an answer; 0: no limit
	// Delay and Floor are the time from turn to turn that bots are told, and the least that a turn
	// takes. A game that counts the time of its players has neither.
	Delay, Floor time.Duration
}

// Task is a match that is about to be played.
type Task struct {
	host.Spec
	Waiting *match.Waiting // its pace; of no use in a game that counts the time of its players
}

// Task returns a match on a board, with each seat in its place. The caller adds how bots are
// started, and what else is special about the match.
func (s *Setup) Task(board games.Instance, seats []seat.Spec, seed uint64) *Task {
	seat.SetLabels(seats)
	t := &Task{Waiting: match.NewWaiting(s.TurnTimeout, s.Floor, len(seats))}
	t.Spec = host.Spec{
		Name: s.Game.Name, Game: board, Seats: seats, Seed: seed,
		Order: match.Seeded, InOrder: true, Digest: true,
		Settings: match.Settings{Turns: cmp.Or(board.Turns, s.Turns), Players: len(seats)},
		Pace:     func(match.Settings) match.Pace { return t.Waiting },
		Bots: seating.Options{
			Options: direct.Options{
				Builtin: s.Game.NewBuiltin, Patience: s.TurnTimeout, Shared: true,
			},
			HTTTX: s.Game.BotAPI,
		},
	}
	if board.Budget != nil { // players move alternately
		t.LeaveEnds, t.Pace = true, match.PaceSpec{Budget: board.Budget}.Pace
		return t
	}
	t.Settings.DelayFirst = float64(s.Delay) / float64(time.Millisecond)
	t.Settings.DelayTurns = t.Settings.DelayFirst
	return t
}

// Fill completes the row of the match by what came of its seats. Forfeits that the row has already
// stay.
func (t *Task) Fill(row *results.Row, report *result.Report) {
	for i := range row.Bots {
		s := &report.Seats[i]
		if len(s.Counts) > 0 {
			row.Scores[i] = s.Counts[0].Value
		}
		if row.Forfeits[i] != "" {
			continue
		}
		row.Refused[i] = s.RefusedTotal()
		row.Forfeits[i] = forfeits[s.Status]
		if row.Forfeits[i] == "" && s.ID != engine.NoPlayer && t.Waiting.Hung(s.ID) {
			row.Forfeits[i] = results.Hung
		}
	}
	row.Digest = Digest(report.Digest)
	row.Rank()
}

// forfeits are the kinds of forfeits by what became of a seat. Others are none.
var forfeits = map[result.Status]string{
	result.Absent: results.Absent, result.Crashed: results.Crash, result.Left: results.Left,
}

// Digest returns the first 64 bits of a match's digest. That is a SHA-256 sum of all states: what
// the accepted actions of a turn change is in the state after it.
func Digest(sum string) results.Digest {
	n, err := strconv.ParseUint(sum[:min(16, len(sum))], 16, 64)
	if err != nil {
		return 0 // the match ended before it began
	}
	return results.Digest(n)
}
