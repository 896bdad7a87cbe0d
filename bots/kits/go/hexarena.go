// SPDX-License-Identifier: Apache-2.0

// The kit for bots in Go 1.22 or newer, which needs nothing but the standard library. A bot has a
// method Turn, and each match gets a new one. bot.go is an example:
//
//	func main() { Run(func(m *Match, initial State) *MyBot { return &MyBot{match: m} }) }
//
// "go run bot.go hexarena.go -h" lists the flags. Print to standard error: that is the bot's log.

package main

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"crypto/tls"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"
)

//lint:file-ignore U1000 no bot uses everything

// Bot plays one match. S is what a turn shows and A an action: [State] and [Action] in hexabomb,
// elsewhere any types that encoding/json reads and writes, such as json.RawMessage.
type Bot[S, A any] interface {
	// Turn returns the actions of a turn. Those of a visualization are not sent.
	Turn(state S) []A
}

// Ender is a [Bot] that is told the end of its match. The winner is a player's id, or -1.
type Ender[S any] interface {
	End(state S, winner int)
}

// Run plays until there are no more matches, and ends the process after an error. For each match it
// calls newBot with the match and its initial state.
func Run[S, A any, B Bot[S, A]](newBot func(m *Match, initial S) B) {
	defer func() { // a panic of the bot, after which Go itself would exit with 2
		if failure := recover(); failure != nil {
			fmt.Fprintf(os.Stderr, "panic: %v\n\n%s", failure, debug.Stack())
			os.Exit(1)
		}
	}()
	c := &client[S, A, B]{options: parseOptions(), newBot: newBot}
	if err := c.play(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Match is the match that a bot plays.
type Match struct {
	PlayerID         int // -1 for a visualization
	NbPlayers        int // without special players
	NbSpecialPlayers int
	NbTurnsMax       int
	BeforeFirstTurn  time.Duration
	BetweenTurns     time.Duration // 0 at full speed
	PlayersInfo      []PlayerInfo  // of all players; empty unless for a visualization
	Number           int           // in its series, from 1; 0 if the bot does not stay
	Seed             int           // of this player in this match; -1 if the bot does not stay
	TurnNumber       int           // of the newest turn; -1 before the first
	Debug            Debug         // what spectators see of this turn; empty again in the next one
	Random           *rand.Rand    // the same numbers for the same seed
	deadline         time.Time
	starts, newest   json.RawMessage // the GAME_STARTS, and the newest TURN
}

func newMatch(starts *message) *Match {
	m := &Match{
		PlayerID:         starts.integer("player_id"),
		NbPlayers:        starts.integer("nb_players"),
		NbSpecialPlayers: starts.integer("nb_special_players"),
		NbTurnsMax:       starts.integer("nb_turns_max"),
		BeforeFirstTurn:  starts.milliseconds("milliseconds_before_first_turn"),
		BetweenTurns:     starts.milliseconds("milliseconds_between_turns"),
		Seed:             -1,
		TurnNumber:       -1,
		starts:           starts.content,
		newest:           starts.content,
	}
	starts.get("players_info", &m.PlayersInfo)
	if starts.has("match") {
		m.Number = starts.integer("match")
	}
	seed := rand.Uint64()
	if starts.has("seed") {
		m.Seed = starts.integer("seed")
		seed = uint64(m.Seed)
	} else if own, err := strconv.ParseUint(os.Getenv("BOT_SEED"), 10, 64); err == nil {
		seed = own
	}
	m.Random = rand.New(rand.NewPCG(seed, 0))
	return m
}

// TimeLeft returns the time until the turn ends. At full speed that is never: limited is false.
func (m *Match) TimeLeft() (left time.Duration, limited bool) {
	return max(0, time.Until(m.deadline)), m.BetweenTurns > 0
}

// Way is a shortest way to a goal.
type Way struct {
	First Direction // its first step
	Goal  Coord
	Steps int
}

// Nearest returns any of the shortest ways over free cells to a goal at most limit steps away, and
// whether one exists.
func (m *Match) Nearest(start Coord, free, goals Cells, limit int) (way Way, ok bool) {
	turned := m.Random.IntN(len(Directions))
	directions := slices.Concat(Directions[turned:], Directions[:turned])
	seen := Cells{start: true}
	for queue := []Way{{Goal: start}}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		if at.First != "" && goals[at.Goal] {
			return at, true
		}
		for _, d := range directions {
			next := Way{cmp.Or(at.First, d), at.Goal.Neighbour(d), at.Steps + 1}
			if next.Steps <= limit && free[next.Goal] && !seen[next.Goal] {
				seen[next.Goal] = true
				queue = append(queue, next)
			}
		}
	}
	return Way{}, false
}

// FirstStep returns the first step of [Match.Nearest].
func (m *Match) FirstStep(start Coord, free, goals Cells, limit int) (first Direction, ok bool) {
	way, ok := m.Nearest(start, free, goals, limit)
	return way.First, ok
}

// key tells matches apart.
func (m *Match) key() [3]int { return [3]int{m.PlayerID, m.Number, m.Seed} }

// Mark marks a cell for spectators with a colour, such as "#f80" or "red", and a label of a few
// characters. Both may be empty.
func (d *Debug) Mark(c Coord, color, label string) {
	d.Cells = append(d.Cells, DebugCell{Q: c.Q, R: c.R, Color: color, Label: label})
}

// fit drops the largest parts until the rest is small enough, and numbers that JSON lacks.
func (d *Debug) fit(warned *bool) {
	maps.DeleteFunc(d.Values,
		func(_ string, v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
	for size(d) > debugLimit {
		if !*warned {
			*warned = true
			fmt.Fprintf(os.Stderr, "debug has more than %d bytes: its largest parts are dropped\n",
				debugLimit)
		}
		text, cells, values := size(d.Text), size(d.Cells), size(d.Values)
		switch max(text, cells, values) {
		case text:
			d.Text = ""
		case cells:
			d.Cells = nil
		default:
			d.Values = nil
		}
	}
}

func size(v any) int {
	text, _ := json.Marshal(v) // it has nothing that JSON lacks
	return len(text)
}

// Directions are the six directions.
var Directions = []Direction{"x+", "y+", "z+", "x-", "y-", "z-"}

// steps are what a step in each direction adds to a place.
var steps = map[Direction]Coord{
	"x+": {1, 0}, "y+": {1, -1}, "z+": {0, -1}, "x-": {-1, 0}, "y-": {-1, 1}, "z-": {0, 1},
}

// Cells is a set of cells.
type Cells map[Coord]bool

// Minus returns the cells that are in none of the other sets.
func (s Cells) Minus(others ...Cells) Cells {
	rest := maps.Clone(s)
	for _, other := range others {
		maps.DeleteFunc(rest, func(c Coord, _ bool) bool { return other[c] })
	}
	return rest
}

// Neighbour returns the next cell in a direction, which may not be on the board.
func (c Coord) Neighbour(d Direction) Coord { return Coord{c.Q + steps[d].Q, c.R + steps[d].R} }

// Distance returns the number of steps to another cell.
func (c Coord) Distance(to Coord) int {
	dq, dr := c.Q-to.Q, c.R-to.R
	return max(dq, -dq, dr, -dr, dq+dr, -dq-dr)
}

// Ray returns the next n cells in a direction, up to the first that is not on the board.
func (c Coord) Ray(d Direction, n int, board Cells) (cells []Coord) {
	for c = c.Neighbour(d); len(cells) < n && board[c]; c = c.Neighbour(d) {
		cells = append(cells, c)
	}
	return cells
}

// At returns the place of a cell, a character or a bomb.
func (c Cell) At() Coord      { return Coord{c.Q, c.R} }
func (c Character) At() Coord { return Coord{c.Q, c.R} }
func (b Bomb) At() Coord      { return Coord{b.Q, b.R} }

// types: generated from protocol/netorcai/model.json

const (
	metaprotocolVersion = "2.0.0"
	frameLimit          = 16777215 // bytes of a message
	debugLimit          = 4096     // bytes of a turn's debug
)

// Direction is one of the six directions: "x+", "y+", "z+", "x-", "y-", "z-".
type Direction string

// Coord is a cell's axial position.
type Coord struct {
	Q int `json:"q"`
	R int `json:"r"`
}

// Cell is a cell of the board.
type Cell struct {
	Q     int `json:"q"`
	R     int `json:"r"`
	Color int `json:"color"` // 0 is neutral, otherwise player id plus one
}

// Character is a character of a player.
type Character struct {
	ID          int  `json:"id"`
	Color       int  `json:"color"` // player id plus one
	Q           int  `json:"q"`
	R           int  `json:"r"`
	Alive       bool `json:"alive"`
	ReviveDelay int  `json:"revive_delay"` // turns until it can be revived; -1 while it is alive
	BombCount   int  `json:"bomb_count"`   // bombs that it holds; absent by the draft rules
}

// UnmarshalJSON implements json.Unmarshaler.
func (v *Character) UnmarshalJSON(data []byte) error {
	type fields Character
	*v = Character{BombCount: 1}
	return json.Unmarshal(data, (*fields)(v))
}

// Bomb is a bomb that has not exploded yet.
type Bomb struct {
	Color int `json:"color"` // its owner's player id plus one
	Range int `json:"range"` // reach in each direction, in cells
	Delay int `json:"delay"` // turns until it explodes; 1: in the next turn
	Q     int `json:"q"`
	R     int `json:"r"`
}

// State is the board after a turn.
type State struct {
	Cells      []Cell          `json:"cells"`      // all cells, by q, then r
	Characters []Character     `json:"characters"` // all characters, by id
	Bombs      []Bomb          `json:"bombs"`      // all bombs, in the order in which they were dropped
	Explosions map[int][]Coord `json:"explosions"` // exploded cells by their new colour; absent by the draft rules
	CellCount  map[int]int     `json:"cell_count"` // number of cells of each player, by player id
	Score      map[int]int     `json:"score"`      // points of each player so far, by player id
}

// Move is a step of a character to the next cell.
type Move struct {
	ID        int       `json:"id"` // the character
	Direction Direction `json:"direction"`
}

// MarshalJSON implements json.Marshaler.
func (a Move) MarshalJSON() ([]byte, error) {
	type fields Move
	return json.Marshal(struct {
		fields
		Movement string `json:"movement"`
	}{fields(a), "move"})
}

// DropBomb is a bomb that a character drops on its cell.
type DropBomb struct {
	ID        int `json:"id"`         // the character
	BombRange int `json:"bomb_range"` // 2 to 4; up to 100 for a special player
	BombDelay int `json:"bomb_delay"` // 2 to 4; up to 100 for a special player
}

// MarshalJSON implements json.Marshaler.
func (a DropBomb) MarshalJSON() ([]byte, error) {
	type fields DropBomb
	return json.Marshal(struct {
		fields
		Movement string `json:"movement"`
	}{fields(a), "bomb"})
}

// Revive is the revival of a character where it died.
type Revive struct {
	ID int `json:"id"` // the character
}

// MarshalJSON implements json.Marshaler.
func (a Revive) MarshalJSON() ([]byte, error) {
	type fields Revive
	return json.Marshal(struct {
		fields
		Movement string `json:"movement"`
	}{fields(a), "revive"})
}

// ReviveAt is the revival of a character on a given cell, by the draft rules.
type ReviveAt struct {
	ID      int `json:"id"` // the character
	ReviveQ int `json:"revive_q"`
	ReviveR int `json:"revive_r"`
}

// MarshalJSON implements json.Marshaler.
func (a ReviveAt) MarshalJSON() ([]byte, error) {
	type fields ReviveAt
	return json.Marshal(struct {
		fields
		Movement string `json:"movement"`
	}{fields(a), "revive"})
}

// Action is what a character does in a turn: Move, DropBomb, Revive or ReviveAt.
type Action interface{ action() }

func (Move) action()     {}
func (DropBomb) action() {}
func (Revive) action()   {}
func (ReviveAt) action() {}

// PlayerInfo is a player, as visualizations see it.
type PlayerInfo struct {
	PlayerID      int    `json:"player_id"`
	Nickname      string `json:"nickname"`
	RemoteAddress string `json:"remote_address"` // host:port
	IsConnected   bool   `json:"is_connected"`
}

// DebugCell is a mark on a cell of the board, or from there to another cell.
type DebugCell struct {
	Q     int    `json:"q"`
	R     int    `json:"r"`
	Color string `json:"color,omitempty"` // as in CSS, #rgb or #rrggbb; without it, the viewer chooses
	Label string `json:"label,omitempty"` // a few characters
	Shape string `json:"shape,omitempty"` // cell, line, arrow or text, which is the label alone; viewers show what they do not know as cell
	ToQ   int    `json:"to_q,omitempty"`  // the cell where a line or an arrow ends
	ToR   int    `json:"to_r,omitempty"`
	Layer string `json:"layer,omitempty"` // viewers can hide the marks of a layer
}

// Debug is what a bot shows to spectators beside its actions.
type Debug struct {
	Text   string             `json:"text,omitempty"`   // any number of lines
	Cells  []DebugCell        `json:"cells,omitempty"`  // cells to mark
	Values map[string]float64 `json:"values,omitempty"` // figures to chart over the turns, by name
}

// end of types

// options are what the command line and the environment say.
type options struct {
	host, port, name, token, role string
	stay, stdio, tls              bool
}

func parseOptions() *options {
	env := func(name, otherwise string) string { return cmp.Or(os.Getenv(name), otherwise) }
	o := &options{host: env("BOT_HOST", "127.0.0.1"), port: env("BOT_PORT", "4242")}
	name := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
	if name == "bot" || name == "my_bot" {
		name = env("USER", name)
	}
	_, seeded := os.LookupEnv("BOT_SEED")
	flag.StringVar(&o.name, "name", env("BOT_NICKNAME", name),
		"the bot's `name`, at most 10 characters; BOT_NICKNAME")
	flag.StringVar(&o.token, "token", os.Getenv("BOT_TOKEN"),
		"identifies you to servers that require it; BOT_TOKEN")
	flag.StringVar(&o.role, "role", "player", "player, special player or visualization")
	flag.BoolVar(&o.stay, "stay", seeded,
		"play match after match, until there are no more; true with a BOT_SEED")
	flag.BoolVar(&o.stdio, "stdio", env("BOT_STDIO", "") == "1",
		"talk over standard input and output; BOT_STDIO=1")
	flag.BoolVar(&o.tls, "tls", false, "connect over TLS; SSL_CERT_FILE names certificates to trust")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(),
			"usage: bot [flags] [HOST [PORT]]   (or BOT_HOST and BOT_PORT)")
		flag.PrintDefaults()
	}
	flag.Parse()
	for _, place := range []*string{&o.host, &o.port} {
		if flag.NArg() > 0 { // and flags after it
			*place = flag.Arg(0)
			_ = flag.CommandLine.Parse(flag.Args()[1:]) // ends the process after an error
		}
	}
	if flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	return o
}

// login is the first message.
type login struct {
	Type     string `json:"message_type"`
	Nickname string `json:"nickname"`
	Role     string `json:"role"`
	Version  string `json:"metaprotocol_version"`
	Language string `json:"language"`
	Code     string `json:"version,omitempty"` // a digest of the program
	Token    string `json:"token,omitempty"`
	Stay     bool   `json:"stay,omitempty"`
	Debugger bool   `json:"debugger,omitempty"`
}

func (o *options) login() login {
	name := []rune(strings.Join(strings.Fields(o.name), "_"))
	program, _ := os.Executable()
	code, _ := os.ReadFile(program)
	version := fmt.Sprintf("%x", sha256.Sum256(code))[:16]
	status, _ := os.ReadFile("/proc/self/status") // Linux tells of debuggers
	traced := bytes.Contains(status, []byte("\nTracerPid:\t")) &&
		!bytes.Contains(status, []byte("\nTracerPid:\t0\n"))
	return login{
		"LOGIN", string(name[:min(10, len(name))]), o.role, metaprotocolVersion, "Go", version, o.token,
		o.stay, traced,
	}
}

// brokenError says that the connection is broken; another one may be opened.
type brokenError struct{ error }

func broken(err error) error {
	return brokenError{fmt.Errorf("the server closed the connection: %w", err)}
}

const keptSeat = 30 * time.Second // for so long a server keeps a player's seat

// grace is the time that the bot tries to connect again: a server that is restarted knows its
// token.
func (o *options) grace() time.Duration {
	if o.stay && o.token != "" && !o.stdio {
		return 12 * time.Hour
	}
	return keptSeat
}

// loginTime is the time that a server may take to accept a connection, and to answer a LOGIN.
const loginTime = 10 * time.Second

// wire carries messages: over TCP each with its length before it, over standard input and output as
// lines.
type wire struct {
	in   *bufio.Reader
	out  io.Writer
	conn net.Conn // nil on standard input and output
}

// open connects and logs in.
func (o *options) open() (*wire, error) {
	w := &wire{in: bufio.NewReader(os.Stdin), out: os.Stdout}
	if o.stdio {
		os.Stdout = os.Stderr // for what the bot prints
	} else if err := w.dial(net.JoinHostPort(o.host, o.port), o.tls); err != nil {
		return nil, err
	}
	if err := w.send(o.login()); err != nil {
		return nil, err
	}
	for {
		m, err := w.receive()
		switch {
		case err != nil:
			return nil, err
		case m.kind == "KICK":
			return nil, m.kick(o)
		case m.kind != "LOGIN_ACK":
		case w.conn != nil:
			return w, w.conn.SetReadDeadline(time.Time{}) // a match may begin much later
		default:
			return w, nil
		}
	}
}

func (w *wire) dial(address string, secure bool) (err error) {
	dialer := &net.Dialer{Timeout: loginTime}
	if secure {
		w.conn, err = tls.DialWithDialer(dialer, "tcp", address, nil)
	} else {
		w.conn, err = dialer.Dial("tcp", address)
	}
	if err != nil {
		return brokenError{fmt.Errorf("no server at %s: %w; is hexarena running?", address, err)}
	}
	w.in, w.out = bufio.NewReader(w.conn), w.conn
	return w.conn.SetReadDeadline(time.Now().Add(loginTime))
}

// send sends a message in one write. The error is a brokenError if that fails.
func (w *wire) send(message any) error {
	content, err := json.Marshal(message)
	if err != nil {
		return err
	}
	var frame []byte
	if w.conn != nil {
		frame = binary.LittleEndian.AppendUint32(nil, uint32(len(content)+1))
	}
	if _, err = w.out.Write(append(append(frame, content...), '\n')); err != nil {
		return broken(err)
	}
	return nil
}

// receive returns the next message. The error is a brokenError if the connection has ended.
func (w *wire) receive() (*message, error) {
	read := w.readLine
	if w.conn != nil {
		read = w.readFrame
	}
	content, err := read()
	if err != nil {
		return nil, err
	}
	m := &message{content: content}
	if err := json.Unmarshal(content, &m.members); err != nil {
		return nil, fmt.Errorf("the server's message is not a JSON object, or too deep: %w", err)
	}
	m.get("message_type", &m.kind)
	return m, m.err
}

func (w *wire) readFrame() ([]byte, error) {
	var header [4]byte
	if _, err := io.ReadFull(w.in, header[:]); err != nil {
		return nil, broken(err)
	}
	size := binary.LittleEndian.Uint32(header[:])
	if size > frameLimit {
		return nil, fmt.Errorf("the server's message has %d bytes; the limit is %d", size, frameLimit)
	}
	content := make([]byte, size)
	if _, err := io.ReadFull(w.in, content); err != nil {
		return nil, broken(err)
	}
	return content, nil
}

func (w *wire) readLine() (line []byte, err error) {
	for {
		part, err := w.in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > frameLimit:
			return nil, fmt.Errorf("the server's message has more than %d bytes", frameLimit)
		case err == nil:
			return line, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, broken(err)
		}
	}
}

// message is a message of the server. Its methods keep their first error.
type message struct {
	kind    string
	content json.RawMessage
	members map[string]json.RawMessage
	err     error
}

func (m *message) has(key string) bool {
	_, ok := m.members[key]
	return ok
}

// get decodes a member. If the message has none, value keeps what it is.
func (m *message) get(key string, value any) {
	if m.err != nil || !m.has(key) {
		return
	}
	if err := json.Unmarshal(m.members[key], value); err != nil {
		m.err = fmt.Errorf("the server's message: %s: %w", key, err)
	}
}

// number decodes a number, which the message must have.
func (m *message) number(key string) (n float64) {
	if m.err == nil && !m.has(key) {
		m.err = fmt.Errorf("the server's message has no %s", key)
	}
	m.get(key, &n)
	return n
}

// integer is number without the fraction: 2.0 is 2.
func (m *message) integer(key string) int { return int(m.number(key)) }

func (m *message) milliseconds(key string) time.Duration {
	return time.Duration(m.number(key) * float64(time.Millisecond))
}

func (m *message) reason() (reason string) {
	m.get("kick_reason", &reason)
	return reason
}

// kick returns the error that a KICK stands for, a brokenError if the bot is to come back.
func (m *message) kick(o *options) error {
	var advice string
	if strings.Contains(m.reason(), "token is needed") {
		advice = "\nAsk the server's operator for your token and add --token TOKEN (or set BOT_TOKEN)."
	}
	err := fmt.Errorf("kicked: %s%s", m.reason(), advice)
	if m.reason() == "netorcai abort" && o.grace() > keptSeat {
		return brokenError{err}
	}
	return err
}

// turnAck is the answer to a turn.
type turnAck[A any] struct {
	Type    string `json:"message_type"`
	Number  int    `json:"turn_number"`
	Actions []A    `json:"actions"`
	Debug   *Debug `json:"debug,omitempty"`
}

// client is the bot's side of the conversation.
type client[S, A any, B Bot[S, A]] struct {
	*options
	newBot   func(m *Match, initial S) B
	wire     *wire
	match    *Match // nil between matches
	bot      B      // of match
	finished bool   // the newest match is over
	warned   bool   // that debug is too large
}

// play answers the server until it ends the conversation.
func (c *client[S, A, B]) play() (err error) {
	if c.wire, err = c.open(); err != nil {
		return err
	}
	for {
		m, err := c.wire.receive()
		if err == nil && m.kind == "KICK" {
			err = m.kick(c.options)
		}
		switch {
		case errors.As(err, new(brokenError)):
			if c.finished && !c.stay {
				return nil
			}
			if err := c.reopen(err); err != nil {
				return err
			}
			continue // with GAME_STARTS
		case m != nil && m.kind == "KICK" && c.finished &&
			m.reason() != "Another connection took the seat":
			return nil
		case err != nil:
			return err
		case m.kind == "GAME_STARTS":
			c.start(m)
		case m.kind == "TURN" && c.match != nil:
			c.turn(m)
		case m.kind == "GAME_ENDS" && c.match != nil:
			c.end(m)
		}
		if m.err != nil {
			return m.err
		}
	}
}

// start makes a bot for a match, unless the match goes on over a new connection.
func (c *client[S, A, B]) start(m *message) {
	var initial S
	match := newMatch(m)
	m.get("initial_game_state", &initial)
	if m.err == nil && (c.match == nil || c.match.key() != match.key()) {
		c.match, c.bot, c.finished = match, c.newBot(match, initial), false
	}
}

func (c *client[S, A, B]) turn(m *message) {
	var state S
	c.match.deadline = time.Now().Add(c.match.BetweenTurns)
	c.match.TurnNumber, c.match.newest = m.integer("turn_number"), m.content
	c.match.Debug = Debug{Values: map[string]float64{}}
	m.get("players_info", &c.match.PlayersInfo)
	m.get("game_state", &state)
	if m.err != nil {
		return
	}
	actions := c.bot.Turn(state)
	if actions == nil || c.role == "visualization" {
		actions = []A{} // as JSON, nil is null
	}
	ack := turnAck[A]{"TURN_ACK", c.match.TurnNumber, actions, nil}
	d := &c.match.Debug
	if d.fit(&c.warned); d.Text != "" || len(d.Cells) > 0 || len(d.Values) > 0 {
		ack.Debug = d
	}
	// If the connection is broken, so is the next read, unless a KICK has arrived.
	if err := c.wire.send(ack); !errors.As(err, new(brokenError)) {
		m.err = err
	}
}

func (c *client[S, A, B]) end(m *message) {
	var state S
	winner := m.integer("winner_player_id")
	m.get("game_state", &state)
	if e, ok := any(c.bot).(Ender[S]); ok && m.err == nil {
		e.End(state, winner)
	}
	c.match, c.finished = nil, true
}

// reopen connects again after a connection is broken.
func (c *client[S, A, B]) reopen(cause error) (err error) {
	if c.stdio {
		return cause
	}
	c.wire.conn.Close()
	fmt.Fprintf(os.Stderr, "%v; connecting again\n", cause)
	broke := time.Now()
	for away := time.Duration(0); away < c.grace(); away = time.Since(broke) {
		time.Sleep(min(max(100*time.Millisecond, away/8), 15*time.Second))
		if c.wire, err = c.open(); !errors.As(err, new(brokenError)) {
			return err
		}
	}
	return fmt.Errorf("the server did not come back within %.0f s: %w", c.grace().Seconds(), err)
}

// Simulator is a copy of the match in which the bot decides what all players do, played by hexarena
// env. After each method the fields are those of the position. A mistake changes nothing.
type Simulator struct {
	Turn   int   // the number of the TURN that the players are to answer
	Over   bool  // the match
	Winner int   // the id of the player who leads, or -1
	Score  []int // by player id

	match    *Match
	child    *exec.Cmd
	requests io.WriteCloser
	answers  *json.Decoder
}

// NewSimulator starts the child for a game such as "hexabomb", with the match before its first turn.
func NewSimulator(m *Match, game string) (*Simulator, error) {
	program := os.Getenv("HEXARENA")
	if program == "" {
		return nil, errors.New("a simulator needs hexarena, and HEXARENA does not name it. hexarena sets " +
			"it for the bots that it starts, in containers on Linux only; set it yourself to the path of the program")
	}
	s := &Simulator{match: m, child: exec.Command(program, "env", "--json", "--game", game)}
	s.child.Stderr = os.Stderr
	answers, outErr := s.child.StdoutPipe()
	requests, inErr := s.child.StdinPipe()
	s.requests, s.answers = requests, json.NewDecoder(answers)
	if err := errors.Join(outErr, inErr, s.child.Start()); err != nil {
		return nil, err
	}
	if err := s.ask("load", m.starts, nil); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Load goes to the newest turn of the match.
func (s *Simulator) Load() error { return s.ask("load", s.match.newest, nil) }

// Step plays a turn with the actions of each player, by id, such as a [][]Action; nil is no answer.
func (s *Simulator) Step(actions any) error { return s.ask("step", actions, nil) }

// Save keeps the position under a name.
func (s *Simulator) Save(name string) error { return s.ask("save", name, nil) }

// Restore returns to a position, as often as needed.
func (s *Simulator) Restore(name string) error { return s.ask("restore", name, nil) }

// State decodes the state into a value, such as a *State.
func (s *Simulator) State(state any) error { return s.ask("show", "state", state) }

// Close ends the child.
func (s *Simulator) Close() error { return errors.Join(s.requests.Close(), s.child.Wait()) }

func (s *Simulator) ask(key string, value, state any) error {
	request := map[string]any{"show": "none"}
	request[key] = value
	answer := struct {
		Simulator
		State any
		Error string
	}{State: state}
	err := json.NewEncoder(s.requests).Encode(request)
	if err == nil {
		err = s.answers.Decode(&answer)
	}
	if err != nil {
		return fmt.Errorf("hexarena env: %w", err)
	}
	if answer.Error != "" {
		return errors.New(answer.Error)
	}
	s.Turn, s.Over, s.Winner, s.Score = answer.Turn, answer.Over, answer.Winner, answer.Score
	return nil
}

// TestMatch returns a match of hexabomb for a test, and the state of its turn 0, which is drawn. A
// line of the drawing is a row of cells with the same r, from 0, and a character in it a q: "." is
// neutral, a digit has the colour and a character of the player with that id, a letter from "a" has
// the colour of player 0 and so on, and a blank is no cell.
func TestMatch(drawing string, player, seed int, bombs ...Bomb) (*Match, State) {
	s := State{Bombs: append([]Bomb{}, bombs...), Explosions: map[int][]Coord{}, CellCount: map[int]int{}}
	rows, players := strings.Split(drawing, "\n"), max(2, player+1)
	for q := range len(slices.MaxFunc(rows, func(a, b string) int { return len(a) - len(b) })) {
		for r, row := range rows {
			if q >= len(row) || row[q] == ' ' {
				continue
			}
			cell, owner := Cell{q, r, 0}, strings.IndexByte("0123456789abcdefghij", row[q])
			if owner >= 0 {
				cell.Color = owner%10 + 1
				s.CellCount[owner%10]++
			}
			if owner >= 0 && owner < 10 {
				s.Characters = append(s.Characters, Character{0, cell.Color, q, r, true, -1, 1})
			}
			s.Cells, players = append(s.Cells, cell), max(players, cell.Color)
		}
	}
	slices.SortStableFunc(s.Characters, func(a, b Character) int { return a.Color - b.Color })
	for id := range s.Characters {
		s.Characters[id].ID = id
	}
	for id := range players {
		s.CellCount[id] += 0 // also of those without cells
	}
	s.Score = maps.Clone(s.CellCount)
	starts, err := json.Marshal(map[string]any{
		"message_type": "GAME_STARTS", "player_id": player, "nb_players": players, "nb_special_players": 0,
		"nb_turns_max": 100, "milliseconds_before_first_turn": 0, "milliseconds_between_turns": 0,
		"initial_game_state": s, "seed": seed,
	})
	turn, turnErr := json.Marshal(map[string]any{"message_type": "TURN", "turn_number": 0, "game_state": s})
	told := &message{content: starts}
	if err = errors.Join(err, turnErr, json.Unmarshal(starts, &told.members)); err != nil {
		panic(err) // all of it can be written
	}
	m := newMatch(told)
	m.TurnNumber, m.newest, m.Debug.Values = 0, turn, map[string]float64{}
	return m, s
}
