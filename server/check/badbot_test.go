package check

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/gorilla/websocket"

	"github.com/hexarena/hexarena/engine/hexabomb"
)

// badBot is a bot with one fault, "none" for none. It is written without the project's client, which
// permits fewer faults.
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

// lastly is how long the bot hangs around where it should end: longer than a check waits.
const lastly = time.Minute

// briefPatience is how long an impatient bot waits for a message: less than a server that waits for others.
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

func (b *badBot) connect(address string) {
	if name, ok := strings.CutPrefix(b.fault, "ws-"); ok {
		ws, _, err := websocket.DefaultDialer.Dial("ws://"+address+"/netorcai", nil)
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		b.fault, b.ws, b.out = name, ws, bufio.NewWriter(io.Discard)
		return
	}
	conn, err := net.Dial("tcp", address)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	b.conn, b.out, b.in = conn, bufio.NewWriter(conn), bufio.NewReaderSize(conn, 64<<10)
}

// login sends the first message.
func (b *badBot) login() {
	login := map[string]any{
		"message_type": "LOGIN", "nickname": os.Getenv("BOT_NICKNAME"), "role": "player", "metaprotocol_version": "2.0.0", "stay": true,
	}
	switch b.fault {
	case "silent-login":
		<-time.After(lastly)
	case "first-message-size":
		login["about"] = strings.Repeat("x", 2000)
	case "login-unreadable":
		b.sendText(`{'message_type':'LOGIN'}`)
		return
	case "not-login":
		login["message_type"] = "HELLO"
	case "login-field":
		delete(login, "role")
	case "login-nickname":
		login["nickname"] = "much too long a name"
	case "login-role":
		login["role"] = "bot"
	case "login-version":
		login["metaprotocol_version"] = "1.0.0"
	case "own-nickname":
		login["nickname"] = "me"
	case "no-stay":
		delete(login, "stay")
	case "prints":
		fmt.Println("Hello! I am a bot.")
	}
	b.send(login)
}

// send sends a message.
func (b *badBot) send(message any) {
	text, err := json.Marshal(message)
	if err != nil {
		panic(err)
	}
	b.sendText(string(text))
}

// sendText sends the text of a message.
func (b *badBot) sendText(text string) {
	if b.ws != nil {
		_ = b.ws.WriteMessage(websocket.TextMessage, []byte(text))
		return
	}
	if b.stdio {
		fmt.Fprintln(b.out, text)
		if b.fault != "not-flushed" {
			_ = b.out.Flush()
		}
		return
	}
	var order binary.AppendByteOrder = binary.LittleEndian
	size := len(text) + 1
	switch b.fault {
	case "no-frames":
		_, _ = b.conn.Write([]byte(text + "\n"))
		return
	case "byte-order":
		order = binary.BigEndian
	case "frame-length":
		size--
	case "frame-length-long":
		size++
	}
	header := order.AppendUint32(nil, uint32(size))
	if b.fault == "header-alone" {
		_, _ = b.conn.Write(header)
		<-time.After(500 * time.Millisecond)
		header = nil
	}
	_, _ = b.conn.Write(append(header, text+"\n"...))
}

// receive reads a message.
func (b *badBot) receive() fromServer {
	content, err := b.readContent()
	if err != nil {
		if b.fault == "stays-running" {
			<-time.After(lastly)
		}
		_ = b.out.Flush()
		os.Exit(0)
	}
	if depth := strings.Count(string(content), "[[["); b.fault == "deep-state" && depth > 5 {
		panic("nested too deeply")
	}
	if b.fault == "notation" && strings.HasPrefix(string(content), `{ "`) {
		panic("cannot read this")
	}
	decoder := json.NewDecoder(strings.NewReader(string(content)))
	if b.fault == "unknown-fields" && strings.Contains(string(content), `"a":[1`) {
		panic("unknown field x-check")
	}
	var m fromServer
	if err := decoder.Decode(&m); err != nil {
		panic(err)
	}
	return m
}

func (b *badBot) readContent() ([]byte, error) {
	if b.ws != nil {
		_, content, err := b.ws.ReadMessage()
		return content, err
	}
	if b.stdio {
		return b.in.ReadBytes('\n')
	}
	switch b.fault {
	case "pieces", "joined":
		return b.readOnce()
	case "long-wait":
		_ = b.conn.SetReadDeadline(time.Now().Add(briefPatience))
	}
	header := make([]byte, 4)
	if _, err := io.ReadFull(b.in, header); err != nil {
		if b.fault == "long-wait" && os.IsTimeout(err) {
			panic(err)
		}
		return nil, err
	}
	size := binary.LittleEndian.Uint32(header)
	if b.fault == "large-state" && size > 1<<20 {
		panic("the message does not fit the buffer")
	}
	content := make([]byte, size)
	_, err := io.ReadFull(b.in, content)
	return content, err
}

// readOnce takes what one read returns for one message.
func (b *badBot) readOnce() ([]byte, error) {
	if b.fault == "pieces" { // but finds the messages in it
		header, err := b.in.Peek(1)
		if err != nil {
			return nil, err
		}
		if n := b.in.Buffered(); n < 5 {
			panic(fmt.Sprintf("%d bytes are no message: % x", n, header))
		}
		all := make([]byte, 4)
		_, _ = io.ReadFull(b.in, all)
		content := make([]byte, binary.LittleEndian.Uint32(all))
		_, err = io.ReadFull(b.in, content)
		return content, err
	}
	header := make([]byte, 4)
	if _, err := io.ReadFull(b.in, header); err != nil {
		return nil, err
	}
	content := make([]byte, binary.LittleEndian.Uint32(header))
	_, err := io.ReadFull(b.in, content)
	if b.in.Buffered() > 0 {
		_, _ = b.in.Discard(b.in.Buffered())
	}
	return content, err
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
	case b.fault == "players-info" && len(m.Info) > 0 && m.Info[0].Nickname != os.Getenv("BOT_NICKNAME"):
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
			list = append(list, map[string]any{"id": c.ID, "movement": "bomb", "bomb_range": 9, "bomb_delay": 9})
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
	if b.fault == "stays-running" || b.fault == "kick-during" && inMatch && !before || b.fault == "kick-before" && before {
		<-time.After(lastly)
	}
	if inMatch {
		os.Exit(1)
	}
	os.Exit(0)
}
