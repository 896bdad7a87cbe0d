package play

import (
	"slices"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/result"
	"github.com/hexarena/hexarena/server/seat"
)

// seatReport returns the report on the seat of a player.
func seatReport(id engine.PlayerID, score int64, status result.Status) result.SeatReport {
	counts := result.Counts{{Name: "score", Value: score}}
	return result.SeatReport{
		ID: id, Status: status,
		Figures: result.Figures{Counts: counts, Refused: map[string]int{"wall": 2}},
	}
}

// Fill writes the figures of all seats and the forfeits to a row. It keeps a forfeit that the row
// holds already. A bot that left does not count as hung, and a bot that hung counts as present.
func TestFill(t *testing.T) {
	setup := &Setup{Game: &games.Game{Name: "toy"}, TurnTimeout: time.Second}
	task := setup.Task(games.Instance{}, make([]seat.Spec, 4), 1)
	task.Waiting.Suspend(1)
	task.Waiting.Suspend(2)
	row := results.New(7, 1, "board", []string{"a", "b", "c", "d"})
	row.Forfeits[3] = results.Absent
	task.Fill(row, &result.Report{
		Digest: "00000000000000ff0123",
		Seats: []result.SeatReport{
			seatReport(0, 3, result.Held), seatReport(1, 9, result.Held),
			seatReport(2, 5, result.Crashed), seatReport(engine.NoPlayer, 0, result.Left),
		},
	})
	want := []string{"", results.Hung, results.Crash, results.Absent}
	if !slices.Equal(row.Forfeits, want) {
		t.Errorf("the forfeits are %q, want %q", row.Forfeits, want)
	}
	if !slices.Equal(row.Scores, []int64{3, 9, 5, 0}) || !slices.Equal(row.Refused, []int{2, 2, 2, 0}) ||
		!slices.Equal(row.Ranks, []int{1, 2, 3, 4}) || row.Digest != 0xff {
		t.Errorf("the row is %+v", row)
	}
}

// A game that counts the time of its players has no delays; in others, bots are told the delay, and
// turns may have no limit.
func TestTask(t *testing.T) {
	setup := &Setup{Game: &games.Game{}, Turns: 10, Delay: time.Second, Floor: time.Second}
	seats := []seat.Spec{{Label: "a"}, {Label: "a"}}
	task := setup.Task(games.Instance{}, seats, 1)
	if pace := task.Pace(task.Settings); pace != task.Waiting || pace.Limit(0) != 0 ||
		task.Settings.DelayTurns != 1000 || task.LeaveEnds || task.Seats[1].Label != "a#2" {
		t.Errorf("without clocks, the match is %+v", task.Settings)
	}
	task = setup.Task(games.Instance{Turns: 20, Budget: &match.Budget{Time: time.Minute}}, seats, 1)
	if pace := task.Pace(task.Settings); pace == task.Waiting || !task.LeaveEnds ||
		task.Settings.DelayTurns != 0 || task.Settings.Turns != 20 {
		t.Errorf("with clocks, the match is %+v", task.Settings)
	}
}
