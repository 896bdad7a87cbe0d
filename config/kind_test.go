package config

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// accepted maps texts of values to the values as Print shows them.
var accepted = map[string]map[string]string{
	"port":                        {"1": "1", "65535": "65535", "0x10": "16", "010": "8", "+7": "7"},
	"turns":                       {"1": "1", "65535": "65535", "0xffff": "65535"},
	"nb-turns-max":                {"1": "1", "65535": "65535", "0xffff": "65535"},
	"players":                     {"0": "0", "map": "map"},
	"seats":                       {"": `""`, "open http://localhost:8002": `"open http://localhost:8002"`},
	"special-players":             {"1": "1"},
	"visualizations":              {"0": "0"},
	"pace":                        {"fast": "fast", "timer": "timer"},
	"fast":                        {"true": "true", "0": "false"},
	"tps":                         {"auto": "auto", "10": "10", "0.001": "0.001", "1e6": "1000000", "1.50": "1.5", "3.33333333": "3.33333333"},
	"nb-players-max":              {"0": "0", "1024": "1024", "map": "map", "010": "8"},
	"nb-splayers-max":             {"0": "0", "1024": "1024", "-0": "0"},
	"nb-visus-max":                {"0": "0", "1024": "1024"},
	"delay-first-turn":            {"50": "50", "10000": "10000", "50.5": "50.5", "1e3": "1000"},
	"delay-turns":                 {"50": "50", "10000.0": "10000", "9999.999999": "9999.999999"},
	"matches":                     {"1": "1", "1000000": "1000000", "endless": "endless"},
	"autostart":                   {"true": "true", "false": "false", "1": "true", "FALSE": "false"},
	"game":                        {"hexabomb": "hexabomb", "toy": "toy"},
	"map":                         {"crossroads": `"crossroads"`, "010": `"010"`, "./my map.txt": `"./my map.txt"`, "2026-01-02": `"2026-01-02"`, "~": `"~"`},
	"bind":                        {"": `""`, "0.0.0.0": `"0.0.0.0"`, "::": `"::"`, "fe80::1%eth0": `"fe80::1%eth0"`, "bots.example.org": `"bots.example.org"`, "my_box-1": `"my_box-1"`, "4f3a": `"4f3a"`},
	"turn-timeout":                {"0": "off", "0s": "off", "off": "off", "500ms": "500ms", "2s": "2s", "1h30m": "1h30m0s"},
	"game-timeout":                {"0": "off", "off": "off", "10s": "10s"},
	"login-timeout":               {"1ns": "1ns", "10s": "10s"},
	"reconnect":                   {"0": "off", "off": "off", "1m": "1m0s"},
	"write-timeout":               {"0": "off", "30s": "30s"},
	"linger":                      {"0": "off", "500ms": "500ms"},
	"drain-timeout":               {"0": "off", "30s": "30s"},
	"max-connections":             {"0": "0", "1000000": "1000000"},
	"max-connections-per-address": {"0": "0"},

	"max-page-connections":             {"0": "0", "1000000": "1000000"},
	"max-page-connections-per-address": {"0": "0"},

	"max-message-size": {"1024": "1024", "0xffffff": "16777215", "game": "game"},
	"max-message-rate": {"0": "0"},

	"max-visu-message-size":  {"1024": "1024"},
	"max-visu-message-rate":  {"0": "0"},
	"max-logic-message-size": {"1024": "1024"},
	"max-message-depth":      {"8": "8", "512": "512"},

	"tokens":   {"": `""`, "tokens.txt": `"tokens.txt"`},
	"tls-cert": {"": `""`, "cert.pem": `"cert.pem"`},
	"tls-key":  {"": `""`, "key.pem": `"key.pem"`},
	"order":    {"arrival": "arrival", "seeded": "seeded"},
	"seed":     {"0": "0", "18446744073709551615": "18446744073709551615", "0xff": "255", "random": "random"},
	"http":     {"": `""`, ":8080": `":8080"`},
	"health":   {"": `""`, ":8081": `":8081"`},
	"durable":  {"turn": "turn", "second": "second", "end": "end"},
	"keep-recordings": {
		"all": "all", "100": "100", "1GiB": "1GiB", "1024MiB": "1GiB", "500MB": "500MB", "72h": "3d",
		"30d": "30d", "90m": "1h30m0s",
		"30d,5,2GB": "5,2GB,30d", "16384KiB": "16MiB",
	},
	"logs":          {"": `""`, "my logs": `"my logs"`},
	"start-timeout": {"1m": "1m0s", "300ms": "300ms"},
	"record":        {"": `""`, "recordings": `"recordings"`, "Spiele/grün": `"Spiele/grün"`},
	"tc":            {"": `""`, "60+0.5": `"60+0.5"`},
}

const (
	portWant    = "an integer from 1 to 65535"
	playersWant = "map, or an integer from 0 to 1024"
	seatsWant   = "an integer from 0 to 1024"
	delayWant   = "a number from 50 to 10000 (milliseconds)"
	switchWant  = "true or false"
	addressWant = "an address with a port of 0 to 65535, such as 127.0.0.1:8080 or :8080, or " +
		"nothing for none"
	hostWant = "an IP address, a host name, or nothing for all interfaces"
)

var refused = map[string]struct {
	want  string
	texts []string
}{
	"port": {portWant, []string{
		"0", "65536", "-1", "", "x", "1.0", "08", "99999999999999999999", "true", " 1", "4242\n",
	}},
	"turns":           {portWant, []string{"0", "65536"}},
	"nb-turns-max":    {portWant, []string{"0", "65536"}},
	"players":         {playersWant, []string{"-1", "1025", "game"}},
	"seats":           {"printable text", []string{"open\nopen"}},
	"special-players": {seatsWant, []string{"-1", "1025"}},
	"visualizations":  {seatsWant, []string{"-1", "1025"}},
	"pace":            {"fast or timer", []string{"", "slow", "Fast"}},
	"tps": {"auto, or 0, or a number from 0.001 to 1000000", []string{
		"-1", "0.0009", "1000001", "NaN", "Inf", "1e400", "", "fast",
	}},
	"nb-players-max":  {playersWant, []string{"-1", "1025", "Map", "", "null"}},
	"nb-splayers-max": {seatsWant, []string{"-1", "1025"}},
	"nb-visus-max":    {seatsWant, []string{"-1", "1025"}},
	"delay-first-turn": {delayWant, []string{
		"49.999", "10000.001", "NaN", "Inf", "-Inf", "1e400", "1s", "",
	}},
	"delay-turns":   {delayWant, []string{"49", "10001", "nan", "-50"}},
	"autostart":     {switchWant, []string{"yes", "2", "", "truee"}},
	"fast":          {switchWant, []string{"on"}},
	"simple-prompt": {switchWant, []string{"no"}},
	"verbose":       {switchWant, []string{"x"}},
	"matches": {"endless, or an integer from 1 to 1000000", []string{
		"0", "1000001", "-1", "", "Endless",
	}},
	"quiet":     {switchWant, []string{"x"}},
	"debug":     {switchWant, []string{"x"}},
	"json-logs": {switchWant, []string{"x"}},
	"game":      {"hexabomb or toy", []string{"", "chess", "Hexabomb"}},
	"map": {"the name of a shipped map or a file", []string{
		"", "a\x00b", "a\nb",
	}},
	"bind": {hostWant, []string{
		"localhost:4242", "300.1.1.1", "1.2.3", "[::1]", "a b", "-a", "a..b", ".",
	}},
	"turn-timeout": {"off, or a duration such as 500ms or 2s", []string{
		"-1s", "5", "", "1y", "9999999h", "Off",
	}},
	"game-timeout": {"off, or a duration such as 500ms or 2s", []string{"-1s", "10"}},
	"login-timeout": {"a duration above zero such as 10s", []string{
		"0", "off", "-1s", "10", "",
	}},
	"reconnect": {"off, or a duration such as 500ms or 2s", []string{
		"-1s", "10", "no",
	}},
	"write-timeout":               {"off, or a duration such as 500ms or 2s", []string{"-1s", "10"}},
	"linger":                      {"off, or a duration such as 500ms or 2s", []string{"-1s", "5"}},
	"drain-timeout":               {"off, or a duration such as 500ms or 2s", []string{"-1s", "10"}},
	"max-connections":             {"an integer from 0 to 1000000", []string{"-1", "1000001", "many"}},
	"max-connections-per-address": {"an integer from 0 to 1000000", []string{"-1"}},

	"max-page-connections":             {"an integer from 0 to 1000000", []string{"-1"}},
	"max-page-connections-per-address": {"an integer from 0 to 1000000", []string{"-1"}},

	"max-message-size": {"game, or an integer from 1024 to 16777215", []string{
		"1023", "16777216", "", "Game",
	}},
	"max-message-rate": {"an integer from 0 to 10000000", []string{"-1"}},

	"max-visu-message-size":  {"an integer from 1024 to 16777215", []string{"1023"}},
	"max-visu-message-rate":  {"an integer from 0 to 10000000", []string{"-1"}},
	"max-logic-message-size": {"an integer from 1024 to 16777215", []string{"1023"}},
	"max-message-depth":      {"an integer from 8 to 512", []string{"7", "513"}},

	"tokens":   {"printable text", []string{"a\tb"}},
	"tls-cert": {"printable text", []string{"a\tb"}},
	"tls-key":  {"printable text", []string{"a\tb"}},
	"order":    {"arrival or seeded", []string{"", "random"}},
	"seed": {"random, or an integer from 0 to 18446744073709551615", []string{
		"-1", "18446744073709551616", "1.5", "",
	}},
	"http": {addressWant, []string{
		"a\tb", "nowhere", ":http", ":65536", ":-1", "1.2.3.4", "a\n:1",
	}},
	"env": {"printable text", []string{"a\tb"}},

	"js":             {"auto or builtin or node", []string{"deno", "Node", ""}},
	"js-memory":      {"an integer from 16 to 1048576", []string{"15", "1048577", "64MiB", ""}},
	"isolate":        {"true or false", []string{"maybe", "2"}},
	"isolate-image":  {"printable text", []string{"a\tb"}},
	"isolate-memory": {"an integer from 16 to 1048576", []string{"15", "1048577", "512m", ""}},
	"isolate-cpus":   {"an integer from 1 to 1024", []string{"0", "1025", "0.5", ""}},
	"page-hosts": {"host names, separated by spaces", []string{
		"a..b", "event.example:80", "a,b", "a\nb",
	}},
	"trusted-proxies": {"IP addresses and networks, separated by spaces", []string{
		"a.example", "10.0.0.0/33", "1.2.3.4:80",
	}},
	"health":  {addressWant, []string{"a\tb", "8081"}},
	"durable": {"turn or second or end", []string{"", "never", "Turn", "1"}},
	"keep-recordings": {KeepAccepts, []string{
		"", "0", "-1", "none", "1,2", "1GiB,1GB", "1h,1d", "1KiB", "15MiB", "GiB", "1.5GiB", "0d", "-1h",
		"1GiB,", "99999999TiB", "1 GiB", "99999d",
	}},
	"logs":          {"printable text", []string{"a\nb"}},
	"start-timeout": {"a duration above zero such as 10s", []string{"0", "off", "no"}},
	"record":        {"printable text", []string{"a\x1b[2J"}},
	"tc":            {"printable text", []string{"a\tb"}},
	"public":        {switchWant, []string{"x"}},
}

// from sets one setting from each of the origins.
func from(name, text string) map[string]origins {
	return map[string]origins{
		"file arena.yaml:2":            {file: "# here\n" + name + ": " + strconv.Quote(text)},
		"environment " + envName(name): {env: []string{envName(name) + "=" + text}},
		"flag --" + name:               {args: []string{"--" + name + "=" + text}},
	}
}

func TestAccepted(t *testing.T) {
	thorough.Full(t)
	for name, texts := range accepted {
		for text, want := range texts {
			for place, o := range from(name, text) {
				t.Run(fmt.Sprintf("%s %q %s", name, text, place), func(t *testing.T) {
					v := mustLoad(t, o)
					if got := shown(t, v, name); got != want || origin(v, name) != place {
						t.Errorf("%s = %s from %s, want %s from %s", name, got, origin(v, name), want, place)
					}
				})
			}
		}
	}
}

func TestRefused(t *testing.T) {
	thorough.Long(t)
	for _, s := range scope.Settings() {
		for _, name := range s.names() {
			tt, ok := refused[name]
			if !ok {
				t.Errorf("no test of %s", name)
			}
			for _, text := range tt.texts {
				for place, o := range from(name, text) {
					t.Run(fmt.Sprintf("%s %q %s", name, text, place), func(t *testing.T) {
						want := fmt.Sprintf("%s = %q (%s): want %s", name, text, place, tt.want)
						if got := mistakes(t, o); len(got) != 1 || got[0] != want {
							t.Errorf("Load(%+v) = %q, want %q", o, got, want)
						}
					})
				}
			}
		}
	}
}

// TestPlainYAML shows that numbers and words need no quotes in the file.
func TestPlainYAML(t *testing.T) {
	file := "port: 0x10\nnb-turns-max: 010\ndelay-turns: 50.50\nmap: 010\nrecord: 2026-01-02\nseed: " +
		"18446744073709551615\n" +
		"turn-timeout: off\nbind: &here ::1\ntokens: *here\n"
	e := mustLoad(t, origins{file: file})
	want := map[string]string{
		"port": "16", "nb-turns-max": "8", "delay-turns": "50.5", "map": `"010"`,
		"record": `"2026-01-02"`,
		"seed":   "18446744073709551615", "turn-timeout": "off", "bind": `"::1"`, "tokens": `"::1"`,
	}
	for name, value := range want {
		if got := shown(t, e, name); got != value {
			t.Errorf("%s = %s, want %s", name, got, value)
		}
	}
}
