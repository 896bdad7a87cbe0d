package play

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/result"
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
func (p *runner) playAll(ctx context.Context, interrupt context.CancelCauseFunc) (last *round, deciding *result.Report, err error) {
	var games duels
	for n, next := range p.plan() {
		last = &round{runner: p, instance: next.instance, seats: slices.Clone(p.seats), seed: p.seed + uint64(n), again: make(chan struct{}, 1)}
		if next.swapped {
			slices.Reverse(last.seats)
		}
		played, err := last.play(ctx, interrupt)
		if err != nil {
			return last, deciding, err
		}
		report := played.Report()
		if deciding == nil || p.failure(deciding) == nil {
			deciding = report
		}
		switch {
		case errors.Is(report.Err, ErrChanged):
		case !p.alternates():
			err = last.tell(report, played)
		case report.Err == nil: // else verdict prints the reason
			games.standings.Add(report)
			games.Games = append(games.Games, newDuelGame(report, played.Recording))
			if !p.asJSON {
				_, err = fmt.Fprintln(p.Stdout, games.Games[n])
			}
			err = cmp.Or(err, played.RecordingErr)
		}
		if err != nil || report.Err != nil {
			return last, deciding, err
		}
	}
	if !p.alternates() {
		return last, deciding, nil
	}
	return last, deciding, games.tell(p.Stdout, p.asJSON)
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
