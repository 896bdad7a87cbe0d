package kits_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hexarena/hexarena/bots/botstest"
	"github.com/hexarena/hexarena/bots/kits"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/servertest"
)

// A signal that comes while a kit connects does not end that: the bot logs in by its first
// connection. The server's queue is full at first, so that to connect takes a second, until the
// system tries again.
func TestSignalsWhileConnecting(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	for _, k := range botstest.Kits(kits.All) {
		t.Run(k.Folder, func(t *testing.T) {
			t.Parallel()
			argv := build(t, k, k.Vectors)
			l := servertest.Listen(t).(*net.TCPListener)
			_ = l.SetDeadline(time.Now().Add(patience))
			shorten(t, l)
			servertest.Dial(t, l.Addr().String())
			host, port, _ := net.SplitHostPort(l.Addr().String())
			cmd := exec.CommandContext(t.Context(), argv[0], argv[1:]...)
			cmd.Env = append(environment(), "BOT_HOST="+host, "BOT_PORT="+port)
			var printed bytes.Buffer
			cmd.Stderr = &printed
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan struct{})
			go func() { defer close(ended); _ = cmd.Wait() }()
			defer func() { _ = cmd.Process.Kill(); <-ended }()
			for !connecting(t, l) {
				select {
				case <-ended:
					t.Fatalf("the bot ends while it connects, and prints:\n%s", printed.Bytes())
				case <-time.After(5 * time.Millisecond):
				}
			}
			if _, err := l.Accept(); err != nil { // the connection that filled the queue
				t.Fatal(err)
			}
			conn, err := l.Accept()
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			_ = conn.SetDeadline(time.Now().Add(patience))
			if m, err := netorcai.ReadFrame(bufio.NewReader(conn), nil, netorcai.Limit); err != nil {
				t.Errorf("the bot's first connection: %q, %v; want its LOGIN", m, err)
			}
		})
	}
}

// shorten limits the queue of connections to be accepted to one.
func shorten(t *testing.T, l *net.TCPListener) {
	t.Helper()
	raw, err := l.SyscallConn()
	if err == nil {
		_ = raw.Control(func(fd uintptr) { err = syscall.Listen(int(fd), 0) })
	}
	if err != nil {
		t.Fatal(err)
	}
}

// connecting reports whether a process is connecting to a listener.
func connecting(t *testing.T, l net.Listener) bool {
	t.Helper()
	const synSent = 2
	to := fmt.Sprintf("0100007F:%04X %02X ", l.Addr().(*net.TCPAddr).Port, synSent)
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} { // Java's sockets are of IPv6
		text, err := os.ReadFile(table)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		if strings.Contains(string(text), to) {
			return true
		}
	}
	return false
}
