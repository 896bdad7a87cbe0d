package seat

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/launch"
)

// program sets PATH to a folder that holds only this program, and changes to an empty
// folder.
func program(t *testing.T, name string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), nil, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	t.Chdir(t.TempDir())
}

var errUnknown = errors.New("the built-in bots are: walker")

// known is a game with every wire.
var known = Known{Game: "chess", HTTTX: true, Page: true, Builtin: func(name string, _ uint64) (netorcai.Bot, error) {
	if name != "walker" {
		return nil, errUnknown
	}
	return nil, nil
}}

func TestParse(t *testing.T) {
	program(t, "fighter")
	if err := os.WriteFile("bot.txt", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir("fighter", 0o700); err != nil {
		t.Fatal(err)
	}
	got, err := Parse(t.Context(), []string{
		"walker", "page", "open", "wait", "wait:ann", "stdio:fighter -v", "bots.example:8002", "fighter",
		`fighter --port {port} "two words"`, "fighter -v bot.txt",
	}, known)
	if err != nil {
		t.Fatal(err)
	}
	want := []Spec{
		{Argument: "walker", Label: "walker", Builtin: "walker"},
		{Argument: "page", Label: "page", Kind: Page},
		{Argument: "open", Label: "open", Kind: Open},
		{Argument: "wait", Label: "wait", Kind: Wait},
		{Argument: "wait:ann", Label: "ann", Kind: Wait, Name: "ann"},
		{Argument: "stdio:fighter -v", Label: "fighter", Kind: Process, Stdio: true, Argv: []string{
			"fighter", "-v",
		}},
		{Argument: "bots.example:8002", Label: "bots.example:8002", Kind: Address, URL: "bots.example:8002"},
		{Argument: "fighter", Label: "fighter#2", Kind: Process, Argv: []string{"fighter"}},
		{Argument: `fighter --port {port} "two words"`, Label: "fighter#3", Kind: Process, Argv: []string{
			"fighter", "--port", "{port}", "two words",
		}},
		{Argument: "fighter -v bot.txt", Label: "bot.txt", Kind: Process, Argv: []string{
			"fighter", "-v", "bot.txt",
		}},
	}
	for i := range want {
		g, w := got[i], want[i]
		if g.Argument != w.Argument || g.Label != w.Label || g.Kind != w.Kind || g.Builtin != w.Builtin ||
			g.URL != w.URL || g.Name != w.Name || g.Stdio != w.Stdio || !slices.Equal(g.Argv, w.Argv) {
			t.Errorf("seat %d = %+v, want %+v", i, g, w)
		}
	}
	if !got[8].UsesPort() || got[7].UsesPort() {
		t.Errorf("UsesPort of %q and %q = %v and %v", got[8].Argument, got[7].Argument, got[8].UsesPort(),
			got[7].UsesPort())
	}
}

// A misspelt file is suggested, if it is in this folder.
func TestParseSuggestsFiles(t *testing.T) {
	program(t, "runner")
	if err := os.WriteFile("my_bot.py", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	const question = "did you mean the file my_bot.py?"
	for argument, want := range map[string]bool{
		"my_bot.p": true, "mybot.py": true, "my_bott": false, "my_bot.pyy": true, "painter": false,
	} {
		if _, err := Parse(t.Context(), []string{argument}, known); err == nil ||
			strings.Contains(err.Error(), question) != want {
			t.Errorf("Parse(%q) = %v, want a suggestion: %v", argument, err, want)
		}
	}
}

// Bots that one program runs are told apart by their folders.
func TestLabelsOfFolders(t *testing.T) {
	program(t, "runner")
	for _, folder := range []string{"first", "second"} {
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Parse(t.Context(), []string{"runner run ./first", "runner run ./second", "runner first", "runner ."}, known)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"first", "second", "runner", "runner#2"} {
		if got[i].Label != want {
			t.Errorf("label of %q = %q, want %q", got[i].Argument, got[i].Label, want)
		}
	}
}

func TestSources(t *testing.T) {
	program(t, "runner")
	runner := filepath.Join(os.Getenv("PATH"), "runner")
	if runtime.GOOS == "windows" {
		runner += ".exe"
	}
	for _, name := range []string{"bot.py", "bot.log", "my_bot"} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		argv, want []string
	}{
		{nil, nil},
		{[]string{"runner"}, []string{runner}},
		{[]string{"runner", "-v", "{port}", "bot.py", "my_bot"}, []string{"bot.py"}},
		{[]string{"runner", "my_bot"}, []string{"my_bot"}},
		{[]string{"./my_bot", "--log", "bot.log"}, []string{"./my_bot"}},
		{[]string{runner, "-u", "bot.py"}, []string{runner, "bot.py"}},
		{[]string{"missing"}, nil},
	} {
		if got := (&Spec{Argv: test.argv}).Sources(); !slices.Equal(got, test.want) {
			t.Errorf("sources of %q = %q, want %q", test.argv, got, test.want)
		}
	}
}

func TestParseFails(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Chdir(t.TempDir())
	for argument, want := range map[string]string{
		"walkr":        "neither a file nor a program, and " + errUnknown.Error(),
		"":             "it is empty",
		"  ":           "it is empty",
		`bot "x`:       launch.ErrQuote.Error(),
		"my_bot.py":    "there is no file my_bot.py",
		"my_bot.py -v": "there is no file my_bot.py",
		"./bot":        "there is no file ./bot",
		"fighter -v":   "there is no program fighter",
		".":            "is a folder",
		"ftp://h":      "begins with ftp://",

		"stdio:":           "it names no command",
		"stdio:walker":     `a built-in bot has no "stdio:" before its name`,
		"stdio:go -v":      "there is no program go",
		"stdio:x.py":       "there is no file x.py",
		"wait:":            `write "wait" for any`,
		"wait:1234 5678":   "is not a nickname",
		"wait:elevenchars": "want 1 to 10 characters",
		"wait:a\u202eb":    "U+202E",
	} {
		_, err := Parse(t.Context(), []string{"walker", argument}, known)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q): %v, want an error with %q", argument, err, want)
		}
	}
	for _, argument := range []string{
		"http://h:1/x", "wss://bots.example", "127.0.0.1:80", "[::1]:8002",
	} {
		list, err := Parse(t.Context(), []string{argument}, known)
		if err != nil || list[0].Kind != Address || list[0].URL != argument {
			t.Errorf("Parse(%q) = %+v, %v, want an address", argument, list, err)
		}
		_, err = Parse(t.Context(), []string{argument}, Known{Game: "go"})
		if err == nil || !strings.Contains(err.Error(), "over which go cannot be played") {
			t.Errorf("Parse(%q) for a game without the wire: %v, want it refused", argument, err)
		}
	}
	refusing := known
	refusing.Refuse = func(s *Spec) error {
		if s.Kind == Page {
			return errors.New("there is no page")
		}
		return nil
	}
	if _, err := Parse(t.Context(), []string{"walker", "page"}, refusing); err == nil ||
		err.Error() != `seat "page": there is no page` {
		t.Errorf("Parse for a command without a page: %v", err)
	}
	_, err := Parse(t.Context(), []string{"one.py", "walker", "two.py"}, known)
	if err == nil || !strings.Contains(err.Error(), `seat "one.py"`) ||
		!strings.Contains(err.Error(), `seat "two.py"`) {
		t.Errorf("Parse of two wrong seats: %v, want both named", err)
	}
}

func TestLabels(t *testing.T) {
	var list []Spec
	for _, label := range []string{"a", "b", "a", "a#2", "a", "b"} {
		list = append(list, Spec{Label: label})
	}
	SetLabels(list)
	var got []string
	for _, s := range list {
		got = append(got, s.Label)
	}
	if want := []string{"a", "b", "a#2", "a#2#2", "a#3", "b#2"}; !slices.Equal(got, want) {
		t.Errorf("labels = %q, want %q", got, want)
	}
	for words, want := range map[string]string{
		"bots/my_bot.py":                     "my_bot.py",
		"some-bot --fast":                    "some-bot",
		"bots/some-bot.exe":                  "some-bot",
		"a_very_long_name_of_a_program.wasm": "a_very_long_name_of_a_pr",
		"bell\a.py":                          "bell_.py",
		"env DEPTH=4 COLOR=no bots/strong":   "strong",
		"env":                                "env",
	} {
		if got := commandLabel(strings.Split(words, " ")); got != want {
			t.Errorf("commandLabel(%q) = %q, want %q", words, got, want)
		}
	}
}

func TestNickname(t *testing.T) {
	for label, want := range map[string]string{
		"painter":            "painter",
		"painter#2":          "painter#2",
		"my_bot.py":          "my_bot.py",
		"my_learner.py":      "my_learner",
		"my_learner.py#12":   "my_lear#12",
		"the bot":            "the_bot",
		"été_à_la_plage.py":  "été_à_la_p",
		".hidden_bot_of_tim": ".hidden_bo",
		"bot#one_more_time":  "bot#one_mo",
	} {
		if got := (&Spec{Label: label}).Nickname(); got != want ||
			utf8.RuneCountInString(got) > maxNickname {
			t.Errorf("Nickname of %q = %q, want %q", label, got, want)
		}
	}
	if got, want := (&Spec{Label: `a:b/c#2`}).LogName(0), "1-a_b_c#2.log"; got != want {
		t.Errorf("LogName = %q, want %q", got, want)
	}
}
