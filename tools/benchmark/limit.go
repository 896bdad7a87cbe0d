package main

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/hexarena/hexarena/protocol/netorcai"
)

// limitSource is a server without a game in C: one thread, and epoll.
//
//go:embed limit/limit.c
var limitSource []byte

// The limit is what the system calls alone cost. The rest of a turn is the game, its JSON, and Go's
// scheduler: together less than the limit.
const (
	limitShare = 0.80
	limitTimes = 1.8
)

// limitOf returns the server in C as a rival of a match of players alone; nil where there is no
// compiler or no epoll.
func (b *bench) limitOf(g game) *rival {
	cc, err := exec.LookPath("cc")
	if runtime.GOOS != "linux" || err != nil {
		b.Report("The limit in C is left out: it needs Linux and cc")
		return nil
	}
	program, built := filepath.Join(b.Dir, "limit"), false
	return &rival{
		what: "the limit in C", share: limitShare, times: limitTimes,
		play: func(ctx context.Context, turnBytes int) (outcome, error) {
			if !built {
				if err := buildLimit(ctx, cc, program); err != nil {
					return outcome{}, err
				}
				built = true
			}
			return playLimit(ctx, program, g, turnBytes)
		},
	}
}

func buildLimit(ctx context.Context, cc, program string) error {
	build := exec.CommandContext(ctx, cc, "-O2", "-x", "c", "-o", program, "-")
	build.Stdin = bytes.NewReader(limitSource)
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", cc, err, out)
	}
	return nil
}

func playLimit(ctx context.Context, program string, g game, turnBytes int) (outcome, error) {
	frames, err := limitFrames(g.crowd.Players, g.turns, turnBytes)
	if err != nil {
		return outcome{}, err
	}
	file := program + ".frames"
	if err := os.WriteFile(file, frames, 0o600); err != nil {
		return outcome{}, err
	}
	return g.playWithout(ctx, program, strconv.Itoa(g.crowd.Players), strconv.Itoa(g.turns-1), file)
}

// limitFrames returns the frames of a match, one after another.
func limitFrames(players, turns, turnBytes int) ([]byte, error) {
	b := netorcai.AppendLoginAck(nil)
	var err error
	for id := range players {
		if b, err = netorcai.AppendGameStarts(b, netorcai.GameStarts{
			PlayerID: id, NbPlayers: players, NbTurnsMax: turns, State: []byte(`{}`),
		}); err != nil {
			return nil, err
		}
	}
	if b, err = appendConstantTurn(b, turnBytes); err != nil {
		return nil, err
	}
	return netorcai.AppendGameEnds(b, -1, []byte(`{}`))
}

// appendConstantTurn appends a TURN of the given size in bytes, or the smallest.
func appendConstantTurn(b []byte, size int) ([]byte, error) {
	empty, err := netorcai.AppendTurn(nil, 0, []byte(`{"cells":""}`), nil)
	if err != nil {
		return nil, err
	}
	state := `{"cells":"` + strings.Repeat("x", max(0, size-len(empty))) + `"}`
	return netorcai.AppendTurn(b, 0, []byte(state), nil)
}
