package main

import (
	"errors"
	"io"
	"os"
	"syscall"
	"time"

	"github.com/hexarena/hexarena/server/servertest"
)

// moments lists the moments at which a server may be stopped.
var moments = []struct {
	name string
	// the clients that are kicked for netorcai abort
	reach func(*netorcaiRun) (told []*servertest.Client)
	// the match is over: the exit code is that of its end
	done bool
}{
	{"no client", func(s *netorcaiRun) []*servertest.Client {
		s.open()
		return nil
	}, false},
	{"connected, not logged in", func(s *netorcaiRun) []*servertest.Client {
		s.open()
		c := s.dial()
		s.player() // the other login has been handled by then
		return []*servertest.Client{c}
	}, false},
	{"lobby", func(s *netorcaiRun) []*servertest.Client {
		s.open()
		return []*servertest.Client{s.logic(), s.player(), s.visu()}
	}, false},
	{"waiting for DO_INIT_ACK", func(s *netorcaiRun) []*servertest.Client {
		s.open()
		told := []*servertest.Client{s.logic(), s.player(), s.visu()}
		s.typeLines("start")
		told[0].Expect("DO_INIT")
		return told
	}, false},
	{"before the first turn", func(s *netorcaiRun) []*servertest.Client {
		s.open("--delay-first-turn=10000")
		told := []*servertest.Client{s.logic(), s.player(), s.visu()}
		s.begin(told[0])
		told[1].Expect("GAME_STARTS")
		return told
	}, false},
	{"waiting for DO_TURN_ACK", func(s *netorcaiRun) []*servertest.Client {
		s.open("--fast")
		told := []*servertest.Client{s.logic(), s.player(), s.visu()}
		s.begin(told[0])
		told[0].Expect("DO_TURN")
		return told
	}, false},
	{"mid-turn", func(s *netorcaiRun) []*servertest.Client {
		s.open("--fast")
		told := []*servertest.Client{s.logic(), s.player(), s.visu()}
		s.begin(told[0])
		turn(told[0], 1)
		told[1].Until("TURN")
		return told
	}, false},
	{"game just over", func(s *netorcaiRun) []*servertest.Client {
		s.open("--fast", "--nb-turns-max=1")
		logic, player := s.logic(), s.player()
		s.begin(logic)
		turn(logic, 1)
		player.Until("KICK") // without disconnecting
		return nil
	}, true},
	{"a client that never reads", func(s *netorcaiRun) []*servertest.Client {
		s.open("--fast")
		told := []*servertest.Client{s.logic(), s.player()}
		s.visu()
		s.begin(told[0])
		told[0].Expect("DO_TURN")
		told[0].AckTurn(-1, largeState(100)) // more than a socket holds
		told[1].Until("TURN")
		return told
	}, false},
}

// stopMethods lists the ways to stop a server.
var stopMethods = []struct {
	name string
	code int
	stop func(*netorcaiRun) error
}{
	{"SIGINT", 1, func(s *netorcaiRun) error { return s.Process.Signal(os.Interrupt) }},
	{"SIGTERM", 1, func(s *netorcaiRun) error { return s.Process.Signal(syscall.SIGTERM) }},
	{"quit", 0, func(s *netorcaiRun) error {
		_, err := io.WriteString(s.stdin, "quit\n")
		return err
	}},
}

// hasEnded reports whether a server could not be stopped because it has ended by itself.
func hasEnded(err error) bool {
	return errors.Is(err, os.ErrProcessDone) || errors.Is(err, syscall.EPIPE)
}

func stopCases() (list []e2eCase) {
	for _, m := range moments {
		for _, h := range stopMethods {
			id := "stop/" + m.name + ": " + h.name
			c := e2eCase{name: id, rows: []string{id, "kick/server stops"}, play: func(s *netorcaiRun) {
				told := m.reach(s)
				began := time.Now()
				if err := h.stop(s); err != nil && !(m.done && hasEnded(err)) {
					s.Fatal(err)
				}
				for _, c := range told {
					s.expectKick(c, "kick/server stops")
				}
				code := h.code
				if m.done {
					code = 0
				}
				s.expectExit(code)
				s.Logf("gone after %v", time.Since(began))
				s.markProved(id, "kick/server stops")
			}}
			list = append(list, c)
		}
	}
	return list
}
