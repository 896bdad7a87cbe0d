package kits_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/bots/botstest"
	"github.com/hexarena/hexarena/bots/kits"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/servertest"
)

// A kit is embedded as it is in its folder, and names the variables that it follows.
func TestKitsAreWhole(t *testing.T) {
	for _, k := range kits.All {
		if kits.Of("x"+k.Extension) != k {
			t.Errorf("%s is not the kit of files with its extension", k.Language)
		}
		var library string
		for _, name := range k.Files() {
			text := string(k.File(name))
			onDisk, err := os.ReadFile(filepath.Join(k.Folder, name))
			if err != nil || string(onDisk) != text {
				t.Errorf("%s/%s: embedded and in its folder are different: %v", k.Folder, name, err)
			}
			if strings.Contains(text, "\r") {
				t.Errorf("%s/%s has carriage returns", k.Folder, name)
			}
			library += text
		}
		for _, want := range []string{
			"BOT_HOST", "BOT_PORT", "BOT_NICKNAME", "BOT_TOKEN", "BOT_SEED", "BOT_STDIO",
			"SPDX-License-Identifier: Apache-2.0",
		} {
			if !strings.Contains(library, want) {
				t.Errorf("the kit for %s does not mention %s", k.Language, want)
			}
		}
		for _, starter := range slices.AppendSeq(
			slices.Collect(maps.Values(k.Starters)), maps.Values(k.LookAhead)) {
			if !k.Uses.Match(k.File(starter)) {
				t.Errorf("%s/%s is not recognized as a bot that uses the kit", k.Folder, starter)
			}
		}
	}
}

// hosted plays a match of hexabomb with a kit's bot in a file, and returns the server's account and what the
// bot printed.
func hosted(
	t *testing.T, k *kits.Kit, file string, m botstest.Match, args ...string,
) (*botstest.Played, string) {
	t.Helper()
	argv := build(t, k, file)
	l := servertest.Listen(t)
	host, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), argv[0],
		append(argv[1:], append([]string{host, port}, args...)...)...)
	cmd.Env = append(environment(), "BOT_SEED=7", "BOT_NICKNAME=ten_letters_and_more",
		"BOT_HOST=nowhere.invalid", "BOT_PORT=1", "HEXARENA="+itself(t))
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p, hostErr := m.Host(l)
	l.Close()
	if err := cmd.Wait(); err != nil {
		t.Fatalf("the bot ends with %v and prints:\n%s", err, output.String())
	}
	if hostErr != nil {
		t.Fatalf("%v; the bot prints:\n%s", hostErr, output.String())
	}
	return p, output.String()
}

// Each kit's bot plays a match of hexabomb decently, and with the same seed in the same way.
func TestBotsPlay(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	for _, k := range botstest.Kits(kits.All) {
		t.Run(k.Folder, func(t *testing.T) {
			t.Parallel()
			m := botstest.Match{
				Map: botstest.Drawn("000....", ".......", "... ...", ".......", "....111"), Turns: 80,
			}
			first, output := hosted(t, k, k.Starters["hexabomb"], m)
			if first.Login.Nickname != "ten_letter" || first.Login.Language != k.Language ||
				len(first.Answers) != 79 {
				t.Errorf("%d answers from %q in %q, want 79 from ten_letter in %s", len(first.Answers),
					first.Login.Nickname, first.Login.Language, k.Language)
			}
			if len(first.Refused) > 0 {
				t.Errorf("%d actions are refused, for example %+v", len(first.Refused), first.Refused[0])
			}
			if moves := movements(t, first.Answers); moves["move"] == 0 || moves["bomb"] == 0 {
				t.Errorf("actions in a match: %v, want moves and bombs", moves)
			}
			if cells := first.Counts["cells"]; 2*cells < int64(len(m.Map.Cells)) {
				t.Errorf("the bot has %d of %d cells at the end, want half of them", cells, len(m.Map.Cells))
			}
			if !strings.Contains(output, "I was player 0") {
				t.Errorf("the bot prints %q", output)
			}
			again, _ := hosted(t, k, k.Starters["hexabomb"], m)
			if strings.Join(again.Answers, "\n") != strings.Join(first.Answers, "\n") {
				t.Error("two matches with one seed differ")
			}
		})
	}
}

// movements counts the actions of all turns by kind.
func movements(t *testing.T, answers []string) map[string]int {
	t.Helper()
	counts := map[string]int{}
	for turn, answer := range answers {
		var actions []struct{ Movement string }
		if err := json.Unmarshal([]byte(answer), &actions); err != nil {
			t.Fatalf("turn %d: %s: %v", turn, answer, err)
		}
		for _, a := range actions {
			counts[a.Movement]++
		}
	}
	return counts
}

// The bots play on the narrowest boards, in the shortest match and as a special player.
func TestBotsInOddMatches(t *testing.T) {
	thorough.Full(t)
	small := botstest.Drawn("S.....0", ".. ....", "1......")
	for _, k := range botstest.Kits(kits.All) {
		for name, m := range map[string]botstest.Match{
			"one cell":          {Map: botstest.Drawn("0"), Turns: 20},
			"street":            {Map: botstest.Drawn("0.......1"), Turns: 60},
			"not a turn":        {Map: botstest.Drawn("0.1"), Turns: 1},
			"as special player": {Map: small, Special: true, Turns: 40},
			"draft rules":       {Map: small, Draft: true, Turns: 120},
		} {
			for _, file := range []string{k.Starters["hexabomb"], k.LookAhead["hexabomb"]} {
				t.Run(k.Folder+"/"+name+"/"+file, func(t *testing.T) {
					t.Parallel()
					if file == k.LookAhead["hexabomb"] {
						m.Turns = min(m.Turns, 15) // in each it plays a hundred others
					}
					args := []string{}
					if m.Special {
						args = []string{"--role", "special player"}
					}
					p, _ := hosted(t, k, file, m, args...)
					for _, r := range p.Refused {
						if r.Reason == "malformed" {
							t.Errorf("malformed: action %d in %s", r.Action, p.Answers)
						}
					}
				})
			}
		}
	}
}
