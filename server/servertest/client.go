// Package servertest provides a raw client for tests of the server. It encodes frames by
// hand and parses with encoding/json, sharing no code with what it tests.
package servertest

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"time"
)

// patience is the time that a test waits before it fails.
const patience = 30 * time.Second

// Message is the content of a frame.
type Message struct {
	Type     string          `json:"message_type"`
	Reason   string          `json:"kick_reason"`
	PlayerID int             `json:"player_id"`
	Players  int             `json:"nb_players"`
	Specials int             `json:"nb_special_players"`
	TurnsMax int             `json:"nb_turns_max"`
	Initial  json.RawMessage `json:"initial_game_state"`
	Infos    []PlayerInfo    `json:"players_info"`
	Turn     int             `json:"turn_number"`
	State    json.RawMessage `json:"game_state"`
	Winner   int             `json:"winner_player_id"`
	Actions  []PlayerActions `json:"player_actions"`

	Raw []byte `json:"-"`
}

// PlayerInfo is what visualizations are told about a player.
type PlayerInfo struct {
	PlayerID  int    `json:"player_id"`
	Nickname  string `json:"nickname"`
	Remote    string `json:"remote_address"`
	Connected bool   `json:"is_connected"`
}

// PlayerActions are a player's actions as a game logic gets them.
type PlayerActions struct {
	PlayerID int             `json:"player_id"`
	Turn     int             `json:"turn_number"`
	Actions  json.RawMessage `json:"actions"`
}

// Client is one connection.
type Client struct {
	net.Conn
	t testing.TB
}

// Listen listens on a free port of the loopback interface until the end of the test.
func Listen(t testing.TB) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("listen: %v", err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// Dial connects to the server. The connection is closed at the end of the test.
func Dial(t testing.TB, addr string) *Client {
	t.Helper()
	conn, err := net.DialTimeout("tcp", addr, patience)
	if err != nil {
		t.Fatalf("dial: %v", err)
	}
	t.Cleanup(func() { conn.Close() })
	return NewClient(t, conn)
}

// NewClient returns a client for a connection.
func NewClient(t testing.TB, conn net.Conn) *Client { return &Client{Conn: conn, t: t} }

// Login connects and logs in, and fails the test if the login is refused.
func Login(t testing.TB, addr, nickname, role string) *Client {
	t.Helper()
	c := Dial(t, addr)
	c.SendLogin(nickname, role)
	c.Expect("LOGIN_ACK")
	return c
}

// LoginLogic is Login for a game logic.
func LoginLogic(t testing.TB, addr string) *Client { return Login(t, addr, "logic", "game logic") }

// Frame returns content with a header. The caller adds the line feed.
func Frame(content string) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(content))), content...)
}

// Send sends one frame.
func (c *Client) Send(format string, args ...any) {
	c.t.Helper()
	if _, err := c.Write(Frame(fmt.Sprintf(format, args...) + "\n")); err != nil {
		c.t.Fatalf("send: %v", err)
	}
}

// SendLogin sends a LOGIN.
func (c *Client) SendLogin(nickname, role string) {
	c.t.Helper()
	name, err := json.Marshal(nickname)
	if err != nil {
		c.t.Fatalf("nickname: %v", err)
	}
	c.Send(`{"message_type":"LOGIN","nickname":%s,"role":%q,"metaprotocol_version":"2.0.0"}`, name,
		role)
}

// Answer sends a TURN_ACK; an empty string stands for no actions.
func (c *Client) Answer(turn int, actions string) {
	c.t.Helper()
	c.Send(`{"message_type":"TURN_ACK","turn_number":%d,"actions":%s}`, turn, cmp.Or(actions, "[]"))
}

// AckInit sends a DO_INIT_ACK.
func (c *Client) AckInit(state string) {
	c.t.Helper()
	c.Send(`{"message_type":"DO_INIT_ACK","initial_game_state":{"all_clients":%s}}`, state)
}

// AckTurn sends a DO_TURN_ACK.
func (c *Client) AckTurn(winner int, state string) {
	c.t.Helper()
	c.Send(`{"message_type":"DO_TURN_ACK","winner_player_id":%d,"game_state":{"all_clients":%s}}`,
		winner, state)
}

// Receive reads one frame. The error is io.EOF when the server has closed the connection.
func (c *Client) Receive() (m Message, err error) {
	size, err := c.header()
	if err != nil {
		return m, err
	}
	m.Raw = make([]byte, size)
	if n, err := io.ReadFull(c, m.Raw); err != nil {
		return m, fmt.Errorf("%w in a frame of %d bytes after %.200q", err, size, m.Raw[:n])
	}
	if m.Raw[len(m.Raw)-1] != '\n' {
		return m, fmt.Errorf("no line feed at the end of %q", m.Raw)
	}
	return m, json.Unmarshal(m.Raw, &m)
}

// Head reads one frame and returns its first 200 bytes. With many clients, parsing whole
// states would take minutes.
func (c *Client) Head() (string, error) {
	size, err := c.header()
	if err != nil {
		return "", err
	}
	head := make([]byte, min(size, 200))
	if _, err := io.ReadFull(c, head); err != nil {
		return "", err
	}
	_, err = io.CopyN(io.Discard, c, size-int64(len(head)))
	return string(head), err
}

// header reads the size of the next frame.
func (c *Client) header() (size int64, err error) {
	if err := c.SetReadDeadline(time.Now().Add(patience)); err != nil {
		return 0, err
	}
	var head [4]byte
	_, err = io.ReadFull(c, head[:])
	return int64(binary.LittleEndian.Uint32(head[:])), err
}

// Expect reads one frame and fails the test unless it is of one of the given types.
func (c *Client) Expect(kinds ...string) Message {
	c.t.Helper()
	m, err := c.Receive()
	if err != nil || !slices.Contains(kinds, m.Type) {
		c.t.Fatalf("received %.300s, %v; want %s", m.Raw, err, strings.Join(kinds, " or "))
	}
	return m
}

// Until reads frames until one is of the given type.
func (c *Client) Until(kind string) Message {
	c.t.Helper()
	for {
		m, err := c.Receive()
		if err != nil {
			c.t.Fatalf("waiting for %s: %v", kind, err)
		}
		if m.Type == kind {
			return m
		}
	}
}

// ExpectKick reads a KICK with that reason, and then the end of the stream.
func (c *Client) ExpectKick(reason string) {
	c.t.Helper()
	if m := c.Expect("KICK"); m.Reason != reason {
		c.t.Fatalf("kick_reason = %q, want %q", m.Reason, reason)
	}
	if _, err := c.Receive(); err != io.EOF {
		c.t.Fatalf("after the KICK: %v, want EOF", err)
	}
}
