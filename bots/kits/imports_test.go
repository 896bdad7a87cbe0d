package kits_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/hexarena/hexarena/bots/kits"
)

// The files that a bot uses beside its kit are known in each language.
func TestImported(t *testing.T) {
	for bot, tt := range map[string]struct {
		source string
		want   []string
	}{
		"bot.py":   {"import hexarena, util\nfrom paths import way\nimport json as j, missing\n# import comment\n", []string{"util.py", "paths.py"}},
		"bot.js":   {`const { run } = require("./hexarena.js"), u = require("./util"); import("./data.json"); require("fs");`, []string{"util.js", "data.json"}},
		"Bot.java": {"class Bot implements Hexarena { Util util; Missing missing; String s; Bot b; }", []string{"Util.java"}},
		"bot.cpp":  {"#include \"hexarena.hpp\"\n# include \"util.hpp\"\n#include <vector>\n", []string{"util.hpp"}},
		"bot.rs":   {"mod hexarena;\npub mod util;\nmod inner {}\n", []string{"util.rs"}},
		"bot.go":   {"package main\n\nfunc main() {}\n", []string{"util.go"}},
	} {
		t.Run(bot, func(t *testing.T) {
			t.Parallel()
			k, dir := kits.Of(bot), t.TempDir()
			for _, name := range append(slices.Concat(k.Library, tt.want), bot, "comment.py", "other"+k.Extension) {
				text := "package main\n"
				if name == bot || name == "other"+k.Extension { // another bot
					text = tt.source
				}
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if used, err := k.Imported(dir, bot, []byte(tt.source)); err != nil || !slices.Equal(used, tt.want) {
				t.Errorf("%s uses %q, %v, want %q", bot, used, err, tt.want)
			}
			starter := k.File(k.Starters["hexabomb"])
			if used, err := k.Imported(t.TempDir(), bot, starter); used != nil || k.Imports != nil && err != nil {
				t.Errorf("the starter uses %q, %v", used, err)
			}
		})
	}
}
