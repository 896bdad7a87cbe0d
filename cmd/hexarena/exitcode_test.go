package main

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/servertest"
)

// Wrong flags, arguments and settings have a separate exit code, so that a supervisor
// need not restart the server.
func TestExitCodes(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	l := servertest.Listen(t)
	_, taken, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "file")
	writeText(t, file, "nonsense\n")
	free := strconv.Itoa(freePort(t))
	const serve = "hexarena serve --bind 127.0.0.1 --record= --port "
	for _, tt := range []struct {
		line string
		code int
		says string
	}{
		{"hexarena play nowhere.py painter", exitUsage, "nowhere.py"},
		{"hexarena play --game hextictactoe --map lagoon", exitUsage, "--map"},
		{"hexarena play --port " + taken, exitFailure, "port " + taken + " is in use"},
		{"hexarena play --port 0 --http 127.0.0.1:" + taken, exitFailure, "--http"},
		{"hexarena play --record " + filepath.Join(file, "x"), exitUsage, "(flag --record): "},
		{"hexarena play --game hextictactoe --record " + file, exitUsage, "(flag --record): "},
		{"hexarena playy", exitUsage, `there is no "playy"; did you mean play?`},
		{"hexarena maps check " + file, exitFailure, ""},
		{"hexarena replay verify " + filepath.Join(file, "x"), exitFailure, ""},
		{serve + taken, exitFailure, "Cannot listen"},
		{serve + free + " --http 127.0.0.1:" + taken, exitFailure, "Cannot show the match"},
		{"netorcai --nonsense", exitFailure, "nonsense"},
		{"hexarena netorcai --nonsense", exitFailure, "nonsense"},
		{"netorcai --port " + taken, exitFailure, "Cannot listen"},
	} {
		var said bytes.Buffer
		code := run(strings.Fields(tt.line), strings.NewReader(""), &said, &said)
		if code != tt.code || !strings.Contains(said.String(), tt.says) {
			t.Errorf("%s: exit code %d, %q, want %d, %q", tt.line, code, said.String(), tt.code, tt.says)
		}
	}
}

// fullDisk is an output that takes nothing.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// A command whose output cannot be written fails, and says why once.
func TestOutputThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"", "help", "help more", "help serve", "play --help", "serve --help-all", "replay", "version",
		"--version", "version --json", "version --licenses", "maps list", "maps show lagoon", "config",
		"config --defaults", "config play --json", "help event", "__complete play", "netorcai --help",
	} {
		var said bytes.Buffer
		args := append([]string{"hexarena"}, strings.Fields(line)...)
		code := run(args, strings.NewReader(""), fullDisk{}, &said)
		if code != exitFailure || strings.Count(said.String(), "no space left") != 1 {
			t.Errorf("%v: exit code %d, %q, want %d and the error", args, code, said.String(), exitFailure)
		}
	}
}

// The table of docs/operator.md has the exit codes of this program and no others.
func TestExitCodesAreDocumented(t *testing.T) {
	t.Parallel()
	text := readText(t, "../../docs/operator.md")
	_, section, _ := strings.Cut(text, "\n## Exit codes\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var got []string
	rows := regexp.MustCompile(`(?m)^\| (\d+ \| [^|]*) \|`)
	for _, row := range rows.FindAllStringSubmatch(section, -1) {
		got = append(got, row[1])
	}
	var want []string
	for _, row := range []struct {
		code    int
		command string
	}{
		{0, "all"},
		{exitFailure, "all"},
		{exitUsage, "all"},
		{exitNeverJoined, "`play --strict`"},
		{exitUnreliable, "`play --strict`"},
		{exitNotBetter, "`cup OLD NEW`"},
		{exitExamFailed, "`cup --exam`"},
		{exitUndecided, "`cup OLD NEW`"},
		{exitUndecided, "`cup --exam`"},
		{exitDenied, "`join`"},
		{exitNoSeat, "`join`"},
		{exitTruncated, "`replay verify`"},
	} {
		want = append(want, fmt.Sprint(row.code, " | ", row.command))
	}
	if !slices.Equal(got, want) {
		t.Errorf("docs/operator.md has the exit codes\n%s\nwant\n%s", strings.Join(got, "\n"),
			strings.Join(want, "\n"))
	}
	if odd := fmt.Sprint("command line is ", exitHexabombUsage, "."); !strings.Contains(section, odd) {
		t.Errorf("docs/operator.md lacks %q", odd)
	}
}

// The systemd unit restarts a server, but not after its last match and after wrong settings.
func TestUnitKnowsExitCodes(t *testing.T) {
	unit := readText(t, "../../deploy/hexarena.service")
	for _, line := range []string{
		fmt.Sprint("RestartPreventExitStatus=0 ", exitUsage),
		fmt.Sprint("SuccessExitStatus=", exitFailure),
		"Restart=always",
	} {
		if !strings.Contains(unit, "\n"+line+"\n") {
			t.Errorf("the unit has no %s", line)
		}
	}
}
