package main

import (
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func optionCases() []e2eCase {
	cases := []e2eCase{
		{"default port", []string{
			"option/port: default",
		}, func(s *netorcaiRun) { s.expectBind(4242); s.markProved("option/port: default") }},
		{"least and most port", []string{
			"option/port: least", "option/port: most",
		}, func(s *netorcaiRun) {
			s.expectBind(1, "--port=1")
			s.expectBind(65535, "--port", "65535")
			s.markProved("option/port: least", "option/port: most")
		}},
		{"port taken", []string{"log/cannot listen", "exit/1: port taken"}, playPortTaken},
		{"usage errors", []string{
			"option/ambiguous beginning", "option/repeated", "option/switch with a value",
			"option/number without a value",
			"option/two log levels", "option/unknown", "option/argument", "option/not a number",
			"exit/1: usage error",
		}, playUsageErrors},
		{"help and version", []string{
			"option/-h", "option/--help", "option/--version", "option/--version beside an unknown option",
			"exit/0: help", "exit/0: version",
		}, playHelp},
		{"ways to write options", []string{
			"option/as --name=value", "option/as --name value", "option/0x10 and 010",
			"option/beginning of a name", "option/fractions of delays",
		}, playSpellings},
		{"environment and settings file", []string{
			"option/environment and settings file do not count",
		}, playNothingElseCounts},
		{"switches", []string{
			"option/autostart", "option/fast", "option/simple-prompt", "option/json-logs",
		}, playSwitches},
		{"log levels", []string{
			"option/verbose", "option/quiet", "option/debug", "log/verbose", "log/quiet", "log/debug",
		}, playLevels},
	}
	values := e2eCase{name: "values", play: playValues}
	ranges := e2eCase{
		name: "values out of range", rows: []string{"exit/1: value out of range"}, play: playRanges,
	}
	for _, o := range numbers {
		ranges.rows = append(ranges.rows, "option/"+o.name+": below the least",
			"option/"+o.name+": above the most")
		if o.name != "port" {
			values.rows = append(values.rows, "option/"+o.name+": default", "option/"+o.name+": least",
				"option/"+o.name+": most")
		}
	}
	return append(cases, values, ranges)
}

// expectBind checks that netorcai tries to listen on a port. The port may be taken by
// another program or reserved by the system.
func (s *netorcaiRun) expectBind(port int, args ...string) {
	s.Helper()
	p := start(s.T, program(s.T, "netorcai", append(args, "--json-logs")...))
	line := p.nextLine()
	var told struct {
		Msg  string
		Port int
		Err  string
	}
	if err := json.Unmarshal([]byte(line), &told); err != nil {
		s.Fatalf("%s: %v", line, err)
	}
	switch told.Msg {
	case "Listening incoming connections":
		if told.Port != port {
			s.Errorf("it listens on port %d, want %d", told.Port, port)
		}
	case "Cannot listen incoming connections":
		if !strings.Contains(told.Err, strconv.Itoa(port)) {
			s.Errorf("it tried something else than port %d: %s", port, line)
		}
	default:
		s.Errorf("the first line is %s", line)
	}
}

func playPortTaken(s *netorcaiRun) {
	s.open()
	code, stdout, _ := s.run("--port", strconv.Itoa(s.port))
	if code != 1 || !strings.Contains(stdout, rowText("log/cannot listen")) ||
		strings.Contains(stdout, "Listening") {
		s.Errorf("a second instance: exit code %d, %s", code, stdout)
	}
	s.player() // the first server still works
	s.markProved("log/cannot listen", "exit/1: port taken")
}

// expectUsageError checks that netorcai does not start with these arguments.
func (s *netorcaiRun) expectUsageError(args ...string) {
	s.Helper()
	if code, stdout, stderr := s.run(args...); code != 1 || stdout == "" || stderr != "" {
		s.Errorf("%q: exit code %d, %q and %q, want 1, an explanation and nothing", args, code, stdout,
			stderr)
	}
}

func playRanges(s *netorcaiRun) {
	for _, o := range numbers {
		s.expectUsageError("--" + o.name + "=" + o.below)
		s.expectUsageError("--"+o.name, o.above)
		s.markProved("option/"+o.name+": below the least", "option/"+o.name+": above the most")
	}
	s.markProved("exit/1: value out of range")
}

func playUsageErrors(s *netorcaiRun) {
	for id, lines := range map[string][]string{
		"option/ambiguous beginning":    {"--nb=3", "--delay=100", "--ver"},
		"option/repeated":               {"--port=5000 --port=5000", "--fast --fast", "--auto --autostart"},
		"option/switch with a value":    {"--autostart=true", "--fast=false", "--quiet="},
		"option/number without a value": {"--port", "--fast --nb-turns-max"},
		"option/two log levels":         {"--verbose --quiet", "--quiet --debug", "--debug --verbose"},
		"option/unknown":                {"--no-such-option", "-x", "--bind=localhost", "--config=x", "--map=lagoon"},
		"option/argument":               {"start", "5000", "--port=5000 x", "--"},
		"option/not a number":           {"--port=x", "--port=", "--nb-turns-max=1.5", "--nb-players-max=map", "--delay-turns=1s", "--delay-turns=NaN", "--port=99999999999999999999"},
	} {
		for _, line := range lines {
			s.expectUsageError(strings.Fields(line)...)
		}
		s.markProved(id)
	}
	s.markProved("exit/1: usage error")
}

var versionPattern = regexp.MustCompile(`\Av2\.0\.0\S*\n\z`)

func playHelp(s *netorcaiRun) {
	for _, line := range []string{"-h", "--help", "--he", "--port=5000 -h --no-such-option"} {
		if code, stdout, _ := s.run(strings.Fields(line)...); code != 0 ||
			!strings.Contains(stdout, "--nb-players-max") {
			s.Errorf("%s: exit code %d, %q", line, code, stdout)
		}
	}
	for _, line := range []string{
		"--version", "--vers", "--version --no-such-option", "--no-such-option=3 --version",
		"--port=70000 --version surplus",
	} {
		if code, stdout, stderr := s.run(strings.Fields(line)...); code != 0 ||
			!versionPattern.MatchString(stdout) || stderr != "" {
			s.Errorf("%s: exit code %d, %q, %q", line, code, stdout, stderr)
		}
	}
	s.markProved("option/-h", "option/--help", "exit/0: help", "option/--version",
		"option/--version beside an unknown option", "exit/0: version")
}

// expectValues checks the values of the variables.
func (s *netorcaiRun) expectValues(values ...string) {
	s.Helper()
	for i, o := range numbers[1:] { // all but the port
		values[i] = o.name + "=" + values[i]
	}
	s.expectReply("print all", values...)
}

func playValues(s *netorcaiRun) {
	for _, what := range []string{"default", "least", "most"} {
		var args, values []string
		for _, o := range numbers[1:] {
			value := map[string]string{"default": o.standard, "least": o.least, "most": o.most}[what]
			values = append(values, value)
			if what != "default" {
				args = append(args, "--"+o.name+"="+value)
			}
			s.markProved("option/" + o.name + ": " + what)
		}
		s.open(args...)
		s.expectValues(values...)
	}
}

func playSpellings(s *netorcaiRun) {
	s.open("--nb-t=0x10", "--nb-p", "010", "--nb-s=0b11", "--nb-visus-max", "7", "--delay-f=50.5",
		"--delay-turns", "9999.75")
	s.expectValues("16", "8", "3", "7", "50.5", "9999.75")
	s.markProved("option/as --name=value", "option/as --name value", "option/0x10 and 010",
		"option/beginning of a name", "option/fractions of delays")
}

func playNothingElseCounts(s *netorcaiRun) {
	file := filepath.Join(s.TempDir(), "arena.yaml")
	if err := os.WriteFile(file, []byte("nb-visus-max: 7\nno-such-key: 5\n"), 0o600); err != nil {
		s.Fatal(err)
	}
	port := freePort(s.T)
	cmd := program(s.T, "netorcai", "--port", strconv.Itoa(port))
	cmd.Env = append(cmd.Env, "HEXARENA_CONFIG="+file, "HEXARENA_NB_TURNS_MAX=7",
		"HEXARENA_PORT=nonsense", "HEXARENA_NO_SUCH_KEY=1", "HEXARENA_FAST=true")
	s.process = start(s.T, cmd)
	if line := s.nextLine(); !strings.Contains(line, rowText("log/listening")) {
		s.Fatal(line)
	}
	s.expectValues("100", "4", "0", "1", "1000", "1000")
	s.markProved("option/environment and settings file do not count")
}

func playSwitches(s *netorcaiRun) {
	s.open("--autostart", "--fast", "--simple-prompt", "--json-logs", "--nb-players-max=0",
		"--nb-visus-max=0", "--nb-turns-max=2")
	logic := s.logic()
	if line := s.nextLine(); !strings.HasPrefix(line, `{"level":"info"`) {
		s.Errorf("not JSON: %s", line)
	}
	logic.Expect("DO_INIT") // without the start command
	logic.AckInit("{}")
	turn(logic, 1)
	turn(logic, 2) // at the fast pace: at the timer's pace the delays exceed 100 ms
	s.finish(logic)
	s.markProved("option/autostart", "option/fast", "option/simple-prompt", "option/json-logs")
}

// atLevel returns the log of a server while one client is kicked, another logs in, and a
// silent one disconnects.
func (s *netorcaiRun) atLevel(flag string) []string {
	s.Helper()
	port := freePort(s.T)
	s.process = start(s.T, program(s.T, "netorcai", "--port", strconv.Itoa(port), flag))
	s.addr = net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	s.typeLines("hello") // has no effect
	waitListening(s.T, s.addr)
	s.dial().Close() // sends nothing
	c := s.dial()
	c.Send("garbage")
	c.Until("KICK")
	s.player()
	s.typeLines("quit")
	return s.readRest()
}

// waitListening waits until a server listens, without reading its log.
func waitListening(t *testing.T, addr string) {
	t.Helper()
	for range 100000 {
		if conn, err := net.Dial("tcp", addr); err == nil {
			conn.Close()
			return
		}
	}
	t.Fatal("the server does not listen")
}

func playLevels(s *netorcaiRun) {
	const nothingSaid = "Remote endpoint closed? Read error: EOF"
	for _, tt := range []struct {
		flag      string
		want, not []string
	}{
		{"--verbose", []string{
			"Listening", "Kicking client", "New player accepted", "Shell exited", "Sending KICK",
			nothingSaid, "Closing",
		}, nil},
		{"--quiet", []string{
			"Kicking client", "Shell exited", nothingSaid, "Sending KICK", "Closing",
		}, []string{"Listening", "New player"}},
		{"--debug", []string{
			"Listening", nothingSaid, "Kicking client", "New player accepted", "Shell exited",
			"New connection", "New message received",
		}, nil},
	} {
		all := strings.Join(s.atLevel(tt.flag), "\n")
		for _, want := range tt.want {
			if !strings.Contains(all, want) {
				s.Errorf("%s lacks %q:\n%s", tt.flag, want, all)
			}
		}
		for _, not := range tt.not {
			if strings.Contains(all, not) {
				s.Errorf("%s has %q:\n%s", tt.flag, not, all)
			}
		}
		name := strings.TrimPrefix(tt.flag, "--")
		s.markProved("option/"+name, "log/"+name)
	}
}
