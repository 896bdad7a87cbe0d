package main

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// A mistyped command is named, with the nearest one.
func TestMistypedCommandsAreExplained(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	for _, c := range []struct{ line, says string }{
		{"play --turns abc", `turns = "abc" (flag --turns): want an integer from 1 to 65535`},
		{"play --seed -1", `seed = "-1" (flag --seed): want random, or an integer from 0 to 18446744073709551615`},
		{"play --tps x", `tps = "x" (flag --tps): want auto, or 0, or a number from`},
		{"play --turn-timeout 5", `turn-timeout = "5" (flag --turn-timeout): want off, or a duration such as 500ms or 2s`},
		{"play --open=maybe", `open = "maybe" (flag --open): want true or false`},
		{"play --record usage_test.go", `record = "usage_test.go" (flag --record): is a file; name a folder`},
		{"serve --record usage_test.go", `record = "usage_test.go" (flag --record): is a file; name a folder`},
		{"replay analyse x --depth abc", `hexarena: --depth: "abc" is not a whole number`},
		{"replay analyse x --blunder x", `--blunder: "x" is not a number`},
		{"replay analyse x --time 5", `--time: "5" is not a time with its unit, such as 500ms or 10s`},
		{"replay analyse x --threats=maybe", `--threats: "maybe" is not true or false`},
		{"play --headless", "--headless (command line): no longer exists: leave it out, and give"},
		{"play --count 5", "--count (command line): no longer exists: hexarena cup plays many"},
		{"play --jobs 5", "--jobs (command line): no longer exists: hexarena cup plays many"},
		{"play --turn 5", "could be --turn-timeout or --turns"},
		{"replay verify", "missing argument FILE…; usage: hexarena replay verify FILE… [flags]"},
		{"join a", `too few arguments: "a"; usage: hexarena join URL SEAT [flags]`},
		{"maps show a b", `too many arguments: "a b"; usage: hexarena maps show NAME|FILE [flags]`},
		{"serve lagoon", `serve takes no arguments (got "lagoon"); did you mean --map lagoon?`},
		{"serve painter", `serve takes no arguments (got "painter"); did you mean --seats painter?`},
		{"serve endless", `serve takes no arguments (got "endless"); did you mean --matches endless?`},
		{"serve off", "serve takes no arguments (got \"off\")\n"}, // which several flags accept
		{"completion tcsh", `hexarena: completion: there is no "tcsh"; did you mean `},
		{"serve nowhere", `serve takes no arguments (got "nowhere")`},
		{"help nope", `there is no "nope"; there are `},
		{"help replay nope", `hexarena: replay: there is no "nope"; there are `},
		{"relay http://localhost/ --http :8080", `relay: this command no longer exists: one server has 6000`},
		{"analyse game.txt --depth 3", `analyse: this command no longer exists: use hexarena replay analyse`},
		{"relay --help", `relay: this command no longer exists: one server has 6000`},
		{"play --relay-token x", `--relay-token (command line): no longer exists: one server has`},
		{"event rehearse --port 1", "--port (command line): unknown flag"}, // it would have no effect
		{"--foo", "--foo (command line): unknown flag\n"},
		{"bot painter --nickname a\u202eb", "--nickname"},
		{"bot painter --nickname elevenchars", `--nickname: "elevenchars" is not a nickname: want 1 to 10 characters without white space`},
		{"maps foo", `hexarena: maps: there is no "foo"; there are check, list, new, show`},
		{"maps new --players 0", "--players: 0 is not in the range 1 to 1024"},
		{"maps new --characters 0", "--characters: 0 is too few"},
		{"maps check nowhere.json", "hexarena: open nowhere.json:"},
	} {
		var stderr bytes.Buffer
		want := exitUsage
		if strings.HasPrefix(c.line, "maps check") { // its argument may be a file name
			want = exitFailure
		}
		code := run(strings.Fields("hexarena "+c.line), nil, io.Discard, &stderr)
		if said := stderr.String(); code != want || !strings.Contains(said, c.says) {
			t.Errorf("%s: exit code %d, %q, want %d, %q", c.line, code, said, want, c.says)
		}
	}
}

// withoutJSON are the commands without --json: those whose output is a log, a conversation, a file
// or a text for people or language models by its purpose.
var withoutJSON = map[string]string{
	"hexarena":                "has commands",
	"hexarena bot":            "plays",
	"hexarena event":          "has the console of an operator, and --json-logs",
	"hexarena event rehearse": "prints a report for people, and answers by its exit code",
	"hexarena event similar":  "prints passages of source for a person who compares them",
	"hexarena hexabomb":       "prints what the original prints",
	"hexarena join":           "prints a log",
	"hexarena llm":            "speaks to a server",
	"hexarena maps":           "has commands",
	"hexarena maps new":       "writes a map, which is JSON",
	"hexarena mcp":            "speaks to an assistant",
	"hexarena netorcai":       "prints what the original prints",
	"hexarena replay":         "has commands",
	"hexarena replay digest":  "writes a text for a language model; replay show --json has its figures",
	"hexarena replay export":  "writes a file in a chosen format",
	"hexarena serve":          "prints a log, in JSON with --json-logs",
	"hexarena worker":         "prints a log",
}

func TestCommandsHaveJSON(t *testing.T) {
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		name := cmd.CommandPath()
		if cmd.Hidden || name == "hexarena help" || name == "hexarena completion" {
			return
		}
		if has := jsonFlag(cmd) != nil; has == (withoutJSON[name] != "") {
			t.Errorf("%s: --json is there: %v; want the opposite", name, has)
		}
		for _, c := range cmd.Commands() {
			visit(c)
		}
	}
	visit(newRoot())
}
