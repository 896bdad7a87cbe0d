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

	"github.com/hexarena/hexarena/server/servertest"
)

// e2eCase provokes rows on a real process run under the name netorcai.
type e2eCase struct {
	name string
	rows []string // which it proves, all of them by what it sees
	play func(*stage)
}

func allCases() []e2eCase {
	return slices.Concat(kickCases(), logicCases(), optionCases(), promptCases(), logCases(), matchCases(), stateCases(),
		turnCases(), leaveCases(), loginCases(), stopCases(), terminalCases())
}

func TestNetorcai(t *testing.T) {
	for _, c := range allCases() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := &stage{T: t, proved: map[string]bool{}}
			c.play(s)
			for _, id := range c.rows {
				if !s.proved[id] && !t.Failed() {
					t.Errorf("row %s was not proved", id)
				}
				delete(s.proved, id)
			}
			for id := range s.proved {
				t.Errorf("row %s was proved, which the case does not say", id)
			}
		})
	}
}

// stage is where a case plays.
type stage struct {
	*testing.T
	*process // the server, once it was started
	proved   map[string]bool
}

func (s *stage) prove(ids ...string) {
	for _, id := range ids {
		s.proved[id] = true
	}
}

// open starts netorcai on a free port and waits until it listens.
func (s *stage) open(args ...string) {
	s.Helper()
	s.process = startServer(s.T, func(port string) *exec.Cmd {
		return program(s.T, "netorcai", append([]string{"--port", port}, args...)...)
	})
}

// run runs netorcai to its end.
func (s *stage) run(args ...string) (code int, stdout, stderr string) {
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
func (s *stage) login(nickname, role string) *servertest.Client {
	s.Helper()
	return servertest.Login(s.T, s.addr, nickname, role)
}

func (s *stage) player() *servertest.Client { s.Helper(); return s.login("bot", "player") }
func (s *stage) visu() *servertest.Client   { s.Helper(); return s.login("visu", "visualization") }
func (s *stage) logic() *servertest.Client  { s.Helper(); return servertest.LoginLogic(s.T, s.addr) }

// dial connects without a login.
func (s *stage) dial() *servertest.Client { s.Helper(); return servertest.Dial(s.T, s.addr) }

// kicks checks that the client is kicked for the row's reason.
func (s *stage) kicks(c *servertest.Client, id string, args ...any) {
	s.Helper()
	want := fmt.Sprintf(rowText(id), args...)
	if got := c.Until("KICK"); got.Reason != want {
		s.Errorf("kick_reason = %q, want %q", got.Reason, want)
	}
	if m, err := c.Receive(); err != io.EOF {
		s.Errorf("after the KICK: %s, %v, want the end", m.Raw, err)
	}
	c.Close()
	s.prove(id)
}

// logs waits for a line of the log with the row's text, and returns it.
func (s *stage) logs(id string) string {
	s.Helper()
	line := s.waitLine(rowText(id))
	s.prove(id)
	return line
}

// field is a field error, as it follows in a reason.
func (s *stage) field(id string, args ...any) string {
	s.prove(id)
	return fmt.Sprintf(rowText(id), args...)
}

// ends waits for the process's end with the row's exit code.
func (s *stage) ends(id string) {
	s.Helper()
	s.exit(int(strings.TrimPrefix(id, "exit/")[0] - '0'))
	s.prove(id)
}

// begin starts the match and has the game logic set the board.
func (s *stage) begin(logic *servertest.Client) servertest.Message {
	s.Helper()
	s.say("start")
	m := logic.Expect("DO_INIT")
	logic.AckInit(`{"board":0}`)
	return m
}

// finish has clients leave a match that is over, and the server ends.
func (s *stage) finish(clients ...*servertest.Client) {
	s.Helper()
	for _, c := range clients {
		c.ExpectKick("Game is finished")
		c.Close()
	}
	s.exit(0)
}

// turn has the game logic play a turn, and returns what it was told.
func turn(logic *servertest.Client, number int) servertest.Message {
	m := logic.Expect("DO_TURN")
	logic.AckTurn(-1, fmt.Sprintf(`{"board":%d}`, number))
	return m
}
