package config

import (
	"errors"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

func TestFlagForms(t *testing.T) {
	tests := []struct {
		args []string
		key  string
		want string
	}{
		{[]string{"--port", "5"}, "port", "5"},
		{[]string{"--autostart"}, "autostart", "true"},
		{[]string{"--autostart=false"}, "autostart", "false"},
		{[]string{"--auto"}, "autostart", "true"},
		{[]string{"--nb-p=3"}, "nb-players-max", "3"},
		{[]string{"--delay-t", "70"}, "delay-turns", "70"},
		{[]string{"--seed="}, "seed", ""},
	}
	for _, tt := range tests {
		e, err := load(t, origins{args: tt.args})
		switch {
		case tt.want == "" && err == nil:
			t.Errorf("Load(%v) = no error, want one", tt.args)
		case tt.want != "" && err != nil:
			t.Errorf("Load(%v) = %v, want no error", tt.args, err)
		case tt.want != "" && shown(t, e, tt.key) != tt.want:
			t.Errorf("Load(%v): %s = %s, want %s", tt.args, tt.key, shown(t, e, tt.key), tt.want)
		}
	}
}

// Flags that repeat add to each other, and no others may repeat.
func TestRepeatedFlags(t *testing.T) {
	played := Scope{Command: Play, Games: games}
	fs := pflag.NewFlagSet("play", pflag.ContinueOnError)
	played.Flags(fs)
	if err := fs.Parse([]string{"--env", "A", "--env=B=1 C", "--port=1", "--port=2"}); err != nil {
		t.Fatal(err)
	}
	v, err := played.Load(fs, []string{"HEXARENA_ENV=D"})
	if got := v.Text("env"); got != "A B=1 C" {
		t.Errorf("env = %q, want what both flags say", got)
	}
	if err == nil || !strings.Contains(err.Error(), "port") || strings.Contains(err.Error(), "env") {
		t.Errorf("Load = %v, want an error about port alone", err)
	}
}

func TestFlagErrors(t *testing.T) {
	tests := []struct {
		arg, want string
	}{
		{"--nb=3", "wrong settings:\n  --nb (command line): could be --nb-players-max or " +
			"--nb-splayers-max or --nb-turns-max or --nb-visus-max"},
		{"--port", "wrong settings:\n  port (flag --port): has no value"},
		{"--por", "wrong settings:\n  port (flag --port): has no value"},
		{"-x", "unknown shorthand flag: 'x' in -x"},
		{"--=3", "bad flag syntax: --=3"},
	}
	for _, tt := range tests {
		fs := newFlags()
		err := fs.Parse([]string{tt.arg})
		if got := FlagError(fs, err); got == nil || got.Error() != tt.want || !errors.Is(got, err) {
			t.Errorf("FlagError(%s) = %v, want %s", tt.arg, got, tt.want)
		}
	}
	empty := pflag.NewFlagSet("", pflag.ContinueOnError)
	err := FlagError(empty, empty.Parse([]string{"--port"}))
	if want := "wrong settings:\n  --port (command line): unknown flag"; err == nil ||
		err.Error() != want {
		t.Errorf("FlagError(no flags) = %v, want %s", err, want)
	}
	if err := FlagError(empty, nil); err != nil {
		t.Errorf("FlagError(nil) = %v, want nil", err)
	}
}

func TestRepeatedConfigFlag(t *testing.T) {
	want := `config = "" (flag --config): is given 2 times`
	if got := mistakes(t, origins{args: []string{"--config=a", "--config="}}); len(got) != 1 ||
		got[0] != want {
		t.Errorf("Load() = %q, want %q", got, want)
	}
}

// TestForeignFlags checks that a command may have flags that are not settings.
func TestForeignFlags(t *testing.T) {
	fs := newFlags()
	fs.Bool("defaults", false, "")
	if err := fs.Parse([]string{"--defaults", "--port=7"}); err != nil {
		t.Fatal(err)
	}
	v, err := scope.Load(fs, nil)
	if err != nil || v.Int("port") != 7 {
		t.Errorf("Load() = %+v, %v, want port 7", v, err)
	}
}

func TestFlagHelp(t *testing.T) {
	fs := newFlags()
	help := fs.FlagUsages()
	for _, want := range []string{
		"--port int ", "TCP port that clients connect to, 1 to 65535 (default 4242)\n",
		"--autostart ", "--login-timeout duration ", "(default map)\n", "--delay-first-turn ms ",
		"--pace fast|timer ", "--config file ",
	} {
		if !strings.Contains(help, want) {
			t.Errorf("FlagUsages() lacks %q:\n%s", want, help)
		}
	}
	fs.VisitAll(func(f *pflag.Flag) {
		if f.Usage == "" {
			t.Errorf("flag --%s is not explained", f.Name)
		}
	})
}
