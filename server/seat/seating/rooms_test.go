package seating_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/result"
	"github.com/hexarena/hexarena/server/seat/direct"
	"github.com/hexarena/hexarena/server/seat/seating"
)

// Several rooms of a host start bots at once: each bot gets its seat in the room that started it,
// whichever port it calls.
func TestRoomsThatStartBots(t *testing.T) {
	thorough.Long(t)
	t.Parallel()
	for _, ports := range []bool{false, true} {
		h, err := host.Open(host.Options{Bind: "127.0.0.1", Linger: 5 * time.Second, Log: zerolog.Nop()})
		if err != nil {
			t.Fatal(err)
		}
		var playing sync.WaitGroup
		for n := range 3 {
			a := open(t, Options{
				Seats: seats(t, "(fine -1)", "walker", "(fine -1)"), Seed: uint64(n),
				Host: h, StaysOn: true,
				Options: seating.Options{Launch: seating.Launch{OwnPorts: ports}},
				Once:    seating.Once{Strict: true},
			})
			playing.Go(func() {
				r := a.Play(t.Context())
				if r.Err != nil || r.Seed != uint64(n) {
					t.Errorf("room %d: %v", n, r.Err)
				}
				for _, s := range r.Seats {
					if s.Status != result.Held || s.Answers != 9 || s.Untraced || len(s.Remarks) > 0 {
						t.Errorf("room %d, ports of their own %v: %+v, want it to have played", n, ports, s)
					}
				}
			})
		}
		playing.Wait()
		h.Shutdown(t.Context())
	}
}

// Without Once, a bot that fails before the start is started again.
func TestBotIsStartedAgain(t *testing.T) {
	thorough.Long(t)
	t.Parallel()
	dir := t.TempDir()
	h, err := host.Open(host.Options{Bind: "127.0.0.1", Linger: 5 * time.Second, Log: zerolog.Nop()})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Shutdown(t.Context())
	room, err := h.Start(t.Context(), host.Spec{
		Game: instance(hexabomb.New(hexagon())), Settings: match.Settings{Turns: 10, Players: 2},
		Autostart: true, Pace: fast(0),
		Seats: seats(t, "walker", "(second "+dir+")"),
		Bots: seating.Options{
			Options: direct.Options{Builtin: builtin}, Launch: seating.Launch{Timeout: time.Minute},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	r := room.Wait()
	if s := r.Report().Seats[1]; r.Err != nil || s.Status != result.Held || s.Answers != 9 {
		t.Errorf("%v, %+v, want the bot to play the match when it is started again", r.Err, s)
	}
}

// The recording has what a bot printed before it crashed, and how it ended, though the match goes
// on at full speed.
func TestLastWords(t *testing.T) {
	thorough.Long(t)
	board := hexagon()
	h, err := host.Open(host.Options{
		Bind: "127.0.0.1", Linger: 5 * time.Second, Log: zerolog.Nop(),
		Recordings: &host.Recordings{Dir: t.TempDir()},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Shutdown(t.Context())
	for range 5 {
		a := open(t, Options{
			Game: games.Instance{
				New: func() engine.Game { return hexabomb.New(board) }, Setup: board.AppendJSON(nil),
			},
			Seats: seats(t, "(crash 8)", "walker"), Host: h, StaysOn: true,
		})
		a.Play(t.Context())
		r := a.room.Wait()
		if said := printed(t, r.Recording); !slices.Contains(said, "Traceback: it went wrong") ||
			!slices.Contains(said, "crashed: exit code 9") {
			t.Errorf("the recording has %q, want the last words of the bot and how it ended", said)
		}
	}
}

// printed returns all lines that bots printed in a recording, and how they ended.
func printed(t *testing.T, path string) (lines []string) {
	t.Helper()
	file, err := recording.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for turn, err := range file.Turns() {
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range turn.Printed {
			lines = append(lines, strings.Join(o.Lines, "\n"), o.Ended)
		}
	}
	for _, o := range file.End().Printed {
		lines = append(append(lines, o.Lines...), o.Ended)
	}
	return strings.Split(strings.Join(lines, "\n"), "\n")
}
