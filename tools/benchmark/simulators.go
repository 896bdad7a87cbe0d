package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/hexarena/hexarena/bots/kits"
	"github.com/hexarena/hexarena/tools/harness"
)

// simulatorBots are bots in each language that play simulatorSteps turns of a simulator to answer a
// turn: a hundred times simulatorDepth, in each of which all characters move.
//
//go:embed simulators
var simulatorBots embed.FS

const (
	simulatorDepth = 12
	simulatorSteps = 100 * simulatorDepth
	simulatorTurns = 40 // half of them are played by a virtual machine that is warm
)

// simulatorRate returns the thousands of turns a second that a simulator has to reach.
func simulatorRate(k *kits.Kit) float64 {
	if k.Folder == "python" {
		return 5
	}
	return 20
}

// simulators measures the turns a second that bots play by the simulators of their kits.
func (b *bench) simulators(ctx context.Context) error {
	for _, k := range b.languages {
		if k.Folder == "javascript" {
			if err := b.simulator(ctx, k, "builtin"); err != nil {
				return err
			}
		}
		if k.Tool() == "" {
			b.Report("simulator, %s: %s", k.Language, k.Advice)
			continue
		}
		if err := b.simulator(ctx, k, "node"); err != nil {
			return err
		}
	}
	return nil
}

// simulator measures one of them. The engine is that of bots in JavaScript.
func (b *bench) simulator(ctx context.Context, k *kits.Kit, js string) error {
	dir, err := os.MkdirTemp(b.Dir, "simulator")
	if err != nil {
		return err
	}
	found, err := fs.Glob(simulatorBots, "simulators/*"+k.Extension+"*")
	if err != nil {
		return err
	}
	source, err := simulatorBots.ReadFile(found[0])
	if err != nil {
		return err
	}
	// as .txt, a source in Go is no package here
	bot := strings.TrimSuffix(path.Base(found[0]), ".txt")
	err = errors.Join(k.WriteLibrary(dir), os.WriteFile(filepath.Join(dir, bot), source, 0o600))
	if err != nil {
		return err
	}
	var rates harness.Series
	turns := strconv.Itoa(min(simulatorTurns, max(simulatorDepth+1, b.turns/100)))
	for range b.rounds {
		turn, _, err := b.answerTime(ctx, dir, bot, "painter", "painter", "--js", js,
			"--map", envMap, "--turns", turns)
		if err != nil {
			return fmt.Errorf("%s: %w", k.Language, err)
		}
		rates = append(rates, simulatorSteps/turn) // thousands a second
	}
	row := harness.Row{
		What: "turns of a simulator, " + k.Language, First: k.Tool(), Figure: rates.Format(1, " k/s"),
	}
	if js == "builtin" {
		row.First = "by hexarena"
	} else {
		rate := simulatorRate(k)
		row.Target, row.Met = fmt.Sprintf("≥ %.0f k/s", rate), rates.Median() >= rate
	}
	b.Report("%s, %s: %s", row.What, row.First, row.Figure)
	b.table.Add(row)
	return nil
}
