package play

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/arena"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/seat"
)

// alternates reports whether the players of the game take turns, by a clock: then the
// order of the seats is that of the players, and the result of each match is a line.
func (p *runner) alternates() bool { return p.instance.Budget != nil }

// planned is one match of those that are played one after another.
type planned struct {
	instance games.Instance
	swapped  bool // the seats are in the opposite order
}

// plan returns the matches that are to be played: each opening with both orders of the
// seats, or the one match that there is.
func (p *runner) plan() (list []planned) {
	for _, opening := range p.instance.Openings {
		list = append(list, planned{opening, false}, planned{opening, true})
	}
	if list == nil {
		list = []planned{{p.instance, false}}
	}
	return list
}

// playAll plays the matches of the plan, with seeds that count up, until one is not played
// to its end. It returns the last round, and the report that decides the exit code.
func (p *runner) playAll(ctx context.Context, interrupt context.CancelCauseFunc, page *matchPage, log zerolog.Logger) (*round, *arena.Report, error) {
	all := *p
	var results tournament
	var last *round
	var deciding *arena.Report
	for n, next := range all.plan() {
		one := all
		one.instance, one.seed, one.seats = next.instance, all.seed+uint64(n), slices.Clone(all.seats)
		if next.swapped {
			slices.Reverse(one.seats)
		}
		last = &round{runner: &one, page: page, again: make(chan struct{}, 1), results: &results}
		report, err := last.play(ctx, interrupt, log)
		p.told = one.told
		if err != nil {
			return last, report, err
		}
		if deciding == nil || p.failure(deciding) == nil {
			deciding = report
		}
		if report.Err != nil {
			return last, deciding, nil
		}
	}
	if !p.alternates() {
		return last, deciding, nil
	}
	return last, deciding, results.tell(p.Stdout, p.asJSON)
}

// tellGame writes what came of a match between two players, or keeps it for the end.
func (r *round) tellGame(report *arena.Report) error {
	if report.Err != nil {
		return nil // verdict prints the reason
	}
	g := &duelGame{Reason: report.Reason, Recording: r.recording, winner: engine.NoPlayer}
	g.Cross, g.Circle = report.Seats[0].Label, report.Seats[1].Label
	for _, s := range report.Seats {
		if s.Label == report.Winner {
			g.winner = s.ID
		}
		if s.Reason != "" {
			g.Fault = s.Reason
		}
		for _, c := range s.Counts {
			if c.Name == "moves" {
				g.Moves += int(c.Value)
			}
		}
	}
	r.results.add(g)
	if !r.asJSON {
		if _, err := fmt.Fprintln(r.Stdout, g); err != nil {
			return fmt.Errorf("write the result: %w", err)
		}
	}
	return r.recordingErr
}

// checkSeats returns an error if there are not as many seats as the game needs.
func (p *runner) checkSeats(n int) error {
	switch most := p.instance.Players; {
	case p.alternates() && n != most:
		return fmt.Errorf("%s has %d seats, and %d were given", p.game.Name, most, n)
	case n > most:
		return fmt.Errorf("%d seats were given, and map %q has %d; leave some out or choose another --map", n, p.instance.Map, most)
	}
	return nil
}

// knownSeats returns the seats that the options allow.
func (p *runner) knownSeats() seat.Known {
	return seat.Known{
		Game: p.game.Name, HTTTX: p.game.BotAPI,
		Builtin: func(name string) error {
			_, err := p.newBuiltin(name, 0)
			return err
		},
		Refuse: func(s *seat.Spec) error {
			switch {
			case p.headless && s.Kind != seat.Builtin:
				return errors.New("--headless plays built-in bots only")
			case p.HTTP == "" && s.Kind == seat.Page:
				return errors.New("without --http there is no page to write a bot in")
			}
			return nil
		},
	}
}
