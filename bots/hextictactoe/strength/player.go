package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	bots "github.com/hexarena/hexarena/bots/hextictactoe"
)

// player plays pairs of games.
type player struct {
	dir      string
	hexarena string   // the current program, which hosts the games and plays one side
	argv     []string // the command that serves the other side
	tc       string
	warnings io.Writer
}

// endTime is the time that the host has to stop its bot after an interrupt.
const endTime = 5 * time.Second

// play plays the opening of a seed with both sides and returns the score of the current
// threat in each game: 1, 0.5 or 0.
func (p *player) play(ctx context.Context, seed uint64) (pair [2]float64, err error) {
	text, err := bots.Opening(seed).MarshalJSON()
	if err != nil {
		return pair, err
	}
	file := filepath.Join(p.dir, "opening")
	if err := os.WriteFile(file, append(text, '\n'), 0o644); err != nil {
		return pair, err
	}
	cmd := exec.CommandContext(ctx, p.hexarena, "play", "--game", "hextictactoe", "--http", "", "--record", "", "--json",
		"--tc", p.tc, "--openings", file, "--seed", fmt.Sprint(seed), "threat", strings.Join(p.argv, " "))
	cmd.Stderr = p.warnings
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // the host then stops its bot
	cmd.WaitDelay = endTime
	out, err := cmd.Output()
	if err != nil {
		if ctx.Err() != nil {
			return pair, context.Cause(ctx)
		}
		return pair, fmt.Errorf("opening %d: hexarena play: %w", seed, err)
	}
	return readPair(out)
}

// readPair parses the output of play --json for an opening played with both sides.
func readPair(text []byte) (pair [2]float64, err error) {
	var t struct {
		Games []struct{ X, O, Winner, Reason, Fault string }
	}
	if err := json.Unmarshal(text, &t); err != nil {
		return pair, fmt.Errorf("hexarena play --json printed %s: %w", text, err)
	}
	if len(t.Games) != len(pair) {
		return pair, fmt.Errorf("hexarena play --json printed %d games, want %d", len(t.Games), len(pair))
	}
	for i, g := range t.Games {
		if g.Fault != "" && !strings.Contains(g.Reason, "out of time") { // a failure of the measurement, not of the play
			return pair, fmt.Errorf("a game ended by %s: %s", g.Reason, g.Fault)
		}
		switch {
		case g.Winner == "":
			pair[i] = 0.5
		case (g.Winner == "x") == (g.X == "threat"):
			pair[i] = 1
		}
	}
	return pair, nil
}
