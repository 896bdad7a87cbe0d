package check

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// packet is what the bot of these tests reads of a packet.
type packet struct {
	Type      string `json:"type"`
	Side      string `json:"side"`
	RequestID *int64 `json:"request_id,omitempty"`
	Odd       any    `json:"x-check"`
	Previous  []struct {
		Side   string `json:"side"`
		Pieces []cell `json:"pieces"`
	} `json:"previous"`
	Board *struct {
		Side  string `json:"to_move"`
		Cells []cell `json:"cells"`
	} `json:"board"`
}

type cell struct {
	Q int    `json:"q"`
	R int    `json:"r"`
	P string `json:"p,omitempty"`
}

// badPacketBot is a bot of the HTTTX Bot API with one fault, "none" for none.
type badPacketBot struct {
	fault string
	games int
	conn  *websocket.Conn

	// Of one game.
	random  *rand.Rand
	board   map[cell]bool
	setups  int
	hearts  int
	pending *packet
}

// flags are what the bot declares.
const flags = `"request_id":true,"free_setup":true,"resettable_state":true,"interruptible":true,"evaluation":true,"move_time_limit":true`

// packetsBadly serves games with a fault, at a port or, without one, by dialling in.
func packetsBadly(fault string, port []string) {
	b := &badPacketBot{fault: fault}
	if len(port) == 0 {
		b.dialIn()
		os.Exit(0)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/capabilities.json", func(w http.ResponseWriter, _ *http.Request) {
		switch {
		case fault == "capabilities":
			http.Error(w, "what?", http.StatusNotFound)
		case fault == "capabilities-field":
			fmt.Fprint(w, `{"basic_websocket":{"versions":{"v1-alpha":{"request_id":"yes"}}}}`)
		case strings.HasPrefix(fault, "stateless"):
			fmt.Fprint(w, `{"stateless":{"versions":{"v1-alpha":{}}}}`)
		default:
			fmt.Fprint(w, `{"basic_websocket":{"versions":{"v1-alpha":{`+flags+`}}}}`)
		}
	})
	mux.HandleFunc("/stateless/v1-alpha/turn", b.answerTurn)
	mux.HandleFunc("/bws/v1-alpha/game", func(w http.ResponseWriter, r *http.Request) {
		if fault == "no-socket" {
			http.Error(w, "no", http.StatusForbidden)
			return
		}
		var upgrader websocket.Upgrader
		if conn, err := upgrader.Upgrade(w, r, nil); err == nil {
			b.serve(conn)
		}
	})
	fmt.Println(http.ListenAndServe(net.JoinHostPort(local, port[0]), mux))
	os.Exit(1)
}

// dialIn plays one game at the server.
func (b *badPacketBot) dialIn() {
	conn, _, err := websocket.DefaultDialer.Dial("ws://"+net.JoinHostPort(os.Getenv("BOT_HOST"), os.Getenv("BOT_PORT"))+"/htttx/session", nil)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	if b.fault == "dial-in" {
		_ = conn.WriteMessage(websocket.TextMessage, []byte(`hello`))
		<-time.After(lastly)
	}
	_ = conn.WriteMessage(websocket.TextMessage,
		[]byte(`{"basic_websocket":{"versions":{"v1-alpha":{`+flags+`}}}}`))
	b.serve(conn)
}

// serve plays a game.
func (b *badPacketBot) serve(conn *websocket.Conn) {
	b.conn, b.setups, b.hearts, b.random = conn, 0, 0, rand.New(rand.NewPCG(seedOf(), 1))
	if b.fault == "not-reproducible" {
		b.random = rand.New(rand.NewPCG(rand.Uint64(), 1))
	}
	defer conn.Close()
	if b.games++; b.games > 1 && b.fault == "second-game" {
		panic("another game")
	}
	for {
		if b.fault == "long-pause" {
			_ = conn.SetReadDeadline(time.Now().Add(briefPatience))
		}
		var p packet
		if err := conn.ReadJSON(&p); err != nil {
			return
		}
		b.handle(p)
	}
}

func (b *badPacketBot) say(format string, args ...any) {
	_ = b.conn.WriteMessage(websocket.TextMessage, fmt.Appendf(nil, format, args...))
}

func (b *badPacketBot) handle(p packet) {
	switch {
	case p.Odd != nil && b.fault == "unknown-packets":
		panic("x-check?")
	case p.Type == "setup":
		b.setup(p)
	case p.Type == "heartbeat" && p.Odd == nil && b.fault == "heartbeat":
		panic("a heartbeat")
	case p.Type == "eval_request" && b.fault != "evaluation":
		b.say(`{"type":"eval_response","evaluation":{"heuristic":0.5}}`)
	case p.Type == "move_request":
		b.move(p)
	}
}

func (b *badPacketBot) setup(p packet) {
	if b.setups++; b.setups > 1 && b.fault == "resettable-state" ||
		len(p.Board.Cells) > 1 && b.fault == "free-setup" {
		panic("another board")
	}
	b.board = map[cell]bool{}
	b.place(p.Board.Cells)
}

func (b *badPacketBot) place(cells []cell) {
	for _, c := range cells {
		b.board[cell{Q: c.Q, R: c.R}] = true
	}
}

// move answers a request.
func (b *badPacketBot) move(p packet) {
	switch {
	case p.Board == nil && b.fault == "needs-board":
		panic("where is the board?")
	case p.Side == "x" && b.fault == "other-side":
		panic("I am o")
	}
	for _, m := range p.Previous {
		b.place(m.Pieces)
	}
	b.answer(p)
}

// answer sends the next move.
func (b *badPacketBot) answer(p packet) {
	id := p.RequestID
	text := b.pieces()
	switch b.fault {
	case "silent":
		return
	case "slow":
		<-time.After(testPatience + testPatience/3)
	case "malformed-packet":
		text = `[{"q":"one","r":0},{"q":0,"r":1}]`
	case "illegal-move":
		text = `[{"q":0,"r":0},{"q":0,"r":1}]`
	case "unasked-packet":
		b.say(`{"type":"eval_response","evaluation":{"heuristic":0}}`)
		return
	case "crash":
		os.Exit(3)
	case "interrupt":
		if b.pending == nil {
			b.pending = &p
			b.conn.SetReadLimit(1 << 20)
		}
	}
	given := ""
	if id != nil && b.fault != "request-id" {
		given = fmt.Sprintf(`,"request_id":%d`, *id)
	}
	evaluation := ""
	if b.fault == "odd-evaluation" {
		evaluation = `,"evaluation":{"heuristic":"good"}`
	}
	if b.fault == "binary" {
		_ = b.conn.WriteMessage(websocket.BinaryMessage, []byte(`{}`))
		return
	}
	b.say(`{"type":"move_response","move":{"pieces":%s%s}%s}`, text, evaluation, given)
	if b.fault == "packet-twice" {
		b.say(`{"type":"move_response","move":{"pieces":%s}%s}`, text, given)
	}
}

// pieces returns two free cells beside pieces of the board, as JSON.
func (b *badPacketBot) pieces() string {
	var chosen []cell
	for range 2 {
		var free []cell
		for c := range b.board {
			for _, d := range []cell{{Q: 1}, {R: 1}, {Q: -1}, {R: -1}} {
				if to := (cell{Q: c.Q + d.Q, R: c.R + d.R}); !b.board[to] {
					free = append(free, to)
				}
			}
		}
		slices.SortFunc(free, func(x, y cell) int { return (x.Q-y.Q)*1000 + x.R - y.R })
		c := free[b.random.IntN(len(free))]
		b.board[c] = true
		chosen = append(chosen, c)
	}
	text, _ := json.Marshal(chosen)
	return string(text)
}

// answerTurn is the stateless bot.
func (b *badPacketBot) answerTurn(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var p packet
	_ = json.Unmarshal(body, &p)
	if b.fault == "stateless no-answer" {
		http.Error(w, "oh", http.StatusInternalServerError)
		return
	}
	one := &badPacketBot{random: rand.New(rand.NewPCG(seedOf(), 1)), board: map[cell]bool{}}
	one.place(p.Board.Cells)
	fmt.Fprintf(w, `{"move":{"pieces":%s}}`, one.pieces())
}

// plantedPackets are the faults of the bots that speak packets.
var plantedPackets = []struct{ fault, key string }{
	{"capabilities", ""},
	{"capabilities-field", ""},
	{"no-socket", ""},
	{"malformed-packet", ""},
	{"binary", "malformed-packet"},
	{"illegal-move", ""},
	{"packet-twice", ""},
	{"unasked-packet", ""},
	{"request-id", ""},
	{"odd-evaluation", ""},
	{"other-side", ""},
	{"heartbeat", ""},
	{"unknown-packets", ""},
	{"long-pause", ""},
	{"second-game", ""},
	{"needs-board", ""},
	{"free-setup", ""},
	{"resettable-state", ""},
	{"evaluation", ""},
	{"not-reproducible", ""},
	{"silent", ""},
	{"slow", ""},
	{"crash", ""},
	{"stateless no-answer", "malformed-packet"},
	{"in dial-in", "dial-in"},
	{"in illegal-move", "illegal-move"},
}

// Each planted fault in packets is found by its key, and no other error is.
func TestPlantedPacketFaults(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	for _, tt := range plantedPackets {
		key := cmp.Or(tt.key, tt.fault)
		t.Run(tt.fault, func(t *testing.T) {
			ordinarily(t, tt.fault)
			t.Parallel()
			o := options(t, "hextictactoe", packetCommand(tt.fault))
			if slices.Contains([]string{"silent", "slow", "evaluation"}, tt.fault) {
				o.TurnTimeout = testPatience
			}
			wantOnly(t, o, key)
		})
	}
}

// packetCommand returns the command of a bot with a fault: "in" before it stands for one that dials
// in.
func packetCommand(fault string) string {
	name, dialsIn := strings.CutPrefix(fault, "in ")
	command := fmt.Sprintf("%s check-test-packets %q", os.Args[0], name)
	if !dialsIn {
		command += " {port}"
	}
	return command
}

// Bots without a fault have none: dialled, dialling in, and called over HTTP.
func TestNoPacketFault(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	for _, fault := range []string{"none", "in none", "stateless none"} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			wantOnly(t, options(t, "hextictactoe", packetCommand(fault)), "")
		})
	}
}
