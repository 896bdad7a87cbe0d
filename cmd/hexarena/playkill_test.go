package main

import (
	"net"
	"os"
	"testing"
	"time"

	"github.com/hexarena/hexarena/server/servertest"
)

// When hexarena is killed no bot keeps running, with or without a connection to notice
// it by.
func TestPlayKilled(t *testing.T) {
	for _, tt := range []struct {
		name string
		args []string
		bots []string // their tasks; the last one keeps the match from starting
	}{
		{"hexabomb", []string{"--port", "0"}, []string{"known", "mute"}},
		{"hextictactoe", []string{"--game", "hextictactoe", "threat"}, []string{"mute"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := servertest.Listen(t)
			args := append([]string{"play", "--http", "", "--start-timeout", "1h"}, tt.args...)
			for _, task := range tt.bots {
				args = append(args, os.Args[0]+" play-test-bot "+task+" 0 "+l.Addr().String())
			}
			cmd := command(t, args...)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			defer func() { _ = cmd.Wait() }()
			defer func() { _ = cmd.Process.Kill() }()
			_ = l.(*net.TCPListener).SetDeadline(time.Now().Add(time.Minute))
			var calls []net.Conn
			for range tt.bots {
				conn, err := l.Accept()
				if err != nil {
					t.Fatal(err)
				}
				defer conn.Close()
				calls = append(calls, conn)
			}
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			for i, conn := range calls {
				_ = conn.SetReadDeadline(time.Now().Add(20 * time.Second))
				if _, err := conn.Read(make([]byte, 1)); err == nil || os.IsTimeout(err) {
					t.Errorf("bot %d is still running (%v)", i+1, err)
				}
			}
		})
	}
}
