package play

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/cli"
	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/result"
	"github.com/hexarena/hexarena/server/seat"
)

// alternates reports whether the players of the game take turns, by a clock: then the
// order of the seats is that of the players, and the result of each match is a line.
func (p *runner) alternates() bool { return p.instance.Budget != nil }

// plan returns the matches that are to be played, with seeds that count up: each opening with both
// orders of the seats, or the one match that there is.
func (p *runner) plan() (list []*round) {
	add := func(i games.Instance, seats []seat.Spec) {
		list = append(
			list,
			&round{
				runner: p, instance: i, seats: seats, seed: p.seed + uint64(len(list)),
				again: make(chan struct{}, 1),
			},
		)
	}
	swapped := slices.Clone(p.seats)
	slices.Reverse(swapped)
	for _, opening := range p.instance.Openings {
		add(opening, p.seats)
		add(opening, swapped)
	}
	if list == nil {
		add(p.instance, p.seats)
	}
	return list
}

// playAll plays the matches of the plan, until one is not played to its end. It returns the last
// round, and the report that decides the exit code.
func (p *runner) playAll(
	ctx context.Context, interrupt context.CancelCauseFunc,
) (last *round, deciding *result.Report, err error) {
	var games duels
	for _, last = range p.plan() {
		played, err := last.play(ctx, interrupt)
		if err != nil {
			return last, deciding, err
		}
		report := played.Report()
		if played.RecordingErr != nil {
			fmt.Fprintln(p.Stderr, "hexarena:", tui.Plain(played.RecordingErr.Error()))
		}
		if deciding == nil || p.failure(deciding) == nil {
			deciding = report
		}
		switch {
		case errors.Is(report.Err, ErrChanged), errors.Is(report.Err, ErrRestarted):
		case !p.alternates():
			err = last.tell(report, played)
		default:
			last.tellFaults(report)
			if report.Err != nil { // verdict prints the reason
				break
			}
			games.standings.Add(report)
			games.Games = append(games.Games, newDuelGame(report, played.Recording))
			if !p.asJSON {
				_, err = fmt.Fprintln(p.Stdout, games.Games[len(games.Games)-1])
			}
			if err == nil && played.RecordingErr != nil {
				err = ErrFailed
			}
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
	case n == 0:
		return fmt.Errorf("no seat was given, and %s has no built-in bots; name who plays", p.game.Title)
	case most == 0: // as many as there are
	case p.alternates() && n != most:
		return fmt.Errorf("%s has %d seats, and %d were given", p.game.Name, most, n)
	case n > most:
		return fmt.Errorf(
			"%d seats were given, and map %q has %d; leave some out or choose another --map", n,
			p.instance.Map, most)
	}
	return nil
}

// knownSeats returns the seats that the options allow.
func (p *runner) knownSeats() seat.Known {
	return cli.Scripts(p.Values, seat.Known{
		Game: p.game.Name, HTTTX: p.game.BotAPI, Page: p.HTTP != "", Builtin: p.newBuiltin,
	})
}
