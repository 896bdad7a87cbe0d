package rounds

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/cup"
	"github.com/hexarena/hexarena/server/event/state"
	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/seat"
	"github.com/hexarena/hexarena/server/seat/direct"
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
	spec, pace := r.spec(setup, seats, round.Number, row.Seed)
	spec.Labels = map[string]string{
		"series": "event", "round": strconv.Itoa(round.Number), "table": strconv.Itoa(i + 1),
	}
	spec.Admit, spec.Debug = r.admitFrozen(teams), r.Outputs.debug(teams)
	spec.Watchers = []match.Watcher{
		r.Checks.watch(teams), &hangTracker{of: &r.attendance, pace: pace},
	}
	t := &task{spec: spec, pace: pace, row: row, versions: func(infos []match.SeatInfo) []string {
		return line.versions(teams, len(seats), infos)
	}}
	leave := func() {}
	defer func() { leave() }()
	recording, err := r.arena.play(ctx, t, func(f *feed.Feed) { leave = r.Tables.add(round, i, f) })
	if err != nil {
		return err
	}
	return r.add(ctx, teams, row, recording)
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

// spec returns the description of a match, and its pace, which knows the players that hung.
func (r *Rounds) spec(
	setup Setup, seats []seat.Spec, turn int, seed uint64,
) (host.Spec, *cup.Waiting) {
	o := &r.opts
	seat.SetLabels(seats)
	pace := cup.NewWaiting(setup.TurnTimeout, setup.floor, len(seats))
	delay := float64(setup.floor) / float64(time.Millisecond)
	board := boardOf(setup.board, turn, len(seats))
	spec := host.Spec{
		Name: o.Game.Name, Game: board, Seed: seed, Order: match.Seeded, InOrder: true,
		Autostart: true, NeedPlayer: true, LeaveEnds: board.Budget != nil,
		Settings: match.Settings{
			Turns: cmp.Or(board.Turns, setup.Turns), Players: len(seats), DelayFirst: delay,
			DelayTurns: delay,
		},
		Pace:  func(match.Settings) match.Pace { return pace },
		Seats: seats, Digest: true, Patience: seatPatience, Reconnect: o.Reconnect,
		Bots: seating.Options{
			Options: direct.Options{
				Builtin: o.Game.NewBuiltin, Patience: setup.TurnTimeout, Shared: true,
			},
			HTTTX: o.Game.BotAPI,
		},
	}
	if slices.ContainsFunc(seats, func(s seat.Spec) bool { return s.Kind == seat.Process }) {
		spec.Patience = startPatience
		spec.Bots.Fill = seating.OneTry{}
		spec.Bots.Launch = seating.Launch{
			Timeout: startPatience, Isolate: o.Store.Isolate(), Foreign: true, OwnPorts: true,
		}
	}
	if board.Budget != nil {
		spec.Pace = match.PaceSpec{Budget: board.Budget}.Pace
	}
	return spec, pace
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
