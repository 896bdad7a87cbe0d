package games_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/games/external"
	"github.com/hexarena/hexarena/server/games/hexabomb"
	"github.com/hexarena/hexarena/server/games/hextictactoe"
	"github.com/hexarena/hexarena/server/recording"
)

var all = games.List{hexabomb.Game(), hextictactoe.Game(), external.Game()}

// instance returns the game that a command line asks for.
func instance(t *testing.T, command config.Command, line string) (games.Instance, error) {
	t.Helper()
	scope := config.Scope{Command: command, Games: all.Settings()}
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	scope.Flags(flags)
	if err := flags.Parse(strings.Fields(line)); err != nil {
		t.Fatal(err)
	}
	v, err := scope.Load(flags, nil)
	if err != nil {
		return games.Instance{}, err
	}
	return all.Find(v.Text("game")).New(v)
}

// TestReplay checks that the setup of every game makes the same game again.
func TestReplay(t *testing.T) {
	for _, line := range []string{
		"", "--map pebble", "--rules draft", "--game hextictactoe --tc 60+1 --win-distance 5 --turns 9",
	} {
		i, err := instance(t, config.Play, line)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		played := i.New()
		again, err := all.Replay(played.Rules(), i.Setup)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		recorded, err := all.OfRules(played.Rules()).Recorded(i.Map, i.Setup)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		setup := engine.Setup{Players: i.Players, Turns: 100, Seed: 1}
		var states []string
		for _, g := range []engine.Game{played, again, recorded.New()} {
			if got, want := g.Rules(), played.Rules(); got != want {
				t.Errorf("%s: rules %s, want %s", line, got, want)
			}
			if _, err := g.Start(setup); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			states = append(states, string(g.AppendState(nil)))
		}
		if states[0] != states[1] || states[0] != states[2] {
			t.Errorf("%s: %s, again %s, and recorded %s", line, states[0], states[1], states[2])
		}
	}
	if _, err := all.Replay("chess/1", nil); !errors.Is(err, recording.ErrRules) ||
		!strings.Contains(err.Error(), "hexabomb/1 and hexabomb-draft/1 and hextictactoe/1") {
		t.Errorf("rules that there are not: %v", err)
	}
}

func TestMistakes(t *testing.T) {
	for _, tt := range []struct {
		command config.Command
		line    string
		want    []string
	}{
		{config.Serve, "--map nowhere", []string{"map"}},
		{config.Serve, "--map pebble --players 99 --special-players 2", []string{
			"map pebble has", "hexabomb is played with 0 or 1 special players",
		}},
		{config.Serve, "--rules draft --special-players 1", []string{
			"special-players", "the draft rules have no special player",
		}},
		{config.Play, "--rules draft --sudden-death", []string{
			"sudden-death", "the draft rules have no special player",
		}},
		{config.Serve, "--game external --matches 2", []string{"plays one match"}},
		{config.Serve, "--game hextictactoe --tc soon", []string{`"soon" is not a time control`}},
		{config.Play, "--game hextictactoe --openings nowhere", []string{"openings", "nowhere"}},
	} {
		_, err := instance(t, tt.command, tt.line)
		for _, want := range tt.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %s", tt.line, err, want)
			}
		}
	}
}

// TestBuiltins checks that every built-in bot plays its game, and the names in mistakes.
func TestBuiltins(t *testing.T) {
	thorough.Long(t)
	for _, line := range []string{"", "--rules draft", "--game hextictactoe"} {
		i, err := instance(t, config.Play, line)
		if err != nil {
			t.Fatal(err)
		}
		g := all.OfRules(i.New().Rules())
		for _, name := range append(g.BuiltinNames(), g.Mix(2)...) {
			bot, err := g.NewBuiltin(name, 1)
			if err != nil {
				t.Fatal(err)
			}
			if answer := answerOf(t, bot, i); !strings.HasPrefix(answer, "[{") {
				t.Errorf("%s: %s answers %s", g.Name, name, answer)
			}
		}
	}
	for name, want := range map[string]string{
		"panter": "; did you mean painter? There are ", "Hunter": "; did you mean hunter? There are ",
		"nearst":   "; did you mean nearest?",
		"my_bot.p": `"my_bot.p". There are random, `, "x": `"x". There are random, `,
		strings.Repeat("x", 1<<20): `x". There are random, `,
	} {
		if _, err := all.NewBuiltin(name, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("NewBuiltin(%.20q) = %.100v, want %s", name, err, want)
		}
	}
	if _, err := all.Find("external").NewBuiltin("random", 1); err == nil {
		t.Error("an external game has a built-in bot")
	}
}

// answerOf returns what a bot answers to the first board, as player 1.
func answerOf(t *testing.T, bot netorcai.Bot, i games.Instance) string {
	t.Helper()
	g := i.New()
	if _, err := g.Start(engine.Setup{Players: 2, Turns: 100}); err != nil {
		t.Fatal(err)
	}
	state := g.AppendState(nil)
	if err := bot.Start(netorcai.GameStarts{PlayerID: 1, NbPlayers: 2, NbTurnsMax: 100, State: state}); err != nil {
		t.Fatal(err)
	}
	answer, err := bot.Turn(netorcai.Turn{State: state})
	if err != nil {
		t.Fatal(err)
	}
	return string(answer)
}

// TestOneNameForTwoGames checks that the state decides which game a bot plays.
func TestOneNameForTwoGames(t *testing.T) {
	bot, err := all.NewBuiltin("random", 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bot.Turn(netorcai.Turn{}); err == nil {
		t.Error("Turn before Start succeeds")
	}
	for _, tt := range []struct{ line, want string }{
		{"--game hextictactoe", `"pieces"`}, {"", `"movement"`}, {"--game hextictactoe", `"pieces"`},
	} {
		i, err := instance(t, config.Play, tt.line)
		if err != nil {
			t.Fatal(err)
		}
		if answer := answerOf(t, bot, i); !strings.Contains(answer, tt.want) {
			t.Errorf("with %q it answers %s, want %s", tt.line, answer, tt.want)
		}
	}
	if err := bot.Start(netorcai.GameStarts{State: []byte("[]")}); err == nil {
		t.Error("Start accepts what is not a state")
	}
}

// TestTranscript writes what was read from a notation.
func TestTranscript(t *testing.T) {
	g := all.Find("hextictactoe")
	const moves = "1. [0,4][1,4];\n2. [1,0][2,0];\n"
	noted, err := g.Notation.Parse("playercross[Ann]; endreason[draw];\n" + moves)
	if err != nil || len(noted) != 1 || noted[0].Names[0] != "Ann" {
		t.Fatalf("Parse = %+v, %v", noted, err)
	}
	n := noted[0]
	text, err := g.Notation.New(&games.Match{Setup: n.Setup, Names: n.Names})
	if err != nil {
		t.Fatal(err)
	}
	game, err := g.Replay(g.Rules[0], n.Setup)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := game.Start(engine.Setup{Players: 2, Turns: n.Turns}); err != nil {
		t.Fatal(err)
	}
	for _, inputs := range n.Inputs {
		game.Step(inputs)
		if err := text.Add(game.AppendState(nil)); err != nil {
			t.Fatal(err)
		}
	}
	if got := string(text.Text()); !strings.Contains(got, moves) ||
		!strings.Contains(got, "endreason[draw]") {
		t.Errorf("the transcript is\n%s", got)
	}
}

// Starters are archives of a bot and its kit, in each language that a game has one in.
func TestStarters(t *testing.T) {
	for _, tt := range []struct{ game, language, want string }{
		{"", "", "my_bot.py hexarena.py"},
		{"hexabomb", "javascript", "my_bot.js hexarena.js hexarena.d.ts"},
		{"hextictactoe", "javascript", "my_bot.js hexarena.js hexarena.d.ts hexarena_htttx.js"},
		{"hextictactoe", "go", ""},
		{"external", "python", ""},
		{"chess", "", ""},
		{"", "cobol", ""},
	} {
		var names []string
		if archive := all.Starter(tt.game, tt.language); archive != nil {
			r, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range r.File {
				names = append(names, f.Name)
			}
		}
		if got := strings.Join(names, " "); got != tt.want {
			t.Errorf("the starter for %q in %q has the files %q, want %q", tt.game, tt.language, got,
				tt.want)
		}
	}
}

// The table of docs/add-a-game.md names the fields of an entry, but for texts of the help.
func TestEntryIsDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/add-a-game.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## 2. The entry\n")
	section, _, _ = strings.Cut(section, "\n## ")
	named := map[string]bool{"PlayHelp": true, "ServeHelp": true, "Example": true, "DrawsWhole": true}
	fields := reflect.TypeFor[games.Game]()
	for _, row := range regexp.MustCompile("(?m)^\\| (`.*?`) \\|").FindAllStringSubmatch(section, -1) {
		for name := range strings.SplitSeq(row[1], ", ") {
			name = strings.Trim(name, "`")
			if _, ok := fields.FieldByName(name); !ok {
				t.Errorf("the table has %s, which is no field of an entry", name)
			}
			named[name] = true
		}
	}
	for i := range fields.NumField() {
		if name := fields.Field(i).Name; !named[name] {
			t.Errorf("the table does not have the field %s", name)
		}
	}
}
