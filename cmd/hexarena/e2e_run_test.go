package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/servertest"
)

// e2eCase produces the behaviour of rows in a real process under the name netorcai.
type e2eCase struct {
	name string
	rows []string // that it proves
	play func(*netorcaiRun)
}

func allCases() []e2eCase {
	return slices.Concat(kickCases(), logicCases(), optionCases(), promptCases(), logCases(), matchCases(), stateCases(),
		turnCases(), leaveCases(), loginCases(), stopCases(), terminalCases())
}

// alone holds the names of cases that run before the others and not beside them: a game
// logic's 16 MiB have to be read and parsed within netorcai's 3 s.
var alone = []string{"GAME_STARTS too large", "TURN too large"}

// long holds the beginnings of the names of cases that take much of a second of a processor.
var long = []string{
	"GAME_STARTS too large", "TURN too large", "GAME_ENDS too large", "log that is not read",
	"stop/a client that never reads",
}

func TestNetorcai(t *testing.T) {
	t.Parallel()
	for _, c := range allCases() {
		t.Run(c.name, func(t *testing.T) {
			if slices.ContainsFunc(long, func(name string) bool { return strings.HasPrefix(c.name, name) }) {
				thorough.Full(t)
			}
			if !slices.Contains(alone, c.name) {
				t.Parallel()
			}
			s := &netorcaiRun{T: t, proved: map[string]bool{}}
			c.play(s)
			for _, id := range c.rows {
				if !s.proved[id] && !t.Failed() {
					t.Errorf("row %s was not proved", id)
				}
				delete(s.proved, id)
			}
			for id := range s.proved {
				t.Errorf("row %s was proved, but the case does not declare it", id)
			}
		})
	}
}

// netorcaiRun is the run of a case, with its server and clients.
type netorcaiRun struct {
	*testing.T
	*process // the server; nil before open
	proved   map[string]bool
}

func (s *netorcaiRun) markProved(ids ...string) {
	for _, id := range ids {
		s.proved[id] = true
	}
}

// open starts netorcai on a free port and waits until it listens.
func (s *netorcaiRun) open(args ...string) {
	s.Helper()
	s.process = startServer(s.T, func(port string) *exec.Cmd {
		return program(s.T, "netorcai", append([]string{"--port", port}, args...)...)
	})
}

// run runs netorcai to its end.
func (s *netorcaiRun) run(args ...string) (code int, stdout, stderr string) {
	s.Helper()
	return runToEnd(s.T, program(s.T, "netorcai", args...))
}

func runToEnd(t *testing.T, cmd *exec.Cmd) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &err
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), err.String()
}

// login logs a client in.
func (s *netorcaiRun) login(nickname, role string) *servertest.Client {
	s.Helper()
	return servertest.Login(s.T, s.addr, nickname, role)
}

func (s *netorcaiRun) player() *servertest.Client { s.Helper(); return s.login("bot", "player") }
func (s *netorcaiRun) visu() *servertest.Client {
	s.Helper()
	return s.login("visu",
		"visualization")
}

func (s *netorcaiRun) logic() *servertest.Client {
	s.Helper()
	return servertest.LoginLogic(s.T, s.addr)
}

// dial connects without a login.
func (s *netorcaiRun) dial() *servertest.Client { s.Helper(); return servertest.Dial(s.T, s.addr) }

// expectKick checks that the client is kicked for the row's reason.
func (s *netorcaiRun) expectKick(c *servertest.Client, id string, args ...any) {
	s.Helper()
	want := fmt.Sprintf(rowText(id), args...)
	if got := c.Until("KICK"); got.Reason != want {
		s.Errorf("kick_reason = %q, want %q", got.Reason, want)
	}
	if m, err := c.Receive(); err != io.EOF {
		s.Errorf("after the KICK: %s, %v, want the end", m.Raw, err)
	}
	c.Close()
	s.markProved(id)
}

// waitLog waits for a line of the log with the row's text, and returns it.
func (s *netorcaiRun) waitLog(id string) string {
	s.Helper()
	line := s.waitLine(rowText(id))
	s.markProved(id)
	return line
}

// fieldReason returns the text of a field error within a reason.
func (s *netorcaiRun) fieldReason(id string, args ...any) string {
	s.markProved(id)
	return fmt.Sprintf(rowText(id), args...)
}

// expectExit waits for the end of the process and checks the row's exit code.
func (s *netorcaiRun) expectExitRow(id string) {
	s.Helper()
	s.expectExit(int(strings.TrimPrefix(id, "exit/")[0] - '0'))
	s.markProved(id)
}

// begin starts the match and lets the game logic set the board.
func (s *netorcaiRun) begin(logic *servertest.Client) servertest.Message {
	s.Helper()
	s.typeLines("start")
	m := logic.Expect("DO_INIT")
	logic.AckInit(`{"board":0}`)
	return m
}

// finish disconnects the clients of a match that is over, and waits for the server.
func (s *netorcaiRun) finish(clients ...*servertest.Client) {
	s.Helper()
	for _, c := range clients {
		c.ExpectKick("Game is finished")
		c.Close()
	}
	s.expectExit(0)
}

// turn plays a turn of the game logic, and returns its DO_TURN.
func turn(logic *servertest.Client, number int) servertest.Message {
	m := logic.Expect("DO_TURN")
	logic.AckTurn(-1, fmt.Sprintf(`{"board":%d}`, number))
	return m
}
