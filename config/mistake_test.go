package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

func TestUnknownSettings(t *testing.T) {
	tests := []struct {
		o    origins
		want string
	}{
		{origins{
			file: "prot: 1",
		}, `prot = "1" (file arena.yaml:1): unknown setting; the nearest is port`},
		{origins{
			file: "\nnb_player_max: 4",
		}, `nb_player_max = "4" (file arena.yaml:2): unknown setting; the nearest is nb-players-max`},
		{origins{file: "a.b: 4"}, `a.b = "4" (file arena.yaml:1): unknown setting`},
		{origins{
			file: "Order: seeded",
		}, `Order = "seeded" (file arena.yaml:1): unknown setting; the nearest is order`},
		{origins{
			file: "config: x.yaml",
		}, `config = "x.yaml" (file arena.yaml:1): unknown setting`},
		{origins{
			file: "<<: {port: 1}",
		}, `<< = "..." (file arena.yaml:1): unknown setting`},
		{origins{
			file: `"a\nb": 1`,
		}, `"a\nb" = "1" (file arena.yaml:1): unknown setting`},
		{origins{env: []string{"HEXARENA_DELAY_TURN=9"}}, `HEXARENA_DELAY_TURN = "9" (environment): unknown setting; the nearest is HEXARENA_DELAY_TURNS`},
		{origins{
			env: []string{"HEXARENA_port=9"},
		}, `HEXARENA_port = "9" (environment): unknown setting; the nearest is HEXARENA_PORT`},
		{origins{
			env: []string{"HEXARENA_CONF=9"},
		}, `HEXARENA_CONF = "9" (environment): unknown setting; the nearest is HEXARENA_CONFIG`},
		{origins{
			file: "relay-token: x",
		}, `relay-token = "x" (file arena.yaml:1): no longer exists: ` + noRelays},
		{
			origins{env: []string{"HEXARENA_RELAY_TOKEN=x"}},
			`HEXARENA_RELAY_TOKEN = "x" (environment): no longer exists: ` + noRelays,
		},
		{origins{
			env: []string{"HEXARENA_=9"},
		}, `HEXARENA_ = "9" (environment): unknown setting`},
		{origins{
			args: []string{"--prot=1"},
		}, `--prot (command line): unknown flag; the nearest is --port`},
		{origins{
			args: []string{"--relay-token=x"},
		}, `--relay-token (command line): no longer exists: ` + noRelays},
		{origins{
			args: []string{"--configg"},
		}, `--configg (command line): unknown flag; the nearest is --config`},
	}
	for _, tt := range tests {
		if got := mistakes(t, tt.o); len(got) != 1 || got[0] != tt.want {
			t.Errorf("Load(%+v) = %q, want %q", tt.o, got, tt.want)
		}
	}
}

func TestBadFiles(t *testing.T) {
	thorough.Long(t)
	const header = `config = "arena.yaml" (file arena.yaml): `
	tests := []struct{ file, want string }{
		{"- port", header + "line 1: want a mapping of settings to values, not a list"},
		{"\nport", header + "line 2: want a mapping of settings to values, not a single value"},
		{"port: 1\n---\nfast: true", header + "holds more than one YAML document"},
		{"port: 1\n...\n{", header + "is not YAML: "},
		{"port: 1: 2", header + "is not YAML: "},
		{"port: \x01", header + "is not YAML: "},
		{"port: *nowhere", header + "is not YAML: "},
		{strings.Repeat("[", 100_000), header + "is not YAML: "},
		{strings.Repeat(
			"#", maxFileSize+1,
		), `config = "arena.yaml" (environment HEXARENA_CONFIG): is larger than 1048576 bytes`},
		{"port: [1]", `port = "..." (file arena.yaml:1): is a list; want an integer from 1 to 65535`},
		{"fast: {}", `fast = "..." (file arena.yaml:1): is a mapping; want true or false`},
		{"bind:", `bind = "" (file arena.yaml:1): has no value; want ` + hostWant},
		{"map: ~", `map = "~" (file arena.yaml:1): has no value; want the name of a shipped map or a file`},
		{"port: 1\nfast: true\nport: 1", `port = "1" (file arena.yaml:3): is given a second time, first in line 1; want ` + portWant},
		{"? [port]\n: 1", `a list = "1" (file arena.yaml:1): unknown setting`},
	}
	for _, tt := range tests {
		got := mistakes(t, origins{file: tt.file})
		if len(got) != 1 || !strings.HasPrefix(got[0], tt.want) {
			t.Errorf("Load(%.40q) = %q, want %q", tt.file, got, tt.want)
		}
	}
}

func TestEmptyFiles(t *testing.T) {
	for _, file := range []string{" ", "\n", "# nothing\n", "---\n", "{}", "\ufeff"} {
		if _, err := load(t, origins{file: file}); err != nil {
			t.Errorf("Load(%q) = %v, want no error", file, err)
		}
	}
}

func TestUnreadableFile(t *testing.T) {
	dir := t.TempDir()
	missing := origins{args: []string{"--config", dir + "/none.yaml", "--port=0"}}
	_, err := load(t, missing)
	want := fmt.Sprintf("wrong settings:\n  config = %q (flag --config): cannot be read: %v\n  port "+
		"= \"0\" (flag --port): want %s",
		dir+"/none.yaml", errnoOf(t, dir+"/none.yaml"), portWant)
	if err == nil || err.Error() != want || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Load(missing file) = %v, want %s", err, want)
	}
	if got := mistakes(t, origins{env: []string{"HEXARENA_CONFIG=" + dir}}); len(got) != 1 ||
		!strings.Contains(got[0], "cannot be read: ") {
		t.Errorf("Load(folder) = %q, want one mistake that says it cannot be read", got)
	}
}

// errnoOf returns the system's error of opening path.
func errnoOf(t *testing.T, path string) error {
	t.Helper()
	_, err := os.Open(path)
	var pathError *fs.PathError
	if !errors.As(err, &pathError) {
		t.Fatalf("Open(%s) = %v, want a PathError", path, err)
	}
	return pathError.Err
}

func TestAllMistakesAtOnce(t *testing.T) {
	got := mistakes(t, origins{
		file: "port: 70000\nprot: 1\nquiet: true\ndebug: true\n",
		env:  []string{"HEXARENA_SEED=-1", "HEXARENA_ODER=seeded", "HOME=/", "HEXARENA_PORT=0"},
		args: []string{"--port=x", "--nb-visus-max=1025", "--fast", "--fast"},
	})
	want := []string{
		`port = "70000" (file arena.yaml:1): want an integer from 1 to 65535`,
		`prot = "1" (file arena.yaml:2): unknown setting; the nearest is port`,
		`debug = "true" (file arena.yaml:4): excludes quiet (file arena.yaml:3)`,
		`seed = "-1" (environment HEXARENA_SEED): want random, or an integer from 0 to 18446744073709551615`,
		`HEXARENA_ODER = "seeded" (environment): unknown setting; the nearest is HEXARENA_ORDER`,
		`port = "0" (environment HEXARENA_PORT): want an integer from 1 to 65535`,
		`fast = "true" (flag --fast): is given 2 times; want true or false`,
		`nb-visus-max = "1025" (flag --nb-visus-max): want an integer from 0 to 1024`,
		`port = "x" (flag --port): want an integer from 1 to 65535`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Load() (-want +got):\n%s", diff)
	}
}

func TestMistakesAreBounded(t *testing.T) {
	var file strings.Builder
	for i := range 60 {
		fmt.Fprintf(&file, "x%d%s: %s\n", i, strings.Repeat("é", 500), strings.Repeat("v", 5000))
	}
	_, err := load(t, origins{file: file.String()})
	if text := fmt.Sprint(err); !strings.HasSuffix(text, "\n  and 10 more") || len(text) > 20_000 ||
		!strings.Contains(text, "…") {
		t.Errorf("Load(60 long unknown settings) = %d bytes: %.500s, want 50 short lines", len(text),
			text)
	}
}

func TestSuggest(t *testing.T) {
	names := []string{"port", "record", "order", "nb-players-max"}
	for name, want := range map[string]string{
		"prot": "; or port", "nb_player_max": "; or nb-players-max", "foo": "", "x": "", "": "",
		"recalls": "",
	} {
		if got := Suggest("; or ", name, names); got != want {
			t.Errorf("Suggest(%q) = %q, want %q", name, got, want)
		}
	}
}
