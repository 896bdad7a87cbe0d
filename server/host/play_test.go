package host_test

import (
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/servertest"
)

// An alternating game that ends early is played over the same protocol: no layer below
// the game depends on hexabomb.
func TestAlternatingGameOverTCP(t *testing.T) {
	n := &inputLog{}
	h := openHost(t, options{Options: host.Options{Linger: 50 * time.Millisecond}, spec: host.Spec{
		Settings: match.Settings{Turns: 100, Players: 2}, Autostart: true,
		Game: game(enginetest.NewToy()), Watchers: []match.Watcher{n},
	}})
	var clients sync.WaitGroup
	var stories [2]*clientLog
	for i := range stories {
		c := h.login(fmt.Sprint("bot", i), "player")
		clients.Go(func() { stories[i] = follow(t, c, func(int) string { return `[{"take":1}]` }) })
	}
	clients.Wait()
	e := h.end()
	if e.Err != nil || e.Steps >= 100 || e.Winner == engine.NoPlayer {
		t.Fatalf("match ended with %+v, want an early win", e)
	}
	states, winner := replay(t, enginetest.NewToy(), n)
	for _, s := range stories {
		if string(s.end.State) != states[len(states)-1] || s.end.Winner != int(winner) {
			t.Errorf("GAME_ENDS %s, want winner %d and %s", s.end.Raw, winner, states[len(states)-1])
		}
	}
}

// A client that stops reading does not delay others, however large the board.
func TestClientThatStopsReading(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	overWires(t, func(t *testing.T, w wire) {
		// On a busy machine, the clients take longer than usualLinger to read 1.7 MB.
		h := openHost(t, options{Options: host.Options{Linger: time.Minute}, spec: host.Spec{
			Settings: match.Settings{Turns: 40, Players: 2, Visus: 2}, Autostart: true,
			Game: game(hexabomb.New(hexagon(150, 2))), // 68 000 cells, 1.7 MB a state
			Pace: func(match.Settings) match.Pace { return match.Timer(0, 5*time.Millisecond) },
		}})
		stuckVisu := w.login(h, "stuck1", "visualization")
		w.login(h, "stuck2", "visualization")
		stuck := w.login(h, "stuck3", "player")
		reads := w.login(h, "reads", "player")
		got := follow(t, reads, func(int) string { return "[]" })
		if string(got.end.State) == "" {
			t.Fatal("the match did not end for the client that reads")
		}
		// Clients that stopped reading receive what was sent before, and the end. They
		// read concurrently, because the server waits for them only so long.
		var all sync.WaitGroup
		for _, c := range []*servertest.Client{stuckVisu, stuck} {
			all.Go(func() {
				var story []string
				head, err := c.Head()
				for ; err == nil; head, err = c.Head() {
					if kind, _, _ := strings.Cut(head, ","); len(story) == 0 || story[len(story)-1] != kind {
						story = append(story, kind)
					}
				}
				want := []string{
					`{"message_type":"GAME_STARTS"`, `{"message_type":"TURN"`, `{"message_type":"GAME_ENDS"`,
					`{"message_type":"KICK"`,
				}
				if !slices.Equal(story, want) {
					t.Errorf("a client that had stopped read %q, want %q", story, want)
				}
			})
		}
		all.Wait()
	})
}

// A client that answers without reading cannot make the server queue its messages
// without bound.
func TestBlindAnswers(t *testing.T) {
	thorough.Full(t)
	overWires(t, func(t *testing.T, w wire) {
		const turns = 60
		h := open(t, host.Spec{
			Settings: match.Settings{Turns: turns, Players: 2}, Autostart: true,
			Game: game(hexabomb.New(hexagon(150, 2))), // 1.7 MB a state
		})
		blind, clock := w.login(h, "blind", "player"), w.login(h, "clock", "player")
		var answers sync.WaitGroup
		answers.Go(func() {
			for turn := range turns {
				ack := fmt.Sprintf(`{"message_type":"TURN_ACK","turn_number":%d,"actions":[]}`, turn)
				if _, err := blind.Write(servertest.Frame(ack)); err != nil {
					return
				}
			}
		})
		follow(t, clock, func(int) string { return "[]" })
		answers.Wait()
		shown := 0
		for {
			head, err := blind.Head()
			if err != nil {
				break
			}
			if strings.HasPrefix(head, `{"message_type":"TURN"`) {
				shown++
			}
		}
		if shown > 20 { // the capacity of the socket buffers
			t.Errorf("%d TURNs of %d were sent to a client that does not read", shown, turns)
		}
	})
}

// A client that has closed its sending side still receives everything.
func TestHalfClosedClient(t *testing.T) {
	thorough.Long(t)
	h := open(t, host.Spec{
		Settings: match.Settings{Turns: 2, Players: 1, Visus: 1},
		Game:     game(hexabomb.New(hexagon(250, 1))), // 5 MB per state, more than the socket buffers
		Pace:     func(match.Settings) match.Pace { return match.Timer(time.Hour, time.Hour) },
	})
	c := h.login("x", "player")
	h.start()
	c.CloseWrite()
	c.Expect("GAME_STARTS")
	c.ExpectKick("Cannot read TURN_ACK. Remote endpoint closed? Read error: EOF")
}

// The match starts as soon as all seats are taken.
func TestAutostart(t *testing.T) {
	h := open(t, host.Spec{Settings: match.Settings{Turns: 3}, Autostart: true})
	if e := h.end(); e.Err != nil || e.Steps != 3 {
		t.Errorf("a match without seats ended with %+v", e)
	}
	h = open(t, host.Spec{Settings: match.Settings{Turns: 3, Players: 2}, Autostart: true})
	c := h.login("alone", "player")
	h.room.Match().Update(func(s *match.Settings) { s.Players = 1 })
	c.Expect("GAME_STARTS")
}

// A slow client skips turns: when it answers it is sent the newest one. It is sent the
// end of the game even if it does not answer.
func TestSlowClientSkipsTurns(t *testing.T) {
	overWires(t, func(t *testing.T, w wire) {
		h := open(t,
			host.Spec{Settings: match.Settings{Turns: 10, Players: 1, Visus: 2}, Autostart: true})
		slow, next := w.login(h, "slow", "visualization"), w.login(h, "next", "visualization")
		fast := w.login(h, "fast", "player")
		for _, c := range []*servertest.Client{slow, next, fast} {
			c.Expect("GAME_STARTS")
			c.Expect("TURN")
		}
		for turn := range 5 {
			fast.Answer(turn, "")
			fast.Expect("TURN")
			next.Answer(turn, "")
			next.Expect("TURN") // players get a turn first; now it has been sent to the slow client as well
		}
		slow.Answer(0, "")
		if m := slow.Expect("TURN"); m.Turn != 5 {
			t.Errorf("the slow client received TURN %d, want 5", m.Turn)
		}
		for turn := 5; turn < 9; turn++ {
			fast.Answer(turn, "")
		}
		slow.Expect("GAME_ENDS")
		slow.ExpectKick("Game is finished")
	})
}

// A client that leaves before the start frees its seat.
func TestLeavingTheLobby(t *testing.T) {
	overWires(t, func(t *testing.T, w wire) {
		h := open(t, host.Spec{Settings: match.Settings{Turns: 1, Players: 1}})
		w.login(h, "leaves", "player").Close()
		for deadline := time.Now().Add(30 * time.Second); ; {
			c := w.dial(h)
			c.SendLogin("comes", "player")
			if m, err := c.Receive(); err == nil && m.Type == "LOGIN_ACK" {
				return
			}
			if time.Now().After(deadline) {
				t.Fatal("the seat is not free again")
			}
		}
	})
}

// A visualization that logs in during a match is sent the current turn at once.
func TestLateVisualization(t *testing.T) {
	overWires(t, func(t *testing.T, w wire) {
		h := open(t, host.Spec{
			Settings: match.Settings{Turns: 3, Players: 1, Visus: 2},
		})
		p := w.login(h, "bot", "player")
		h.start()
		start := p.Expect("GAME_STARTS")
		p.Expect("TURN")
		p.Answer(0, "")
		turn := p.Expect("TURN")
		late := w.login(h, "late", "visualization")
		if got := late.Expect("GAME_STARTS"); string(got.Initial) != string(start.Initial) ||
			got.PlayerID != -1 {
			t.Errorf("GAME_STARTS %s", got.Raw)
		}
		if got := late.Expect("TURN"); got.Turn != 1 || string(got.State) != string(turn.State) ||
			len(got.Infos) != 1 {
			t.Errorf("TURN %s", got.Raw)
		}
		late.Answer(1, "")
		p.Answer(1, "")
		late.Expect("GAME_ENDS")
		late.ExpectKick("Game is finished")
	})
}

// A client that leaves is shown as disconnected, and the match continues.
func TestDisconnect(t *testing.T) {
	overWires(t, func(t *testing.T, w wire) {
		h := open(t, host.Spec{
			Settings: match.Settings{Turns: 50, Players: 2, Visus: 1}, Autostart: true,
		})
		visu := w.login(h, "visu", "visualization")
		stays, leaves := w.login(h, "stays", "player"), w.login(h, "leaves", "player")
		for _, c := range []*servertest.Client{visu, stays, leaves} {
			c.Expect("GAME_STARTS")
			c.Expect("TURN")
		}
		leaves.Close()
		stays.Answer(0, "")
		stays.Expect("TURN") // sent when no answer is awaited any more
		visu.Answer(0, "")
		for _, info := range visu.Expect("TURN").Infos {
			if want := info.Nickname == "stays"; info.Connected != want {
				t.Errorf("%s is_connected = %v, want %v", info.Nickname, info.Connected, want)
			}
			if _, _, err := net.SplitHostPort(info.Remote); err != nil {
				t.Errorf("remote_address %q: %v", info.Remote, err)
			}
		}
	})
}

// An abort reaches all clients within a second, and the last bytes arrive.
func TestAbort(t *testing.T) {
	thorough.Long(t)
	overWires(t, func(t *testing.T, w wire) {
		h := open(t, host.Spec{
			Settings: match.Settings{Turns: 50, Players: 3, Visus: 1},
			Game:     game(hexabomb.New(hexagon(150, 3))),
			Pace:     func(match.Settings) match.Pace { return match.Timer(0, time.Hour) },
		})
		reads, stuck, unborn := w.login(h, "reads", "player"), w.login(h, "stuck", "player"), w.dial(h)
		h.start()
		reads.Expect("GAME_STARTS")
		reads.Expect("TURN")
		begun := time.Now()
		h.stop()
		reads.ExpectKick("netorcai abort")
		unborn.ExpectKick("netorcai abort")
		h.end()
		if d := time.Since(begun); d > 10*time.Second {
			t.Errorf("the abort took %v", d)
		}
		_, _ = io.Copy(io.Discard, stuck) // it never read, and its connection was closed
	})
}

// A client that asks for it in its LOGIN learns once that the match goes on without its answer;
// others do not.
func TestTurnOver(t *testing.T) {
	h := open(t, host.Spec{Settings: match.Settings{Turns: 10, Players: 1, Visus: 2}, Autostart: true})
	slow, other := wires[0].dial(h), h.login("other", "visualization")
	slow.Send(`{"message_type":"LOGIN","nickname":"slow","role":"visualization","metaprotocol_version":"2.0.0","turn_over":true}`)
	slow.Expect("LOGIN_ACK")
	fast := h.login("fast", "player")
	for _, c := range []*servertest.Client{slow, other, fast} {
		c.Expect("GAME_STARTS")
		c.Expect("TURN")
	}
	for turn := range 3 {
		fast.Answer(turn, "")
		fast.Expect("TURN")
	}
	if m := slow.Expect("TURN_OVER"); m.Turn != 0 {
		t.Errorf("the client received TURN_OVER %d, want 0", m.Turn)
	}
	slow.Answer(0, "")
	if m := slow.Expect("TURN"); m.Turn == 0 {
		t.Error("the client received TURN 0 again")
	}
	other.Answer(0, "")
	other.Expect("TURN")
}
