package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/recording"
)

// A bot whose process ends with an error has crashed only if it had a part in the match then: not
// if it has received GAME_ENDS, nor if it was kicked. The result and the recording agree on that.
func TestPlayExitCodes(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	// The second bot hangs up instead of answering the last TURN, and goes on. The host waits for its
	// last words, so that the first has ended before the recording does.
	const second = " play-test-bot leave 4"
	for _, tt := range []struct{ task, status, exit, recorded string }{
		{"fine 0", "ok", "exit code 1", "exit code 1"},
		{"cheat 3", "left early", "exit code 6", "exit code 6"},
		{"crash 3", "crashed", "exit code 9", "crashed: exit code 9"},
	} {
		t.Run(tt.task, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			r := resultOf(t, "--turns", "6", "--port", "0", "--record", folder,
				os.Args[0]+" play-test-bot "+tt.task, os.Args[0]+second)
			if status, exit := get(t, r, "seats/0/status"), get(t, r, "seats/0/exit"); status != tt.status ||
				exit != tt.exit {
				t.Errorf("result: %v, %v, want %s, %s", status, exit, tt.status, tt.exit)
			}
			id, _ := get(t, r, "seats/0/id").(float64)
			// On a busy machine the recording may end first.
			if got := endRecorded(t, folder, engine.PlayerID(id)); got != tt.recorded && got != "" {
				t.Errorf("recording: %q, want %q", got, tt.recorded)
			}
		})
	}
}

// endRecorded returns how a player's process ended by the only recording in a folder; empty: it did
// not.
func endRecorded(t *testing.T, folder string, player engine.PlayerID) string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*"+recording.Extension))
	if err != nil || len(paths) != 1 {
		t.Fatalf("recordings %q, %v, want one", paths, err)
	}
	file, err := recording.Open(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var printed []recording.Output
	for turn, err := range file.Turns() {
		if err != nil {
			t.Fatal(err)
		}
		printed = append(printed, turn.Printed...)
	}
	for _, o := range append(printed, file.End().Printed...) {
		if o.Player == player && o.Ended != "" {
			return o.Ended
		}
	}
	return ""
}
