package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/hexarena/hexarena/bots/kits"
	"github.com/hexarena/hexarena/tools/harness"
)

// kitLimit is the time that a beginner may wait, from hexarena new to the first action that is
// accepted.
const kitLimit = 60 * time.Second

// kits measures how long it takes in each language to have a bot that plays, with nothing in the
// caches of hexarena and of the compilers.
func (b *bench) kits(ctx context.Context) error {
	for _, k := range b.languages {
		if k.Tool() == "" {
			b.Report("kit, %s: %s", k.Language, k.Advice)
			continue
		}
		var times, work harness.Series
		for range b.rounds {
			took, worked, err := b.firstAction(ctx, k)
			if err != nil {
				return fmt.Errorf("%s: %w", k.Language, err)
			}
			times, work = append(times, took.Seconds()), append(work, worked.Seconds())
		}
		b.Report("kit, %s: %.1f s, %.1f s of processor time", k.Language, times.Median(), work.Median())
		b.table.Add(harness.Row{
			What: "hexarena new to the first accepted action, " + k.Language, First: k.Tool(),
			Second: fmt.Sprintf("%.1f s of work", work.Median()), Figure: times.Format(1, " s"),
			Target: fmt.Sprintf("≤ %.0f s", kitLimit.Seconds()),
			Met:    times.Quantile(1) <= kitLimit.Seconds(),
		})
	}
	return nil
}

// firstAction writes a bot and plays a match of two turns with it, of which it answers the first.
// It returns how long that takes, and the processor time of hexarena and all that it starts, which
// depends less on other load of the machine.
func (b *bench) firstAction(
	ctx context.Context, k *kits.Kit,
) (took, worked time.Duration, err error) {
	dir, err := os.MkdirTemp(b.Dir, "kit")
	if err != nil {
		return 0, 0, err
	}
	bot := k.Starters["hexabomb"]
	began := time.Now()
	if _, _, err := b.runIn(ctx, dir, "new", bot); err != nil {
		return 0, 0, err
	}
	// on a machine with other load, a virtual machine takes longer for a first answer than play waits
	limit := kitLimit.String()
	out, worked, err := b.runIn(ctx, dir, "play", "--json", "--turns", "2", "--record", "",
		"--start-timeout", limit, "--turn-timeout", limit, bot, "random")
	took = time.Since(began)
	if err != nil {
		return 0, 0, err
	}
	var result struct {
		Seats []struct {
			Label, Status, Error string
			Answers, Skipped     int
			Refused              map[string]int
		}
	}
	if err := json.Unmarshal(out, &result); err != nil {
		return 0, 0, err
	}
	if len(result.Seats) == 0 {
		return 0, 0, fmt.Errorf("the result has no seats: %s", out)
	}
	for _, seat := range result.Seats {
		if seat.Answers != 1 || len(seat.Refused) > 0 {
			return 0, 0, fmt.Errorf("%s has %d answers, want 1, and skipped %d; refused are %v; it is %s %s",
				seat.Label, seat.Answers, seat.Skipped, seat.Refused, seat.Status, seat.Error)
		}
	}
	return took, worked, nil
}

// runIn runs hexarena in a folder with empty caches, and returns its output and its processor time.
func (b *bench) runIn(
	ctx context.Context, dir string, args ...string,
) (out []byte, worked time.Duration, err error) {
	cmd := exec.CommandContext(ctx, b.Hexarena, args...)
	cmd.Dir = dir
	cache := filepath.Join(dir, "cache")
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+cache,
		"GOCACHE="+filepath.Join(cache, "go-build"))
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // so that it ends its bots
	cmd.WaitDelay = 10 * time.Second
	var printed bytes.Buffer
	cmd.Stderr = &printed
	if out, err = cmd.Output(); err != nil {
		return nil, 0, fmt.Errorf("hexarena %s: %w: %s", args[0], err, printed.Bytes())
	}
	return out, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}
