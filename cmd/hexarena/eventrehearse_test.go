package main

import (
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// A rehearsal plays matches with bots of all kinds, says what broke, and leaves nothing; neither
// does one that is interrupted.
func TestEventRehearse(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	for _, interrupted := range []bool{false, true} {
		temp := t.TempDir()
		duration := "3s"
		if interrupted {
			duration = "10m"
		}
		cmd := command(t, "event", "rehearse", "--teams", "6", "--duration", duration, "--turns", "8",
			"--map", "pebble", "--turn-timeout", "2s")
		cmd.Env = append(cmd.Environ(), "TMPDIR="+temp, "TMP="+temp)
		var out, failures strings.Builder
		cmd.Stderr = &failures
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		line := make([]byte, 4096)
		for n := 0; ; {
			if n, err = stdout.Read(line); err != nil {
				break
			}
			out.Write(line[:n])
			if interrupted && runtime.GOOS != "windows" {
				_ = cmd.Process.Signal(os.Interrupt)
			} else if interrupted {
				_ = cmd.Process.Kill()
			}
		}
		err = cmd.Wait()
		out.WriteString(failures.String())
		if interrupted == (err == nil) || !interrupted &&
			(!strings.Contains(out.String(), "honest bots") || !strings.Contains(out.String(), "a minute")) {
			t.Errorf("the rehearsal (interrupted: %t): %v\n%s", interrupted, err, out.String())
		}
		if left, err := os.ReadDir(temp); runtime.GOOS != "windows" && (err != nil || len(left) > 0) {
			t.Errorf("a rehearsal (interrupted: %t) leaves %v, %v", interrupted, left, err)
		}
	}
}
