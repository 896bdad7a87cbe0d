package check

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/gorilla/websocket"

	"github.com/hexarena/hexarena/engine/hexabomb"
)

// badBot is a bot with one fault, "none" for none. It is written without the project's client,
// which permits fewer faults.
type badBot struct {
	fault   string
	stdio   bool
	out     *bufio.Writer
	in      *bufio.Reader
	conn    net.Conn
	ws      *websocket.Conn // nil: over TCP
	id      int
	random  *rand.Rand
	counted int // TURNs
	players int
	matches int
}

// fromServer is what the bot reads of a server's message.
type fromServer struct {
	Type     string          `json:"message_type"`
	PlayerID int             `json:"player_id"`
	Players  int             `json:"nb_players"`
	Specials int             `json:"nb_special_players"`
	Turn     int             `json:"turn_number"`
	Seed     *uint64         `json:"seed"`
	State    *hexabomb.State `json:"game_state"`
	Info     []struct {
		Nickname string `json:"nickname"`
	} `json:"players_info"`
	Reason string `json:"kick_reason"`
}

// lastly is the time that the bot hangs around where it should end: longer than a check waits.
const lastly = time.Minute

// briefPatience is the time that an impatient bot waits for a message: less than a server that
// waits for others.
const briefPatience = 2 * time.Second

// playBadly plays matches with a fault, and ends the process.
func playBadly(fault string) {
	b := &badBot{fault: fault, random: rand.New(rand.NewPCG(seedOf(), 1))}
	b.stdio = os.Getenv("BOT_PORT") == ""
	host, port := os.Getenv("BOT_HOST"), os.Getenv("BOT_PORT")
	switch fault {
	case "never-connects":
		<-time.After(lastly)
	case "hard-coded-port":
		port = os.Getenv("CHECK_USUAL_PORT")
	case "hard-coded-host":
		host = local
	case "crash-before":
		panic("crash before the login")
	case "not-reproducible":
		b.random = rand.New(rand.NewPCG(rand.Uint64(), 1))
	}
	if b.stdio {
		b.out, b.in = bufio.NewWriter(os.Stdout), bufio.NewReaderSize(os.Stdin, 1<<20)
	} else {
		b.connect(net.JoinHostPort(host, port))
	}
	b.login()
	for {
		b.handle(b.receive())
	}
}

func seedOf() uint64 {
	seed, _ := strconv.ParseUint(os.Getenv("BOT_SEED"), 10, 64)
	return seed
}

// handle does what a message asks for.
func (b *badBot) handle(m fromServer) {
	switch m.Type {
	case "LOGIN_ACK":
		if b.fault == "unasked" {
			b.send(map[string]any{"message_type": "TURN_ACK", "turn_number": -1, "actions": []any{}})
		}
	case "GAME_STARTS":
		b.begin(m)
	case "TURN":
		b.turn(m)
	case "GAME_ENDS":
		b.end()
	case "KICK":
		b.kicked(m.Reason)
	default:
		if b.fault == "unknown-messages" {
			panic("what is " + m.Type)
		}
	}
}

func (b *badBot) begin(m fromServer) {
	if b.matches++; b.matches > 1 && b.fault == "stay" {
		panic("a second match")
	}
	b.id, b.counted, b.players = m.PlayerID, 0, m.Players+m.Specials
	if m.Seed != nil && b.fault != "not-reproducible" && b.fault != "stay-memory" {
		b.random = rand.New(rand.NewPCG(*m.Seed, 1))
	}
	switch {
	case b.fault == "player-id":
		b.id = 0
	case b.fault == "many-players" && b.players > 2:
		panic("more than two players")
	case b.fault == "players-info" && len(m.Info) > 0 &&
		m.Info[0].Nickname != os.Getenv("BOT_NICKNAME"):
		panic("where am I?")
	}
}

// turn answers a TURN.
func (b *badBot) turn(m fromServer) {
	number := m.Turn
	answer := map[string]any{"message_type": "TURN_ACK", "turn_number": number}
	actions := b.actions(m.State)
	answer["actions"] = actions
	switch b.fault {
	case "crash":
		panic("crash in a turn")
	case "left":
		os.Exit(0)
	case "hangs-up":
		_ = b.conn.Close()
		<-time.After(lastly)
	case "silent":
		<-time.After(lastly)
	case "slow":
		<-time.After(testPatience + testPatience/3)
	case "turn-number":
		answer["turn_number"] = number + 1
	case "skipped-turns":
		answer["turn_number"] = b.counted
	case "answer-type":
		answer["message_type"] = "ACK"
	case "answer-field":
		answer["actions"] = map[string]any{}
	case "answer-field-number":
		answer["turn_number"] = strconv.Itoa(number)
	case "answer-unreadable":
		b.sendText(`{"message_type":"TURN_ACK","turn_number":` + strconv.Itoa(number) + `,"actions":[],"value":NaN}`)
		return
	case "answer-size":
		_, _ = b.conn.Write([]byte{0, 0, 0, 2, '{'})
		return
	case "prints-later":
		fmt.Fprintln(os.Stdout, "thinking about TURN", number)
	case "debug":
		answer["debug"] = map[string]any{"text": strings.Repeat("x", 5000)}
	case "answers-twice":
		b.send(answer)
	}
	b.counted++
	b.send(answer)
}

// actions returns the moves of the bot's characters: one of them that is alive goes to a free cell.
func (b *badBot) actions(s *hexabomb.State) []any {
	free := map[[2]int]bool{}
	for _, c := range s.Cells {
		free[[2]int{c.Q, c.R}] = true
	}
	for _, c := range s.Characters {
		if c.Alive {
			delete(free, [2]int{c.Q, c.R})
		}
	}
	for _, c := range s.Bombs {
		delete(free, [2]int{c.Q, c.R})
	}
	alive := 0
	directions := []string{"x+", "y+", "z+", "x-", "y-", "z-"}
	steps := [][2]int{{1, 0}, {1, -1}, {0, -1}, {-1, 0}, {-1, 1}, {0, 1}}
	list := []any{}
	for _, c := range s.Characters {
		if int(c.Color) != b.id+1 || !c.Alive && b.fault != "refused" {
			continue
		}
		alive++
		k := b.random.IntN(6)
		to := [2]int{c.Q + steps[k][0], c.R + steps[k][1]}
		if !free[to] && b.fault != "refused" || len(list) > 0 {
			continue
		}
		list = append(list, map[string]any{"id": c.ID, "movement": "move", "direction": directions[k]})
		if b.fault == "refused" {
			list = append(list,
				map[string]any{"id": c.ID, "movement": "bomb", "bomb_range": 9, "bomb_delay": 9})
		}
	}
	if alive == 0 && b.fault == "rare-state" {
		panic("no character is alive")
	}
	return list
}

func (b *badBot) end() {
	switch {
	case b.fault == "answers-end":
		b.send(map[string]any{"message_type": "TURN_ACK", "turn_number": b.counted, "actions": []any{}})
	case b.fault == "crash-at-end":
		os.Exit(7)
	case b.fault == "no-turns" && b.counted == 0:
		panic("no turn was played")
	}
}

// kicked ends the process, as a KICK asks for.
func (b *badBot) kicked(reason string) {
	inMatch := reason != "Game is finished"
	before := strings.HasPrefix(reason, "LOGIN denied")
	if b.fault == "stays-running" || b.fault == "kick-during" && inMatch && !before ||
		b.fault == "kick-before" && before {
		<-time.After(lastly)
	}
	if inMatch {
		os.Exit(1)
	}
	os.Exit(0)
}
