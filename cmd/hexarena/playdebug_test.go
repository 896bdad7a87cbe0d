package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/netorcai"
)

// held is a bot that is held at its first turn, as at a breakpoint.
type held struct {
	idle
	asked   chan<- struct{} // closed when it is
	release <-chan struct{}
}

func (h held) Turn(t netorcai.Turn) ([]byte, error) {
	if t.Number == 0 {
		close(h.asked)
		<-h.release
	}
	return []byte("[]"), nil
}

// A turn waits for a bot that says that a debugger is attached, and for one that the user starts
// unless the user sets a limit. The others keep their limit.
func TestPlayDebugged(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	const limit = 50 * time.Millisecond
	for _, tt := range []struct {
		name     string
		debugger bool
		flags    []string
		says     string
		untimed  bool
	}{
		{"debugger", true, []string{
			"--turn-timeout=50ms",
		}, "ann is being debugged: turns wait for it without a time limit", true},
		{"limit", false, []string{"--turn-timeout=50ms"}, "", false},
		{"no limit set", false, nil, "turns wait for ann without a time limit; --turn-timeout 10s sets " +
			"one", true},
		{"debugger with timer", true, []string{
			"--pace=timer", "--delay-turns=50",
		}, "ann is being debugged: turns wait for it without a time limit", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			args := append(
				[]string{"play", "--json", "--port=0", "--http=", "--turns=4", "wait:ann", "painter"},
				tt.flags...)
			cmd := command(t, args...)
			var out strings.Builder
			cmd.Stdout = &out
			lines := startLines(t, cmd)
			lines.Scan()
			at := waitsAt.FindStringSubmatch(lines.Text())
			if at == nil {
				t.Fatalf("play says %q, %v", lines.Text(), lines.Err())
			}
			c, err := netorcai.Dial(t.Context(), at[1]+":"+at[2], netorcai.Login{Nickname: "ann", Role: netorcai.RolePlayer, Debugger: tt.debugger})
			if err != nil {
				t.Fatal(err)
			}
			asked, release := make(chan struct{}), make(chan struct{})
			go func() {
				<-asked
				time.AfterFunc(4*limit, func() { close(release) }) // what is to be shown is that time passes
			}()
			if err := c.Play(t.Context(), held{asked: asked, release: release}); err != nil {
				t.Error(err)
			}
			var said []string
			for lines.Scan() {
				said = append(said, lines.Text())
			}
			if err := cmd.Wait(); err != nil {
				t.Errorf("play: %v", err)
			}
			if tt.says != "" != slices.Contains(said, tt.says) {
				t.Errorf("play says %q, want %q", said, tt.says)
			}
			var report struct {
				Seats []struct {
					Skipped int
					Untimed bool
				}
			}
			if err := json.Unmarshal([]byte(out.String()), &report); err != nil {
				t.Fatalf("%v in %s", err, &out)
			}
			ann := report.Seats[0]
			if ann.Untimed != tt.untimed || (ann.Skipped == 0) != tt.untimed {
				t.Errorf("ann: %+v, want untimed %v", ann, tt.untimed)
			}
			verifiedIn(t, filepath.Join(cmd.Dir, "recordings"), 1)
		})
	}
}

// Ctrl-C ends a match that waits for a bot in a debugger.
func TestPlayDebuggedInterrupted(t *testing.T) {
	t.Parallel()
	cmd := command(t, "play", "--port=0", "--http=", "wait:ann", "painter")
	lines := startLines(t, cmd)
	lines.Scan()
	at := waitsAt.FindStringSubmatch(lines.Text())
	if at == nil {
		t.Fatalf("play says %q, %v", lines.Text(), lines.Err())
	}
	c, err := netorcai.Dial(t.Context(), at[1]+":"+at[2], netorcai.Login{Nickname: "ann", Role: netorcai.RolePlayer, Debugger: true})
	if err != nil {
		t.Fatal(err)
	}
	asked, release := make(chan struct{}), make(chan struct{})
	done := make(chan error, 1)
	go func() { done <- c.Play(t.Context(), held{asked: asked, release: release}) }()
	<-asked
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	for lines.Scan() {
	}
	if err := cmd.Wait(); err == nil {
		t.Error("the match was interrupted, and play reports a success")
	}
	close(release)
	<-done
}
