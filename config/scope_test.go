package config

import (
	"os"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// playGames holds games with different settings in play.
var playGames = []Game{
	{Name: "board", Settings: []Setting{
		{Name: "size", Kind: Integer(1, 9), Default: "3", Help: "size of the board", Commands: Play},
	}},
	{Name: "duel", Settings: append(Restrict(0, "pace", "tps"), slowTurns())},
}

// slowTurns returns turn-timeout for a game without a pace, with its own default.
func slowTurns() Setting {
	s := General("turn-timeout")
	s.With, s.Default, s.In = "", "1m", nil
	return s
}

func loadPlay(t *testing.T, o origins) (Values, error) {
	t.Helper()
	was := scope
	scope = Scope{Command: Play, Games: append(playGames, games...)}
	defer func() { scope = was }()
	return load(t, o)
}

// Settings and their aliases work in both commands and from all origins, with the same
// meaning.
func TestAliases(t *testing.T) {
	pairs := []struct{ ours, theirs origins }{
		{origins{args: []string{"--turns=7"}}, origins{args: []string{"--nb-turns-max=7"}}},
		{origins{args: []string{"--pace=fast"}}, origins{args: []string{"--fast"}}},
		{origins{args: []string{"--pace=timer"}}, origins{args: []string{"--fast=false"}}},
		{origins{args: []string{"--tps=5"}}, origins{args: []string{"--delay-turns=200"}}},
		{origins{env: []string{"HEXARENA_TPS=5", "HEXARENA_PACE=fast"}}, origins{
			env: []string{"HEXARENA_DELAY_TURNS=200", "HEXARENA_FAST=1"},
		}},
		{origins{file: "turns: 5\npace: fast"}, origins{file: "nb-turns-max: 5\nfast: true"}},
	}
	for _, load := range []func(*testing.T, origins) (Values, error){load, loadPlay} {
		for _, p := range pairs {
			a, errA := load(t, p.ours)
			b, errB := load(t, p.theirs)
			if diff := cmp.Diff(a.Config(), b.Config()); errA != nil || errB != nil || diff != "" {
				t.Errorf("%+v and %+v: %v, %v (-ours +theirs):\n%s", p.ours, p.theirs, errA, errB, diff)
			}
		}
	}
	for _, o := range []origins{
		{args: []string{"--players=2", "--special-players=1", "--visualizations=3"}},
		{args: []string{"--nb-players-max=2", "--nb-splayers-max=1", "--nb-visus-max=3"}},
	} {
		c := mustLoad(t, o).Config()
		if c.MaxPlayers != Given(2) || c.MaxSpecials != 1 || c.MaxVisus != 3 {
			t.Errorf("%+v: %+v", o, c)
		}
	}
}

// Two names for one setting in one place are a mistake; otherwise the later place takes
// precedence.
func TestBothNames(t *testing.T) {
	for _, tt := range []struct {
		o    origins
		want string
	}{
		{origins{args: []string{"--turns=5", "--nb-turns-max=6"}}, `turns = "5" (flag --turns): is the same setting as nb-turns-max (flag --nb-turns-max); leave one of them out`},
		{origins{env: []string{"HEXARENA_PACE=timer", "HEXARENA_FAST=true"}}, `fast = "true" (environment HEXARENA_FAST): is the same setting as pace (environment HEXARENA_PACE); leave one of them out`},
		{origins{file: "tps: 1\ndelay-turns: 100"}, `delay-turns = "100" (file arena.yaml:2): is the same setting as tps (file arena.yaml:1); leave one of them out`},
	} {
		if got := mistakes(t, tt.o); len(got) != 1 || got[0] != tt.want {
			t.Errorf("Load(%+v) = %q, want %q", tt.o, got, tt.want)
		}
	}
	v := mustLoad(
		t,
		origins{
			file: "nb-turns-max: 9", env: []string{"HEXARENA_TURNS=8"}, args: []string{"--nb-turns-max=7"},
		},
	)
	if v.Int("turns") != 7 || v.Origin("turns") != "flag --nb-turns-max" {
		t.Errorf("turns = %d from %s", v.Int("turns"), v.Origin("turns"))
	}
}

// Commands share files and the environment, and ignore each other's settings.
func TestSettingsOfOthers(t *testing.T) {
	o := origins{
		file: "matches: endless\nturns: 9\nautostart: true",
		env:  []string{"HEXARENA_STRICT=true", "HEXARENA_TOKENS=x"},
	}
	v, err := loadPlay(t, o)
	if err != nil || v.Int("turns") != 9 || !v.Bool("strict") {
		t.Errorf("Load(%+v) = %+v, %v", o, v, err)
	}
	if _, err := load(t, o); err != nil {
		t.Errorf("Load(%+v) = %v for serve", o, err)
	}
}

// Defaults of commands, and those that games change.
func TestDefaultsOfCommandAndGame(t *testing.T) {
	v, err := loadPlay(t, origins{args: []string{"--game=duel"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := shown(t, v, "turn-timeout"); got != "1m0s" {
		t.Errorf("turn-timeout of duel = %s, want 1m", got)
	}
	if v, _ = loadPlay(t, origins{args: []string{"--game=board"}}); shown(t, v, "turn-timeout") != "10s" || v.Text("order") != string(Seeded) || v.Int("size") != 3 {
		t.Errorf("play of board: %+v", v)
	}
	if v = mustLoad(t, origins{}); shown(t, v, "turn-timeout") != "off" ||
		v.Text("order") != string(Arrival) {
		t.Errorf("serve: %+v", v)
	}
}

// Settings that have no effect with the game or with other settings.
func TestSettingsWithoutEffect(t *testing.T) {
	for _, tt := range []struct {
		o    origins
		want string // empty: none
	}{
		{origins{
			args: []string{"--game=duel", "--tps=5"},
		}, `tps = "5" (flag --tps): does not apply to --game duel; leave it out`},
		{origins{
			args: []string{"--game=duel", "--fast"},
		}, `fast = "true" (flag --fast): does not apply to --game duel; leave it out`},
		{origins{
			args: []string{"--game=duel"}, file: "pace: timer",
		}, `pace = "timer" (file arena.yaml:1): does not apply to --game duel; leave it out`},
		{origins{args: []string{"--game=duel"}, file: "size: 3"}, `size = "3" (file arena.yaml:1): does not apply to --game duel; leave it out, or add --game board`},
		{origins{args: []string{"--game=duel"}, file: "tps: auto"}, ""}, // auto is the default
		{origins{
			args: []string{"--game=duel", "--size=4"},
		}, `size = "4" (flag --size): does not apply to --game duel; leave it out, or add --game board`},
		{origins{args: []string{"--game=board", "--size=4"}}, ""},
		{origins{args: []string{"--game=board", "--pace=timer", "--turn-timeout=1s"}}, `turn-timeout = "1s" (flag --turn-timeout): has no effect without --pace fast; add that, or leave this out`},
		{origins{args: []string{"--game=board", "--pace=timer", "--turn-timeout=0"}}, ""},
		{origins{args: []string{"--game=board", "--pace=timer", "--tps=0"}}, `tps = "0" (flag --tps): is no length for the turns of --pace timer; choose another, or --pace fast`},
		{origins{
			args: []string{"--game=board", "--open", "--http="},
		}, `open = "true" (flag --open): has no effect without --http; add that, or leave this out`},
		{origins{
			args: []string{"--game=chess"},
		}, `game = "chess" (flag --game): want board or duel or hexabomb or toy`},
	} {
		_, err := loadPlay(t, tt.o)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if want := tt.want; want != "" && got != "wrong settings:\n  "+want || want == "" && got != "" {
			t.Errorf("Load(%+v) = %s, want %s", tt.o, got, tt.want)
		}
	}
}

// The settings file may be readable only once.
func TestFileIsReadOnce(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	path := "/dev/fd/" + strconv.Itoa(int(r.Fd()))
	if _, err := os.Stat(path); err != nil {
		return // this system has no such files
	}
	if _, err := w.WriteString("port: 7\n"); err != nil {
		t.Fatal(err)
	}
	w.Close()
	if v := mustLoad(t, origins{args: []string{"--config", path}}); v.Int("port") != 7 {
		t.Errorf("port = %d, want 7", v.Int("port"))
	}
}
