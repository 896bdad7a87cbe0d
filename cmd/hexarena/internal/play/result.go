package play

import (
	"fmt"
	"slices"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/config/textutil"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/result"
)

// jsonResult is what play --json prints.
type jsonResult struct {
	Version     string         `json:"version"`
	Map         *games.MapInfo `json:"map"`
	Order       string         `json:"order"`
	Pace        string         `json:"pace"`
	SuddenDeath bool           `json:"sudden_death"`
	*result.Report
	Recording string `json:"recording,omitempty"` // its file
	Again     string `json:"again"`               // the command that plays it again
}

// tell prints the result of the match.
func (r *round) tell(report *result.Report, played *host.Result) error {
	if r.asJSON {
		err := textutil.WriteJSON(r.Stdout, jsonResult{
			Version: r.Version, Map: r.instance.MapInfo, Order: string(r.Order), Pace: string(r.Pace),
			SuddenDeath: r.suddenDeath,
			Report:      report, Recording: played.Recording, Again: r.command(r.seed),
		})
		if err != nil {
			return fmt.Errorf("write the result: %w", err)
		}
		return nil
	}
	r.tellFaults(report)
	err := tui.WriteRanking(r.Stdout, r.instance.Map, r.command(r.seed), r.differs(), report)
	if err != nil {
		return err
	}
	if played.Recording != "" {
		if _, err := fmt.Fprintf(r.Stdout, "\nRecorded in %s\n", played.Recording); err != nil {
			return fmt.Errorf("write where the recording is: %w", err)
		}
	}
	return r.tellCup(report)
}

// tellFaults prints what bots did wrong, and where to look, unless the result is printed as JSON.
func (r *round) tellFaults(report *result.Report) {
	if !r.asJSON {
		tui.WriteFailures(r.Stderr, report, !r.live)
		tui.WriteRefused(r.Stderr, report)
	}
}

// asInPlay are the settings without which the bots may not play in a cup.
var asInPlay = []string{
	"game", "logic", "game-timeout", "turn-timeout", "start-timeout", "env", "isolate",
	"isolate-image", "isolate-memory", "isolate-cpus",
}

// tellCup says, after a match of two different bots that were started, how to find out which one is
// better: they may be versions of one bot.
func (r *round) tellCup(report *result.Report) error {
	if report.Err != nil {
		return nil // another match would fail as well
	}
	words := append([]string{
		"hexarena", "cup",
	}, r.Values.Arguments(slices.DeleteFunc(r.Values.Names(), func(name string) bool {
		return slices.Contains(asInPlay, name)
	})...)...)
	var bots []string
	for i := range report.Seats {
		if s := &report.Seats[i]; s.Command != nil && !slices.Contains(bots, s.Argument) {
			bots = append(bots, s.Argument)
		}
	}
	if len(bots) != 2 {
		return nil
	}
	_, err := fmt.Fprintf(r.Stdout,
		"\nOne match proves little. To find out whether the second bot is better than the first:\n  %s\n",
		launch.Quote(append(words, bots...)))
	return err
}
