package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"

	"github.com/hexarena/hexarena/tools/harness"
)

const (
	scriptTurns = "100"
	scriptRatio = 20  // turns of the starter may take so many times as long as Node's
	scriptStart = 150 // milliseconds until a script may have logged in
)

// scripts measures a turn and the start of the starter in JavaScript, by Node and by hexarena
// itself.
func (b *bench) scripts(ctx context.Context) error {
	if _, err := exec.LookPath("node"); err != nil {
		b.Report("scripts: there is no node to compare with")
		return nil
	}
	dir, err := os.MkdirTemp(b.Dir, "script")
	if err != nil {
		return err
	}
	if _, _, err := b.runIn(ctx, dir, "new", "bot.js"); err != nil {
		return err
	}
	var turns, starts [2]harness.Series
	for range b.rounds {
		for i, js := range []string{"builtin", "node"} {
			turn, start, err := b.answerTime(ctx, dir, "bot.js", "--js", js, "--map", largeMap,
				"--turns", scriptTurns)
			if err != nil {
				return err
			}
			turns[i], starts[i] = append(turns[i], turn), append(starts[i], start)
		}
	}
	b.Report("a turn in JavaScript: %.2f ms by hexarena, %.2f ms by node", turns[0].Median(),
		turns[1].Median())
	row, ratios := b.table.Ratio("a turn of the starter in JavaScript, by hexarena and by "+
		"node", "%.2f ms",
		turns[0], turns[1])
	row.Target, row.Met = fmt.Sprintf("≤ %d", scriptRatio), ratios.Median() <= scriptRatio
	b.table.Ratio("start of play to its login, by hexarena and by node", "%.0f ms",
		starts[0], starts[1])
	b.limit("start of play to the login of a script", "ms", starts[0], scriptStart)
	return nil
}

// answerTime returns the median time of a turn of a bot beside built-in ones, and the time of all
// logins, in milliseconds.
func (b *bench) answerTime(
	ctx context.Context, dir, bot string, flags ...string,
) (turn, start float64, err error) {
	out, _, err := b.runIn(ctx, dir, append([]string{
		"play", "--json", "--strict", "--seed", "1", "--http", "", "--record", "", bot, "painter",
	}, flags...)...)
	if err != nil {
		return 0, 0, err
	}
	var report struct {
		Seats []struct {
			Label string
			Times struct{ P50 float64 } `json:"time_ms"`
		}
		Times struct {
			Logins float64 `json:"logins_ms"`
		}
	}
	if err := json.Unmarshal(out, &report); err != nil {
		return 0, 0, err
	}
	for _, s := range report.Seats {
		if s.Label == bot {
			return s.Times.P50, report.Times.Logins, nil
		}
	}
	return 0, 0, fmt.Errorf("the result has no %s: %s", bot, out)
}
