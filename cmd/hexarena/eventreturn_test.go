package main

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/event/state"
)

// A bot that closes its connection and dials again gets its seat back, and its turn ends once all
// have answered. In an official match it gets it only with the version that was frozen; one that
// says another version is told so, whether or not the seat is taken.
func TestEventReturningBot(t *testing.T) {
	t.Parallel()
	e := startEvent(t, filepath.Join(t.TempDir(), "event"), "--rounds", "operator", "--send", "off",
		"--map", "pebble", "--seats", "2")
	tokens := e.signUp("Ann", "Bob")
	ctx := t.Context()
	dial := func(token, digest string) *netorcai.Client {
		t.Helper()
		c, err := netorcai.Dial(ctx, e.addr,
			netorcai.Login{Nickname: "a", Role: netorcai.RolePlayer, Token: token, Stay: true, Code: digest})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	start := func(c *netorcai.Client) {
		t.Helper()
		if _, err := c.Start(ctx); err != nil {
			t.Fatal(err)
		}
	}
	next := func(c *netorcai.Client, want int) {
		t.Helper()
		if turn, _, err := c.Next(ctx); err != nil || turn == nil || turn.Number != want {
			t.Fatalf("TURN %d does not come: %+v, %v", want, turn, err)
		}
	}
	answer := func(c *netorcai.Client, turn int) {
		t.Helper()
		if err := c.Answer(ctx, turn, []byte("[]")); err != nil {
			t.Fatal(err)
		}
	}
	// Bob's bot thinks about turn 1 of the first two matches until it is released, so that they are
	// not over before.
	first, second, rest := make(chan struct{}), make(chan struct{}), make(chan struct{})
	close(rest)
	released := []chan struct{}{first, second}
	bob := dial(tokens[1], "two")
	defer bob.Close()
	go func() {
		_ = bob.PlayAll(ctx, func(netorcai.GameStarts) (netorcai.Bot, error) {
			until := rest
			if len(released) > 0 {
				until, released = released[0], released[1:]
			}
			painter, err := gameList[0].NewBuiltin("painter", 1)
			return &hangingBot{painter, until}, err
		})
	}()
	ann := dial(tokens[0], "one")
	for _, token := range tokens {
		e.awaitTeam(token, func(team map[string]any) bool { return team["ready"] == true })
	}
	e.typeLines("freeze")
	start(ann)
	next(ann, 0)
	answer(ann, 0)
	next(ann, 1)
	refused := func() {
		t.Helper()
		changed := dial(tokens[0], "changed")
		defer changed.Close()
		kick := (*netorcai.KickError)(nil)
		if _, err := changed.Start(ctx); !errors.As(err, &kick) ||
			!strings.HasPrefix(kick.Reason, "Versions are frozen") {
			t.Fatalf("a bot with another version takes the seat: %v", err)
		}
	}
	for range 3 {
		refused()
		_ = ann.Close()
		refused()
		ann = dial(tokens[0], "one")
		start(ann)
		next(ann, 1)
	}
	answer(ann, 1)
	close(first)
	for {
		got, ends, err := ann.Next(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if ends != nil {
			break
		}
		answer(ann, got.Number)
	}
	start(ann) // of the next match
	_ = ann.Close()
	refused()
	close(second)
	for range time.Tick(5 * time.Millisecond) {
		var official state.Official
		if err := json.Unmarshal([]byte(e.get("/event/official")), &official); err != nil {
			t.Fatal(err)
		}
		if official.Matches > 0 {
			break
		}
	}
	shows := func(text string) {
		t.Helper()
		for page := ""; !strings.Contains(page, text); {
			if page = e.get("/team/Ann?part=live"); strings.Contains(page, "changed") {
				t.Fatalf("the page shows all which version it is:\n%s", page)
			}
		}
	}
	shows("its last bot was disconnected, as it is another version than the one that was frozen")
	changed := dial(tokens[0], "changed")
	shows(
		"its bot is another version than the one that was frozen; it plays when that one is connected")
	if steps := e.text("/team/Ann/steps", tokens[0]); !strings.Contains(steps, "says that it is version changed") || !strings.Contains(steps, "version one.") {
		t.Errorf("the team is told\n%s", steps)
	}
	_ = changed.Close()
	ann = dial(tokens[0], "one")
	defer ann.Close()
	// the next official match may begin at once, and then the team is not ready any more
	begun := make(chan error, 1)
	go func() {
		_, err := ann.Start(ctx)
		begun <- err
	}()
	e.awaitTeam(tokens[0], func(team map[string]any) bool {
		select {
		case err := <-begun:
			if err != nil {
				t.Error(err)
			}
			return true
		default:
			return team["ready"] == true
		}
	})
	e.quit()
}
