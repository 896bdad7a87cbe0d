package rounds

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/hexarena/hexarena/server/contest/play"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/event/state"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/seat"
	"github.com/hexarena/hexarena/server/seat/seating"
)

// seatPatience is the time that a match waits for a bot that was ready and has just hung up, to
// come back.
const seatPatience = 5 * time.Second

// playMatch plays a match of a round, or has a worker play it, and adds its result to the log.
func (r *Rounds) playMatch(
	ctx context.Context, setup Setup, round *state.Round, i int, line LineUp, away *away,
) error {
	if played, err := away.play(ctx, setup, round, i, line); played {
		return err
	}
	teams := round.Matches[i]
	seats, err := r.seats(ctx, teams, round.Number+i, line)
	if err != nil {
		return err
	}
	names := make([]string, len(seats))
	for s := range seats {
		names[s], seats[s].Seed = seats[s].Label, away.matches.Seed(i, s)
	}
	row := results.New(0, r.seed(round, i), setup.Map, names) // its number is that of the log
	t := r.task(setup, seats, round.Number, row.Seed)
	t.Labels = map[string]string{
		"series": "event", "round": strconv.Itoa(round.Number), "table": strconv.Itoa(i + 1),
	}
	t.Admit, t.Debug = r.admitFrozen(teams), r.Outputs.debug(teams)
	t.Watchers = []match.Watcher{
		r.Checks.watch(teams), &hangTracker{of: &r.attendance, pace: t.Waiting},
	}
	m, err := r.arena.start(ctx, t)
	if err != nil {
		return err
	}
	defer r.Tables.add(round, i, m.Feed())()
	ended, report := m.wait()
	if ended.Err != nil {
		return errors.Join(ended.Err, r.remove(ended.Recording))
	}
	t.Fill(row, report)
	row.Versions = line.versions(teams, len(seats), ended.Seats)
	return r.add(ctx, teams, row, ended.Recording)
}

// add adds the result of a match to the log, and notes which versions rest since then.
func (r *Rounds) add(ctx context.Context, teams []int, row *results.Row, recording string) error {
	err := r.event.Add(ctx, row, recording)
	if err == nil {
		r.noteBenched(teams, row)
	}
	return err
}

// seed returns the seed of a match of a round.
func (r *Rounds) seed(round *state.Round, i int) uint64 {
	return seat.Seed(r.opts.Seed+uint64(round.Number), i)
}

// startPatience is the time that a match waits for the bots that are started for it: containers of
// a round's matches start side by side, and a runtime starts a few a second.
const startPatience = 30 * time.Second

// task returns a match on the board of a setup.
func (r *Rounds) task(setup Setup, seats []seat.Spec, turn int, seed uint64) *play.Task {
	common := &play.Setup{
		Game: r.opts.Game, Turns: setup.Turns, TurnTimeout: setup.TurnTimeout, Delay: setup.floor,
		Floor: setup.floor,
	}
	t := common.Task(boardOf(setup.board, turn, len(seats)), seats, seed)
	t.Autostart, t.NeedPlayer, t.Patience, t.Reconnect = true, true, seatPatience, r.opts.Reconnect
	if slices.ContainsFunc(seats, func(s seat.Spec) bool { return s.Kind == seat.Process }) {
		t.Patience, t.Bots.Fill = startPatience, seating.OneTry{}
		t.Bots.Launch = seating.Launch{
			Timeout: startPatience, Isolate: r.opts.Store.Isolate(), Foreign: true, OwnPorts: true,
		}
	}
	return t
}

// seats returns the seats of a match: those of the teams, and built-in bots in the others, in turn.
func (r *Rounds) seats(
	ctx context.Context, teams []int, turn int, line LineUp,
) (list []seat.Spec, err error) {
	for i := range r.event.Seats() {
		one := r.filler(turn + i)
		if i < len(teams) {
			p, ready := line[teams[i]]
			one, err = r.teamSeat(ctx, teams[i], p)
			if !ready && r.event.View().Frozen { // of a final: not even another version may take the seat
				one.Key += " absent"
			}
		}
		if err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, nil
}

// filler returns the seat of a built-in bot.
func (r *Rounds) filler(turn int) seat.Spec {
	bots := r.event.Builtins()
	name := bots[turn%len(bots)]
	return seat.Spec{Kind: seat.Builtin, Builtin: name, Label: name}
}

// boardOf returns the board of a round, whose seats have places at equal distances on it, in each
// round others.
func boardOf(board games.Instance, round, seats int) games.Instance {
	if board.At == nil {
		return board
	}
	return board.At(placesOf(board, round, seats))
}

// placesOf returns the place of each seat.
func placesOf(board games.Instance, round, seats int) []int {
	places := make([]int, seats)
	for i := range places {
		places[i] = (round + i*board.Players/seats) % board.Players
	}
	return places
}

// remove removes the recording of a match that does not count.
func (r *Rounds) remove(path string) error {
	if path == "" {
		return nil
	}
	return r.event.Disk().Remove(path)
}
