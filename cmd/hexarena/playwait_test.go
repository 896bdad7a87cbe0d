package main

import (
	"path/filepath"
	"regexp"
	"testing"

	"github.com/hexarena/hexarena/protocol/netorcai"
)

// progressLine is what play says of a match that takes longer than a second.
var progressLine = regexp.MustCompile(`^turn \d of 8$`)

// waitsAt is what play says of a wait seat.
var waitsAt = regexp.MustCompile(`^waiting for a bot that you start yourself, to log in at host (127\.0\.0\.1), port (\d+), with the nickname ann, until Ctrl-C$`)

// play says where a bot that the user starts has to log in, seats it, also with --strict,
// and records the match.
func TestPlayWait(t *testing.T) {
	t.Parallel()
	cmd := command(t, "play", "--port=0", "--http=", "--turns=8", "--strict", "--start-timeout=1ms",
		"wait:ann", "painter")
	lines := startLines(t, cmd)
	lines.Scan()
	at := waitsAt.FindStringSubmatch(lines.Text())
	if at == nil {
		t.Fatalf("play says %q, %v, want %s", lines.Text(), lines.Err(), waitsAt)
	}
	c, err := netorcai.Dial(t.Context(), at[1]+":"+at[2], netorcai.Login{Nickname: "ann", Role: netorcai.RolePlayer})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Play(t.Context(), idle{}); err != nil {
		t.Error(err)
	}
	lines.Scan()
	if want := "turns wait for ann without a time limit; --turn-timeout 10s sets one"; lines.Text() != want {
		t.Errorf("play says %q, want %q", lines.Text(), want)
	}
	for lines.Scan() {
		if !progressLine.MatchString(lines.Text()) {
			t.Errorf("play says %q, want nothing more", lines.Text())
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("play: %v", err)
	}
	verifiedIn(t, filepath.Join(cmd.Dir, "recordings"), 1)
}

// idle answers without actions.
type idle struct{}

func (idle) Start(netorcai.GameStarts) error { return nil }

func (idle) Turn(netorcai.Turn) ([]byte, error) { return []byte("[]"), nil }

func (idle) End(netorcai.GameEnds) {}
