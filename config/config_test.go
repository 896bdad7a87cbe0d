package config

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// games holds a game whose settings have no conditions, and one without an order.
var games = []Game{
	{Name: "hexabomb", Settings: append(unconditional("turn-timeout", "tls-cert", "tls-key", "isolate-image", "isolate-memory", "isolate-cpus"), own...)},
	{Name: "toy", Settings: append(Restrict(Play, "order"), own...)},
}

func unconditional(names ...string) []Setting {
	list := Restrict(Serve|Play, names...)
	for i := range list {
		list[i].With = ""
	}
	return list
}

// own holds settings of games of serve.
var own = []Setting{
	{Name: "map", Kind: Name("the name of a shipped map or a " +
		"file"), Default: "lagoon", Help: "map to play on", Commands: Serve | Play},
	{Name: "tc", Kind: Text(), Help: "time control", Commands: Serve | Play},
	{Name: "public", Kind: Bool(), Default: "false", Help: "dial bots on the public Internet only", Commands: Serve},
	{Name: "game-timeout", Kind: Duration(0), Default: "off", Help: "time that a game logic has for a turn", Commands: Serve},
}

var scope = Scope{Command: Serve, Games: games}

// origins holds the sources of the settings of one run.
type origins struct {
	file string // content; empty: no file
	env  []string
	args []string
}

// load writes the file to a new folder, changes to it and loads the settings.
func load(t *testing.T, o origins) (Values, error) {
	t.Helper()
	if o.file != "" {
		t.Chdir(t.TempDir())
		if err := os.WriteFile("arena.yaml", []byte(o.file), 0o600); err != nil {
			t.Fatal(err)
		}
		o.env = append(slices.Clone(o.env), "HEXARENA_CONFIG=arena.yaml")
	}
	fs := newFlags()
	if err := fs.Parse(o.args); err != nil {
		return Values{}, FlagError(fs, err)
	}
	return scope.Load(fs, o.env)
}

func newFlags() *pflag.FlagSet {
	fs := pflag.NewFlagSet("serve", pflag.ContinueOnError)
	scope.Flags(fs)
	return fs
}

func mustLoad(t *testing.T, o origins) Values {
	t.Helper()
	e, err := load(t, o)
	if err != nil {
		t.Fatalf("Load(%+v) = %v, want no error", o, err)
	}
	return e
}

// mistakes returns the lines of the error of Load(o).
func mistakes(t *testing.T, o origins) []string {
	t.Helper()
	_, err := load(t, o)
	var ms Mistakes
	if !errors.As(err, &ms) {
		t.Fatalf("Load(%+v) error = %v, want Mistakes", o, err)
	}
	lines := make([]string, len(ms))
	for i, m := range ms {
		lines[i] = m.Error()
	}
	return lines
}

// shown returns the value of a setting, by its name or an alias, as Print writes it.
func shown(t *testing.T, v Values, name string) string {
	t.Helper()
	i := slices.IndexFunc(v.settings, func(s Setting) bool { return slices.Contains(s.names(), name) })
	if i < 0 {
		t.Fatalf("no setting %s", name)
	}
	kind, _ := v.settings[i].called(name)
	return kind.Show(v.values[v.settings[i].Name].Parsed)
}

// origin returns the origin of the value of a setting, by its name or an alias.
func origin(v Values, name string) string {
	i := slices.IndexFunc(v.settings, func(s Setting) bool { return slices.Contains(s.names(), name) })
	return v.Origin(v.settings[i].Name)
}

func TestDefaults(t *testing.T) {
	want := Config{
		Port: 4242, MaxTurns: 100, MaxVisus: 1, Matches: Given(1),
		DelayFirstTurn: time.Second, Pace: Timer,
		LogLevel: Verbose, Game: "hexabomb",
		LoginTimeout: 10 * time.Second, Reconnect: 30 * time.Second, WriteTimeout: time.Minute,
		Linger:         5 * time.Second,
		MaxConnections: 2000, MaxPerAddress: 100, MaxPage: 6000, MaxPagePerAddress: 1000,
		MaxMessageRate:     100_000,
		MaxVisuMessageSize: 1 << 16, MaxVisuMessageRate: 100_000, MaxLogicMessageSize: 1<<24 - 1,
		MaxMessageDepth: 512, Order: Arrival, HTTP: "127.0.0.1:8080", Record: "recordings",
		Durable: "second",
		Keep:    Keep{Bytes: 1 << 30},
	}
	if diff := cmp.Diff(want, mustLoad(t, origins{}).Config()); diff != "" {
		t.Errorf("Load() (-want +got):\n%s", diff)
	}
	asFile := mustLoad(t, origins{file: string(Defaults(games))})
	if diff := cmp.Diff(want, asFile.Config()); diff != "" {
		t.Errorf("Load(defaults as a file) (-want +got):\n%s", diff)
	}
}

func TestDefaultsCoverEverySetting(t *testing.T) {
	text := string(Defaults(games))
	for _, s := range append(append([]Setting{}, table...), own...) {
		if !strings.Contains(text, "\n"+s.Name+": ") && !strings.Contains(text, "\n#"+s.Name+": ") &&
			s.Commands&(Serve|Play) != 0 { // whose file it is
			t.Errorf("the documented defaults lack %s", s.Name)
		}
		if s.Help == "" || s.Commands == 0 {
			t.Errorf("%s has no help or no command", s.Name)
		}
	}
	for line := range strings.Lines(text) {
		if len(line) > fileWidth+2 {
			t.Errorf("a long line: %s", line)
		}
	}
}

func TestPrecedence(t *testing.T) {
	thorough.Long(t)
	tests := []struct{ key, file, env, flag string }{
		{"port", "1", "2", "3"},
		{"turns", "1", "2", "3"},
		{"nb-turns-max", "1", "2", "3"},
		{"players", "1", "2", "map"},
		{"seats", `"open"`, `"painter"`, `"open painter"`},
		{"special-players", "1", "2", "3"},
		{"visualizations", "4", "2", "3"},
		{"pace", "fast", "timer", "fast"},
		{"tps", "2", "auto", "0.5"},
		{"nb-players-max", "1", "2", "3"},
		{"nb-splayers-max", "1", "2", "3"},
		{"nb-visus-max", "4", "2", "3"},
		{"delay-first-turn", "51", "52.5", "53"},
		{"delay-turns", "51", "52.5", "53"},
		{"matches", "1", "2", "endless"},
		{"autostart", "true", "false", "true"},
		{"fast", "true", "false", "true"},
		{"simple-prompt", "true", "false", "true"},
		{"verbose", "true", "true", "true"},
		{"quiet", "true", "false", "true"},
		{"debug", "true", "false", "true"},
		{"json-logs", "true", "false", "true"},
		{"game", "toy", "hexabomb", "toy"},
		{"map", `"a"`, `"b"`, `"c"`},
		{"tc", `"1"`, `"2"`, `""`},
		{"public", "true", "false", "true"},
		{"bind", `"::1"`, `"localhost"`, `""`},
		{"turn-timeout", "1s", "2s", "off"},
		{"game-timeout", "1s", "2s", "off"},
		{"login-timeout", "1s", "2s", "3s"},
		{"reconnect", "1s", "2s", "off"},
		{"write-timeout", "1s", "2s", "off"},
		{"linger", "1s", "2s", "off"},
		{"drain-timeout", "1s", "2s", "off"},
		{"max-connections", "1", "2", "0"},
		{"max-connections-per-address", "1", "2", "0"},
		{"max-page-connections", "1", "2", "0"},
		{"max-page-connections-per-address", "1", "2", "0"},
		{"max-message-size", "1024", "2000", "game"},
		{"max-message-rate", "1", "2", "0"},
		{"max-visu-message-size", "1024", "2000", "3000"},
		{"max-visu-message-rate", "1", "2", "0"},
		{"max-logic-message-size", "1024", "2000", "3000"},
		{"max-message-depth", "8", "9", "10"},
		{"tokens", `"a"`, `"b"`, `""`},
		{"order", "seeded", "arrival", "seeded"},
		{"seed", "1", "2", "random"},
		{"http", `":1"`, `":2"`, `""`},
		{"env", `"A B=1"`, `"C"`, `"D"`},
		{"js", "node", "builtin", "auto"},
		{"js-memory", "64", "128", "256"},
		{"isolate", "true", "false", "true"},
		{"isolate-image", `"one"`, `"two"`, `"three"`},
		{"isolate-memory", "64", "128", "256"},
		{"isolate-cpus", "2", "3", "4"},
		{"page-hosts", `"a.b c"`, `"d"`, `""`},
		{"trusted-proxies", `"10.0.0.0/8 ::1"`, `"127.0.0.1"`, `""`},
		{"health", `":1"`, `":2"`, `""`},
		{"tls-cert", `"a"`, `"b"`, `""`},
		{"tls-key", `"a"`, `"b"`, `""`},
		{"record", `"a"`, `"b"`, `""`},
		{"logs", `"a"`, `"b"`, `"c"`},
		{"start-timeout", "1s", "2s", "3s"},
		{"durable", "turn", "end", "second"},
		{"keep-recordings", "7", "30d", "all"},
	}
	covered := make(map[string]bool)
	for _, tt := range tests {
		covered[tt.key] = true
		t.Run(tt.key, func(t *testing.T) {
			var o origins
			check := func(value, from string) {
				t.Helper()
				e := mustLoad(t, o)
				if value != "" && shown(t, e, tt.key) != value {
					t.Errorf("%s from %s = %s, want %s", tt.key, from, shown(t, e, tt.key), value)
				}
				if got := origin(e, tt.key); got != from {
					t.Errorf("origin of %s = %s, want %s", tt.key, got, from)
				}
			}
			check("", "default")
			o.file = "\n" + tt.key + ": " + tt.file
			check(tt.file, "file arena.yaml:2")
			o.env = []string{"PATH=/bin", envName(tt.key) + "=" + strings.Trim(tt.env, `"`)}
			check(tt.env, "environment "+envName(tt.key))
			o.args = []string{"--" + tt.key + "=" + strings.Trim(tt.flag, `"`)}
			check(tt.flag, "flag --"+tt.key)
			o.file = ""
			check(tt.flag, "flag --"+tt.key)
		})
	}
	for _, s := range scope.Settings() {
		for _, name := range s.names() {
			if !covered[name] {
				t.Errorf("no test of %s", name)
			}
		}
	}
}

func TestFileName(t *testing.T) {
	dir := t.TempDir()
	path := func(name, content string) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return p
	}
	one, two := path("one.yaml", "port: 1"), path("two.yaml", "port: 2")
	tests := []struct {
		name string
		o    origins
		want int
	}{
		{"none", origins{}, 4242},
		{"environment", origins{env: []string{"HEXARENA_CONFIG=" + one}}, 1},
		{"flag", origins{args: []string{"--config", two}}, 2},
		{"flag before environment", origins{
			env: []string{"HEXARENA_CONFIG=" + one}, args: []string{"--config", two},
		}, 2},
		{"empty flag", origins{
			env: []string{"HEXARENA_CONFIG=" + one}, args: []string{"--config="},
		}, 4242},
		{"empty variable", origins{env: []string{"HEXARENA_CONFIG="}}, 4242},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := mustLoad(t, tt.o).Int("port"); got != tt.want {
				t.Errorf("port = %d, want %d", got, tt.want)
			}
		})
	}
}

func TestOptional(t *testing.T) {
	if got := mustLoad(t, origins{}).Config().MaxPlayers.Or(6); got != 6 {
		t.Errorf("players not given = %d, want 6", got)
	}
	if got := mustLoad(t, origins{args: []string{"--nb-players-max=0"}}).Config().MaxPlayers.Or(6); got != 0 {
		t.Errorf("players given as 0 = %d, want 0", got)
	}
}
