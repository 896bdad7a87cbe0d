package main

import (
	"fmt"
	"net"
	"os"
	"testing"

	"github.com/gorilla/websocket"
)

// init makes the test's binary a bot that plays over WebSocket: "hexarena play-test-socket".
func init() {
	if len(os.Args) < 2 || os.Args[1] != "play-test-socket" {
		return
	}
	c, _, err := websocket.DefaultDialer.Dial("ws://"+net.JoinHostPort(os.Getenv("BOT_HOST"), os.Getenv("BOT_PORT"))+"/netorcai", nil)
	if err != nil {
		fmt.Println(err)
		os.Exit(3)
	}
	say := func(format string, args ...any) {
		_ = c.WriteMessage(websocket.TextMessage, fmt.Appendf(nil, format, args...))
	}
	say(`{"message_type":"LOGIN","nickname":%q,"role":"player","metaprotocol_version":"2.0.0"}`,
		os.Getenv("BOT_NICKNAME"))
	for {
		var m struct {
			Type string `json:"message_type"`
			Turn int    `json:"turn_number"`
		}
		if err := c.ReadJSON(&m); err != nil || m.Type == "KICK" {
			os.Exit(0)
		}
		if m.Type == "TURN" {
			say(`{"message_type":"TURN_ACK","turn_number":%d,"actions":[]}`, m.Turn)
		}
	}
}

// A bot that play has started may connect over WebSocket, to the port that it is given.
func TestPlayOverWebSocket(t *testing.T) {
	t.Parallel()
	r := resultOf(t, "--turns", "10", "--port", "0", os.Args[0]+" play-test-socket", "painter")
	if status, answers := get(t, r, "seats/0/status"), get(t, r, "seats/0/answers"); status != "ok" ||
		answers != 9.0 {
		t.Errorf("status %v with %v answers, want a bot that has its seat and answered 9 turns", status,
			answers)
	}
}
