package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
)

// TestKilled kills matches at random moments: every recording opens, verifies, and holds
// all turns except the one being played. HEXARENA_KILLS sets the number of matches.
func TestKilled(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	kills := thorough.Size(4, 20)
	if text := os.Getenv("HEXARENA_KILLS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		kills = n
	}
	rnd := rand.New(rand.NewPCG(uint64(kills), 1))
	total, shown := 0, 0
	for range kills {
		v, n := playKilled(t, time.Duration(rnd.IntN(200))*time.Millisecond)
		total += v
		shown += n
	}
	t.Logf("%d kills, %d turns recorded, %d with what a bot printed and showed", kills, total, shown)
	if total > 10*kills && shown == 0 {
		t.Error("no recording has the output and debug data of a bot")
	}
}

// playChattyBot runs a bot that prints and sends debug data in every turn.
func playChattyBot() {
	ctx := context.Background()
	c, err := netorcai.Dial(ctx, net.JoinHostPort(os.Getenv("BOT_HOST"), os.Getenv("BOT_PORT")),
		netorcai.Login{Nickname: os.Getenv("BOT_NICKNAME"), Role: netorcai.RolePlayer})
	if err == nil {
		_, err = c.Start(ctx)
	}
	for err == nil {
		var turn *netorcai.Turn
		if turn, _, err = c.Next(ctx); err != nil || turn == nil {
			break
		}
		fmt.Println("turn", turn.Number, strings.Repeat("é\"\\", 40))
		c.Show(
			netorcai.Debug{
				Text: strings.Repeat("hm ", 100), Values: map[string]float64{"turn": float64(turn.Number)},
			},
		)
		err = c.Answer(ctx, turn.Number, nil)
	}
}

// playKilled plays a match that is killed some time after its start. It returns the number
// of turns in its recording, and of those with output or debug data of a bot. Before the
// first turn, the initial board may be missing.
func playKilled(t *testing.T, after time.Duration) (turns, shown int) {
	t.Helper()
	dir := t.TempDir()
	addr := net.JoinHostPort("127.0.0.1", strconv.Itoa(freePort(t)))
	_, port, _ := net.SplitHostPort(addr)
	cmd := command(t, "play", "--turns", "65535", "--http", "", "--port", port, "random", "random",
		"random", program(t, "chatterbox").Path)
	cmd.Dir = dir
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	seen := watch(t, addr, func() { time.AfterFunc(after, func() { _ = cmd.Process.Kill() }) })
	_ = cmd.Wait()

	files, err := filepath.Glob(filepath.Join(dir, "recordings", "*"))
	if err != nil || len(files) > 1 || len(files) == 0 && seen > 0 {
		t.Fatalf("the folder holds %v, want one recording", files)
	}
	if len(files) == 0 {
		return 0, 0
	}
	r, err := recording.Open(files[0])
	if errors.Is(err, recording.ErrEmpty) && seen == 0 {
		return 0, 0
	}
	if err != nil {
		t.Fatalf("killed %v after the start: %v", after, err)
	}
	defer r.Close()
	replay, err := recording.NewReplay(r, gameList.Replay)
	if err != nil {
		t.Fatal(err)
	}
	for {
		turn, err := replay.Next()
		if err != nil {
			if turns = max(0, r.Step()); err != io.EOF || r.End() != nil || turns < seen-1 {
				t.Errorf("killed %v after the start: %d turns, ended %v, %v; want at least %d turns, cut",
					after, turns, r.End(), err, seen-1)
			}
			return turns, shown
		}
		thinks := slices.ContainsFunc(turn.Inputs,
			func(in recording.Input) bool { return in.Debug != nil })
		if thinks && len(turn.Printed) > 0 {
			shown++
		}
	}
}

// watch watches until the server ends, and returns the number of turns it has seen. It
// calls begun once, at the start of the match.
func watch(t *testing.T, addr string, begun func()) (turns int) {
	t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	c := dialRetrying(ctx, t, addr)
	defer c.Close()
	if _, err := c.Start(ctx); err != nil {
		t.Fatal(err)
	}
	begun()
	for {
		turn, _, err := c.Next(ctx)
		if err != nil {
			return turns
		}
		if turn == nil {
			t.Fatal("the match ended before it was killed")
		}
		turns = turn.Number + 1
		if c.Answer(ctx, turn.Number, nil) != nil {
			return turns
		}
	}
}

// dialRetrying logs a visualization in, repeatedly until the server listens.
func dialRetrying(ctx context.Context, t *testing.T, addr string) *netorcai.Client {
	t.Helper()
	again := time.NewTicker(time.Millisecond)
	defer again.Stop()
	for {
		c, err := netorcai.Dial(ctx, addr,
			netorcai.Login{Nickname: "witness", Role: netorcai.RoleVisualization})
		if err == nil {
			return c
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			t.Fatalf("no server listens: %v", err)
		}
	}
}

// A recording of a match with an external game logic holds the states as received.
func TestReplayExternal(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	dir := t.TempDir()
	r := recording.New(recording.Options{Dir: dir, Program: "test", Seed: 1})
	frame := &match.Frame{State: []byte(`{"stones": 3}`), Table: match.Table{
		Players: 1, Settings: match.Settings{Turns: 3},
		Seats: []match.SeatInfo{{Candidate: match.Candidate{Nickname: "ann", Remote: "there"}}},
	}}
	r.Started(frame)
	for step := 1; step <= 3; step++ {
		frame.State = fmt.Appendf(nil, `{"stones": %d}`, 3-step)
		p := &match.Play{Step: step, Frame: frame, Result: engine.Result{Winner: 0}}
		p.Answers = []match.Answer{{Input: engine.Input{Turn: step - 2, Actions: []byte(`[{"take":1}]`)}}}
		r.Played(p)
	}
	r.Ended(&match.Ending{Steps: 3, Winner: 0})
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		args string
		ok   bool
		want string
	}{
		{"verify", true, "3 turns, intact; the rules ran in another program"},
		{"show", true, "external, 3 of 3 turns, seed 1"},
		{"show", true, "ann   0    -    -        0  0\n\nThe rules ran in another program, which gave " +
			"no figures.\n"},
		{"show --turn 1", true, "answered TURN 1 after 0.000 ms:\n  take 1\n"},
		{"show --turn 1 --seat 0", true, `{"message_type":"TURN","turn_number":1,"game_state":{"stones": 1},`},
		{"export --format json", true, `"state":{"stones":0}}`},
		{"export --format csv", false, "gave no figures"},
		{"export --format svg", false, `there are no pictures of matches whose rules are "external"`},
		{"export --format png", false, `there are no pictures of matches whose rules are "external"`},
		{"export --format gif", false, `there are no pictures of matches whose rules are "external"`},
	}
	for _, tt := range tests {
		words := strings.Fields(tt.args)
		cmd := command(t, append([]string{"replay", words[0], r.Path()}, words[1:]...)...)
		out, err := cmd.CombinedOutput()
		if (err == nil) != tt.ok || !strings.Contains(string(out), tt.want) {
			t.Errorf("replay %s: %v, %s; want %s", tt.args, err, out, tt.want)
		}
	}
}
