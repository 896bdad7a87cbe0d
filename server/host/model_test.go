package host_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/netorcai/model"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/servertest"
)

// conversation is what a client or a game logic sends and gets, separated by spaces: messages that
// it gets begin with "<", "LOGIN?" is a LOGIN with an invalid nickname, and "start" and "stop" are
// what the operator does.
type conversation struct {
	name, script string
	host         func(t *testing.T) *testHost
}

// once opens a host of one match.
func once(spec host.Spec) func(*testing.T) *testHost {
	return func(t *testing.T) *testHost { return open(t, spec) }
}

// series opens a host of two matches, the second of which has no timer.
func series(first host.Spec) func(*testing.T) *testHost {
	return func(t *testing.T) *testHost {
		more := true
		return openHost(t, options{Options: host.Options{
			Linger: usualLinger,
		}, spec: first, next: func(*host.Result) *host.Spec {
			if !more {
				return nil
			}
			more = false
			second := small(1, 2)
			return &second
		}})
	}
}

// timed returns the spec of a match of one player with a timer.
func timed(first, every time.Duration) host.Spec {
	spec := small(1, 1)
	spec.Pace = func(match.Settings) match.Pace { return match.Timer(first, every) }
	return spec
}

// long returns the spec of such a match with a thousand turns.
func long(every time.Duration) host.Spec {
	spec := timed(0, every)
	spec.Settings.Turns = 1000
	return spec
}

// logic opens a host of a match of two turns whose rules a game logic runs.
func logic(t *testing.T) *testHost {
	return openLogic(
		t, 0,
		host.Spec{
			Settings: match.Settings{Turns: 2},
			Pace:     func(match.Settings) match.Pace { return match.Timer(0, nextTurnDelay) },
		},
	)
}

const (
	begin  = "LOGIN <LOGIN_ACK "
	played = "<GAME_STARTS <TURN TURN_ACK <TURN TURN_ACK <GAME_ENDS "
	judged = begin + "start <DO_INIT DO_INIT_ACK <DO_TURN "
)

var clientConversations = []conversation{
	{"stays", begin + played + played + "<KICK", series(small(1, 1))},
	{"stays and is late", begin + "<GAME_STARTS <TURN <GAME_ENDS TURN_ACK " + played + "<KICK", series(
		timed(0, 20*time.Millisecond))},
	{"is late at the end", begin + "<GAME_STARTS <TURN <GAME_ENDS stop <KICK", once(
		timed(0, 20*time.Millisecond))},
	{"learns that its turn is over", "LOGIN+ <LOGIN_ACK <GAME_STARTS <TURN <TURN_OVER stop " +
		"<KICK", once(
		long(20 * time.Millisecond))},
	{"is refused", "LOGIN? <KICK", once(small(1, 1))},
	{"is stopped before the start", begin + "stop <KICK", once(small(2, 1))},
	{"is stopped when ready", begin + "<GAME_STARTS stop <KICK", once(timed(time.Hour, time.Hour))},
	{"is stopped while thinking", begin + "<GAME_STARTS <TURN stop <KICK", once(timed(0, time.Hour))},
}

var logicConversations = []conversation{
	{"a match", judged + "DO_TURN_ACK <DO_TURN DO_TURN_ACK <KICK", logic},
	{"an early answer", judged + "DO_TURN_ACK DO_TURN_ACK <DO_TURN <KICK", logic},
	{"is refused", "LOGIN <KICK", once(small(1, 1))},
	{"is stopped before the start", begin + "stop <KICK", logic},
	{"is stopped while initializing", begin + "start <DO_INIT stop <KICK", logic},
	{"is stopped while playing", judged + "stop <KICK", logic},
}

// Conversations follow the states of the model, and every transition of the model occurs in one.
func TestModelOfStates(t *testing.T) {
	thorough.Long(t)
	m, err := model.Read(os.DirFS("../.."), model.Protocol)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for of, list := range map[string][]conversation{
		"client": clientConversations, "game logic": logicConversations,
	} {
		for _, c := range list {
			t.Run(of+" "+c.name, func(t *testing.T) {
				h := c.host(t)
				w := walk{
					t: t, model: m, of: of, state: "CONNECTED", seen: seen, client: servertest.Dial(t, h.addr),
				}
				for _, word := range strings.Fields(c.script) {
					w.step(h, word)
				}
			})
		}
	}
	for _, s := range m.States {
		for _, tr := range slices.Concat(s.Sends, s.Gets) {
			if !seen[s.Of+" "+s.Name+" "+tr.Message] {
				t.Errorf("no %s in the state %s sends or gets %s, as the model says", s.Of, s.Name, tr.Message)
			}
		}
	}
}

// walk follows a conversation through the states of the model.
type walk struct {
	t         *testing.T
	model     *model.Model
	of, state string
	seen      map[string]bool // transitions, "OF STATE MESSAGE"
	client    *servertest.Client
	turn      int // the number of the newest TURN
}

// step does what one word of a script says.
func (w *walk) step(h *testHost, word string) {
	w.t.Helper()
	name, gets := strings.CutPrefix(strings.TrimRight(word, "?+"), "<")
	switch {
	case word == "start":
		h.start()
		return
	case word == "stop":
		h.stop()
		return
	case gets:
		w.turn = w.client.Expect(name).Turn
	case word == "LOGIN+":
		w.client.Send(`{"message_type":"LOGIN","nickname":"x","role":"player","metaprotocol_version":"2.0.0","turn_over":true}`)
	case word == "LOGIN?":
		w.client.SendLogin("not one word", w.of)
	case name == "LOGIN" && w.of == "client":
		w.client.Send(stayLogin, "x")
	case name == "LOGIN":
		w.client.SendLogin("x", w.of)
	case name == "TURN_ACK":
		w.client.Answer(w.turn, "")
	case name == "DO_INIT_ACK":
		w.client.AckInit("{}")
	case name == "DO_TURN_ACK":
		w.client.AckTurn(-1, "{}")
	default:
		w.t.Fatalf("the word %q", word)
	}
	s := w.model.States[slices.IndexFunc(w.model.States,
		func(s model.State) bool { return s.Of == w.of && s.Name == w.state })]
	list := s.Sends
	if gets {
		list = s.Gets
	}
	at := slices.IndexFunc(list, func(tr model.Transition) bool { return tr.Message == name })
	if at < 0 {
		w.t.Fatalf("a %s in the state %s has %s, which the model does not know", w.of, w.state, word)
	}
	w.seen[w.of+" "+w.state+" "+name] = true
	w.state = list[at].Next
}
