package config

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"
)

func TestNetorcaiDefaults(t *testing.T) {
	t.Setenv("HEXARENA_PORT", "5") // ignored
	want := CommandLine{Config: Config{
		Port: 4242, MaxTurns: 100, MaxPlayers: Given(4), MaxVisus: 1,
		DelayFirstTurn: time.Second, TurnInterval: Given(time.Second), Pace: Timer, LogLevel: Verbose,
	}}
	got, err := ParseNetorcai(nil)
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("ParseNetorcai() = %v (-want +got):\n%s", err, diff)
	}
}

func TestParseNetorcai(t *testing.T) {
	with := func(change func(*Config)) CommandLine {
		c, _ := ParseNetorcai(nil)
		change(&c.Config)
		return c
	}
	tests := []struct {
		args string
		want CommandLine
	}{
		{"--port=5", with(func(c *Config) { c.Port = 5 })},
		{"--port 65535", with(func(c *Config) { c.Port = 65535 })},
		{"--nb-players-max 0", with(func(c *Config) { c.MaxPlayers = Given(0) })},
		{"--nb-p=0x10 --nb-s=010 --nb-v 1024 --nb-t 1", with(func(c *Config) {
			c.MaxPlayers, c.MaxSpecials, c.MaxVisus, c.MaxTurns = Given(16), 8, 1024, 1
		})},
		{"--delay-f 50.5 --delay-t=1e4", with(
			func(c *Config) {
				c.DelayFirstTurn, c.TurnInterval = 50500*time.Microsecond, Given(
					10*time.Second)
			},
		)},
		{"--auto --f --s --j", with(
			func(c *Config) { c.Autostart, c.Pace, c.SimplePrompt, c.JSONLogs = true, Fast, true, true })},
		{"--quiet", with(func(c *Config) { c.LogLevel = Quiet })},
		{"--de", CommandLine{}},
		{"--deb", with(func(c *Config) { c.LogLevel = Debug })},
		{"--verbose", with(func(*Config) {})},
		{"-h", CommandLine{Help: true}},
		{"--help", CommandLine{Help: true}},
		{"--version", CommandLine{Version: true}},
		{"--vers", CommandLine{Version: true}},
		{"--no-such-flag --version", CommandLine{Version: true}},
		{"--version --no-such-flag=3 surplus --port 0 --port 1", CommandLine{Version: true}},
		{"-hx", CommandLine{Help: true}},
	}
	for _, tt := range tests {
		got, err := ParseNetorcai(strings.Fields(tt.args))
		if tt.want == (CommandLine{}) {
			if err == nil {
				t.Errorf("ParseNetorcai(%s) = %+v, want an error", tt.args, got)
			}
			continue
		}
		if diff := cmp.Diff(tt.want, got); err != nil || diff != "" {
			t.Errorf("ParseNetorcai(%s) = %v (-want +got):\n%s", tt.args, err, diff)
		}
	}
}

func TestNetorcaiMistakes(t *testing.T) {
	tests := []struct{ args, want string }{
		{"--port", `port (flag --port): has no value`},
		{"--version --port", `port (flag --port): has no value`},
		{"--port=5 --port=5", `port = "5" (flag --port): is given 2 times; want an integer from 1 to 65535`},
		{"--fast --fast", `fast = "true" (flag --fast): is given 2 times; want true or false`},
		{"--autostart=true", `autostart = "true" (flag --autostart): takes no value`},
		{"--version --auto=", `autostart = "" (flag --autostart): takes no value`},
		{"--help=true", `help = "true" (flag --help): takes no value`},
		{"--nb=3", `--nb (command line): could be --nb-players-max or --nb-splayers-max or --nb-turns-max or --nb-visus-max`},
		{"-h --nb", `--nb (command line): could be --nb-players-max or --nb-splayers-max or --nb-turns-max or --nb-visus-max`},
		{"--ver", `--ver (command line): could be --verbose or --version`},
		{"--quiet --debug", `debug = "true" (flag --debug): excludes quiet (flag --quiet)`},
		{"--verbose --quiet", `quiet = "true" (flag --quiet): excludes verbose (flag --verbose)`},
		{"--bind=localhost", `--bind (command line): unknown flag`},
		{"--config x", `--config (command line): unknown flag`},
		{"start", `start (command line): nothing but flags is taken`},
		{"--", `-- (command line): nothing but flags is taken`},
		{"--fast -- --version", `--version (command line): nothing but flags is taken`},
		{"--port 0 surplus", `port = "0" (flag --port): want an integer from 1 to 65535
  surplus (command line): nothing but flags is taken`},
	}
	for _, tt := range tests {
		got, err := ParseNetorcai(strings.Fields(tt.args))
		var ms Mistakes
		if !errors.As(err, &ms) || err.Error() != "wrong settings:\n  "+tt.want {
			t.Errorf("ParseNetorcai(%s) = %+v, %v; want %s", tt.args, got, err, tt.want)
		}
	}
	if _, err := ParseNetorcai([]string{"-x"}); err == nil {
		t.Error("ParseNetorcai(-x) = no error, want one")
	}
}

// A refused value has netorcai's text, and the other settings are in force.
func TestNetorcaiRefusesValues(t *testing.T) {
	for args, want := range map[string]string{
		"--port 0":             "Field '--port' is invalid: Value is less than minValue=1",
		"--port=65536":         "Field '--port' is invalid: Value is greater than maxValue=65535",
		"--port=":              `Field '--port' is invalid: Could not parse integer. Err: strconv.ParseInt: parsing "": invalid syntax`,
		"--nb-players-max map": `Invalid arguments: Field '--nb-players-max' is invalid: Could not parse integer. Err: strconv.ParseInt: parsing "map": invalid syntax`,
		"--nb-t=0 --nb-s=1025": "Invalid arguments: Field '--nb-splayers-max' is invalid: Value is " +
			"greater than maxValue=1024",
		"--delay-turns=49.99": "Invalid arguments: Field '--delay-turns' is invalid: Value is less " +
			"than minValue=50",
		"--delay-turns=NaN": "Invalid arguments: Field '--delay-turns' is invalid: Value is less " +
			"than minValue=50",
		"--delay-first-turn=1s":   `Invalid arguments: Field '--delay-first-turn' is invalid: Could not parse float. Err: strconv.ParseFloat: parsing "1s": invalid syntax`,
		"--nb-visus-max=-1 --po=": `Field '--port' is invalid: Could not parse integer. Err: strconv.ParseInt: parsing "": invalid syntax`,
	} {
		got, err := ParseNetorcai(append(strings.Fields(args), "--json-logs", "--quiet"))
		if refused := (*RefusedValue)(nil); !errors.As(err, &refused) || err.Error() != want {
			t.Errorf("ParseNetorcai(%s) = %v, want %s", args, err, want)
		}
		if !got.Config.JSONLogs || got.Config.LogLevel != Quiet {
			t.Errorf("ParseNetorcai(%s): the level is %v, as JSON %v", args, got.Config.LogLevel,
				got.Config.JSONLogs)
		}
	}
}

func TestNetorcaiHelp(t *testing.T) {
	fs := pflag.NewFlagSet("netorcai", pflag.ContinueOnError)
	NetorcaiFlags(fs)
	n := 0
	fs.VisitAll(func(*pflag.Flag) { n++ })
	if want := 14 + 2; n != want {
		t.Errorf("NetorcaiFlags defines %d flags, want %d", n, want)
	}
	for _, want := range []string{
		"-h, --help", "--version", "seats for players, 0 to 1024 (default 4)",
	} {
		if usage := fs.FlagUsages(); !strings.Contains(usage, want) {
			t.Errorf("FlagUsages() lacks %q:\n%s", want, usage)
		}
	}
}
