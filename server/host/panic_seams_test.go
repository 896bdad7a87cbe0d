package host_test

import (
	"errors"
	"net"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/machine/limits"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/servertest"
	"github.com/hexarena/hexarena/server/session"
)

// panickingMeter panics when it counts a refusal, or the kick of a late client.
type panickingMeter struct{ session.NoMeter }

func (panickingMeter) Refused(string) { panic("the meter broke") }

func (panickingMeter) Kicked(reason string) {
	if strings.HasPrefix(reason, "Did not receive") {
		panic("the meter broke")
	}
}

// A panic while refusing a connection, or handing it to the web server, closes that
// connection and is logged once. Others play.
func TestPanicOverAConnection(t *testing.T) {
	thorough.Long(t)
	var logged servertest.Log
	h := openHost(t, options{
		Options: host.Options{
			Meter: panickingMeter{}, Log: zerolog.New(&logged), Limits: limits.PortLimits{Connections: 2},
			Web: func(net.Conn) { panic("the page broke") },
		},
		spec: host.Spec{Settings: match.Settings{Turns: 2, Players: 1, Visus: 1}},
	})
	a := h.login("ann", "player")
	browser := servertest.Dial(t, h.addr)
	browser.SendRaw([]byte("GET / HTTP/1.1\r\nHost: x\r\n\r\n"))
	if _, err := browser.Receive(); err == nil {
		t.Error("the request that caused the panic is answered")
	}
	browser.Close()
	h.login("vic", "visualization")
	for len(logged.About("the meter broke")) == 0 { // the browser's connection may still count
		c, err := net.Dial("tcp", h.addr)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	h.start()
	a.Expect("GAME_STARTS")
	a.Expect("TURN")
	a.Answer(0, "[]")
	a.Expect("GAME_ENDS")
	if e := h.end(); e.Err != nil {
		t.Errorf("the match ended with %v", e.Err)
	}
	for text, want := range map[string]string{
		"the page broke": "Session failed", "the meter broke": "Taking a connection in failed",
	} {
		lines := logged.About(text)
		if len(lines) == 0 || text == "the page broke" && len(lines) > 1 ||
			!strings.Contains(lines[0], want) || !strings.Contains(lines[0], "host_test") {
			t.Errorf("the log has of %s: %q", text, lines)
		}
	}
}

// A panic in the timer of a game logic ends its match.
func TestPanicInATimer(t *testing.T) {
	thorough.Long(t)
	var logged servertest.Log
	log := zerolog.New(&logged)
	h := openHost(t, options{
		Options: host.Options{Meter: panickingMeter{}, Log: log},
		spec:    external(host.Spec{Settings: match.Settings{Turns: 2}, GameTimeout: nextTurnDelay}),
	})
	logic := servertest.LoginLogic(t, h.addr)
	h.start()
	logic.Expect("DO_INIT")
	logic.AckInit(`{}`)
	logic.Expect("DO_TURN")
	if e := h.end(); !errors.Is(e.Err, session.ErrLogicFailed) {
		t.Errorf("the match ended with %v", e.Err)
	}
	if lines := logged.About("the meter broke"); len(lines) != 1 ||
		!strings.Contains(lines[0], "(*Logic)") {
		t.Errorf("the log has of the panic: %q", lines)
	}
}

// If the next match of a series cannot be made, the series ends and all clients are
// told.
func TestPanicBetweenMatches(t *testing.T) {
	thorough.Long(t)
	var logged servertest.Log
	h := openHost(t, options{
		Options: host.Options{Log: zerolog.New(&logged)},
		spec:    host.Spec{Settings: match.Settings{Turns: 1, Players: 1}},
		next: func(*host.Result) *host.Spec {
			return &host.Spec{Game: games.Instance{New: func() engine.Game { panic("no more") }}}
		},
	})
	stranger := servertest.Dial(t, h.addr)
	a := h.login("ann", "player") // after the stranger was accepted
	h.start()
	a.Expect("GAME_STARTS")
	a.Expect("GAME_ENDS")
	stranger.ExpectKick("netorcai abort")
	if e := h.end(); !errors.Is(e.Err, match.ErrFailed) || e.Steps != 1 {
		t.Errorf("the series ended with %+v", e)
	}
	if lines := logged.About("no more"); len(lines) != 1 {
		t.Errorf("the log has of the panic: %q", lines)
	}
}
