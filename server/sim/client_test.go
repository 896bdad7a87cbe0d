package sim

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"net"
	"net/url"

	"github.com/gorilla/websocket"
)

// client is an actor's connection that carries netorcai's messages. It shares no code with the
// server: it writes frames by hand and parses with encoding/json.
type client struct {
	*actor
	conn *Conn
	in   *bufio.Reader
	ws   *websocket.Conn // which carries the messages without a frame; nil: TCP or pipes alone do
}

// message is what a client was sent.
type message struct {
	Type    string          `json:"message_type"`
	Reason  string          `json:"kick_reason"`
	Player  int             `json:"player_id"`
	Players int             `json:"nb_players"`
	Turns   int             `json:"nb_turns_max"`
	Turn    int             `json:"turn_number"`
	Winner  int             `json:"winner_player_id"`
	Match   int             `json:"match"`
	Seed    uint64          `json:"seed"`
	State   json.RawMessage `json:"game_state"`
	raw     []byte
}

// connect dials the server.
func (a *actor) connect(host string, q quality) (*client, error) {
	return a.connectTo(host, serverAddress, q)
}

// connectTo dials one of the server's addresses.
func (a *actor) connectTo(host string, to address, q quality) (*client, error) {
	a.note("connects from %s", host)
	conn, err := a.net.dial(a, host, to, q)
	if err != nil {
		a.note("cannot connect: %v", err)
		return nil, err
	}
	a.note("is connected as %s", conn.local)
	a.meet(conn.local.String(), a.name)
	return &client{actor: a, conn: conn, in: bufio.NewReader(conn)}, nil
}

// upgrade turns the connection into a WebSocket.
func (c *client) upgrade(to *url.URL) error {
	dialer := websocket.Dialer{NetDial: func(string, string) (net.Conn, error) { return c.conn, nil }}
	ws, answer, err := dialer.Dial(to.String(), nil)
	if answer != nil {
		c.note("asks for %s and is told: %s", to, answer.Status)
	}
	if err != nil {
		c.note("gets no WebSocket: %v", err)
	}
	c.ws = ws
	return err
}

// send sends content as one message.
func (c *client) send(format string, args ...any) (err error) {
	content := fmt.Sprintf(format, args...)
	c.note("sends %s", clip(content))
	switch line := content + "\n"; {
	case c.ws != nil:
		err = c.ws.WriteMessage(websocket.TextMessage, []byte(content))
	case c.conn.pipes:
		_, err = c.conn.Write([]byte(line))
	default:
		_, err = c.conn.Write(append(binary.LittleEndian.AppendUint32(nil, uint32(len(line))), line...))
	}
	if err != nil {
		c.note("cannot send: %v", err)
	}
	return err
}

// receive returns the next message.
func (c *client) receive() (m message, err error) {
	if m.raw, err = c.frame(); err == nil {
		if err = json.Unmarshal(m.raw, &m); err != nil {
			c.violate("%s received %q, which is not JSON: %v", c.name, m.raw, err)
		}
	}
	if err != nil {
		c.note("is disconnected: %v", err)
		return m, err
	}
	c.note("receives %s", m)
	return m, nil
}

// maxMessage is more than any message of these small matches takes.
const maxMessage = 1 << 20

// frame reads the content of a message.
func (c *client) frame() ([]byte, error) {
	if c.ws != nil {
		_, content, err := c.ws.ReadMessage()
		return content, err
	}
	if c.conn.pipes {
		return c.in.ReadBytes('\n')
	}
	var head [4]byte
	if _, err := io.ReadFull(c.in, head[:]); err != nil {
		return nil, err
	}
	size := binary.LittleEndian.Uint32(head[:])
	if size > maxMessage {
		c.violate("%s is sent a message of %d bytes", c.name, size)
		return nil, io.ErrUnexpectedEOF
	}
	content := make([]byte, size)
	_, err := io.ReadFull(c.in, content)
	return content, err
}

// String returns the message's type, what is short in it, and a digest of the whole.
func (m message) String() string {
	switch m.Type {
	case "KICK":
		return fmt.Sprintf("KICK %q", m.Reason)
	case "TURN":
		return fmt.Sprintf("TURN %d (%s)", m.Turn, digest(m.raw))
	}
	return fmt.Sprintf("%s (%s)", m.Type, digest(m.raw))
}

// digest returns a short digest of a text.
func digest(text []byte) string {
	sum := fnv.New32a()
	_, _ = sum.Write(text)
	return fmt.Sprintf("%08x", sum.Sum32())
}

// clip returns a text without its end if it is long.
func clip(text string) string {
	const most = 100
	if len(text) <= most {
		return text
	}
	return fmt.Sprintf("%s… (%d bytes)", text[:most], len(text))
}
