package main

import (
	"encoding/binary"
	"encoding/json"
	"net"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/server/servertest"
)

// A server that disconnects a bot writes nothing of its own to the terminal, and no line that looks
// like one of another program.
func TestHostileKick(t *testing.T) {
	t.Parallel()
	l := servertest.Listen(t)
	kick, err := json.Marshal(
		map[string]string{
			"message_type": "KICK", "kick_reason": "\x1b]0;title\a\x1b[31m\u009b\u202e\r\nfake: line",
		},
	)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		conn, err := l.Accept()
		if err != nil {
			return // the test is over
		}
		defer conn.Close()
		// the bot may be gone
		_, _ = conn.Write(append(binary.LittleEndian.AppendUint32(nil, uint32(len(kick))), kick...))
		_, _ = conn.Read(make([]byte, 1<<10))
		_, _ = conn.Read(make([]byte, 1<<10)) // until the bot closes the connection
	}()
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := hexarena("bot", "random", "--host", "127.0.0.1", "--port", port)
	if code == 0 || strings.ContainsAny(stdout+stderr, "\x1b\a\r\u009b\u202e") ||
		strings.Contains(stderr, "\nfake") || !strings.Contains(stderr, "fake: line") {
		t.Errorf("exit code %d\n%q\n%q", code, stdout, stderr)
	}
}
