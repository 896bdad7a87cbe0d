package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/hexarena/hexarena/bots/kits"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// check finds no error in the built-in bots that are connected by a command, nor in the bots of the
// kits: at ordinary size in that of the first kit in one game, since a check starts a bot dozens of
// times.
func TestCheckFindsNothing(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	hexarena := filepath.Join(t.TempDir(), "hexarena")
	if err := os.Symlink(self, hexarena); err != nil {
		t.Fatal(err)
	}
	connected := map[string]string{
		"hexabomb": " --host {host} --port {port} --nickname {nickname} --seed {seed} --stay",
		// its clock cuts threat off on a slow machine
		"hextictactoe": " --htttx --port {port} --seed {seed}",
	}
	for game, names := range map[string][]string{
		"hexabomb":     gameList.Find("hexabomb").BuiltinNames(),
		"hextictactoe": {"threat:easy", "nearest", "random"},
	} {
		for _, name := range names {
			t.Run(game+" "+name, func(t *testing.T) {
				t.Parallel()
				checkFindsNothing(t, "--game", game, hexarena+" bot "+name+connected[game])
			})
		}
	}
	for _, k := range kits.All {
		for game, file := range k.Starters {
			wires := []string{""}
			if game == "hextictactoe" { // its bots also speak HTTTX
				wires = append(wires, " --listen {port}", " --dial-in")
			}
			t.Run(game+" "+k.Language, func(t *testing.T) {
				t.Parallel()
				if k.Tool() == "" {
					thorough.Lack(t, "no tool for "+k.Language)
				}
				dir := t.TempDir()
				if err := k.WriteLibrary(dir); err != nil {
					t.Fatal(err)
				}
				path := filepath.Join(dir, file)
				writeText(t, path, string(k.File(file)))
				for _, wire := range wires {
					checkFindsNothing(t, "--game", game, path+wire)
				}
			})
		}
	}
}

// checkFindsNothing runs check, which must not find an error. A minute for each answer is enough on
// any machine.
func checkFindsNothing(t *testing.T, args ...string) {
	t.Helper()
	out, err := command(t, append([]string{"check", "--turns=30", "--start-timeout=1m", "--turn-timeout=1m"}, args...)...).CombinedOutput()
	if exit := new(exec.ExitError); errors.As(err, &exit) || err != nil {
		t.Errorf("check: %v\n%s", err, out)
	}
	t.Logf("%s", out)
}
