package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/netorcai"
)

// hangingBot gives no answers from a turn on until it is released.
type hangingBot struct {
	netorcai.Bot
	released <-chan struct{}
}

func (b *hangingBot) Turn(m netorcai.Turn) ([]byte, error) {
	if m.Number > 0 {
		<-b.released
	}
	return b.Bot.Turn(m)
}

// A bot that gives no more answers costs its match five turns, holds up no later round, and plays
// on once it answers.
func TestEventHungBot(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	e := startEvent(t, filepath.Join(t.TempDir(), "event"), "--rounds", "ready", "--turns", "12",
		"--turn-timeout", "1s", "--map", "pebble", "--seats", "2")
	tokens := e.signUp("Ann", "Bob", "Carl")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	released := make(chan struct{})
	var hanging sync.WaitGroup
	hanging.Go(func() {
		c, err := netorcai.Dial(ctx, e.addr,
			netorcai.Login{Nickname: "carl", Role: netorcai.RolePlayer, Token: tokens[2], Stay: true})
		if err != nil {
			t.Error(err)
			return
		}
		defer c.Close()
		_ = c.PlayAll(ctx, func(netorcai.GameStarts) (netorcai.Bot, error) {
			painter, err := gameList[0].NewBuiltin("painter", 1)
			return &hangingBot{painter, released}, err
		})
	})
	defer hanging.Wait()
	defer stop()
	defer e.connect(ctx, tokens[:2])()
	defer stop()
	rowsOf := func() []string {
		text, err := os.ReadFile(filepath.Join(e.dir, "log.ndjson"))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		return strings.SplitAfter(string(text), "\n")
	}
	count := func(name string) (n int) {
		for _, row := range rowsOf() {
			if strings.Contains(row, name) {
				n++
			}
		}
		return n
	}
	await := func(ok func() bool) {
		t.Helper()
		for range time.Tick(5 * time.Millisecond) {
			if ok() {
				return
			}
		}
	}
	await(func() bool { return count(`"hung"`) > 0 })
	e.awaitRows(len(rowsOf()) + 3)
	if n := count("Carl"); n != 1 {
		t.Errorf("a bot that does not answer plays %d matches, want one", n)
	}
	await(func() bool { return strings.Contains(e.get("/team/Carl"), "ceased to answer") })
	close(released)
	await(func() bool { return count("Carl") > 2 })
	if n := count(`"hung"`); n != 1 {
		t.Errorf("a bot that answers again is hung in %d matches, want one", n)
	}
	e.quit()
}
