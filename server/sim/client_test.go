package sim

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
)

// client is an actor's connection that carries netorcai's frames. It shares no code with the
// server: it writes frames by hand and parses with encoding/json.
type client struct {
	*actor
	conn *Conn
	in   *bufio.Reader
}

// message is what a client was sent.
type message struct {
	Type    string `json:"message_type"`
	Reason  string `json:"kick_reason"`
	Player  int    `json:"player_id"`
	Players int    `json:"nb_players"`
	Turns   int    `json:"nb_turns_max"`
	Turn    int    `json:"turn_number"`
	Winner  int    `json:"winner_player_id"`
	raw     []byte
}

// connect dials the server.
func (a *actor) connect(host string, q quality) (*client, error) {
	a.note("connects from %s", host)
	conn, err := a.net.dial(a, host, q)
	if err != nil {
		a.note("cannot connect: %v", err)
		return nil, err
	}
	a.note("is connected as %s", conn.local)
	a.meet(conn.local.String(), a.name)
	return &client{actor: a, conn: conn, in: bufio.NewReader(conn)}, nil
}

// send sends content as one frame.
func (c *client) send(format string, args ...any) error {
	content := fmt.Sprintf(format, args...) + "\n"
	c.note("sends %s", clip(content[:len(content)-1]))
	_, err := c.conn.Write(append(binary.LittleEndian.AppendUint32(nil, uint32(len(content))), content...))
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

// frame reads the content of a frame.
func (c *client) frame() ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(c.in, head[:]); err != nil {
		return nil, err
	}
	content := make([]byte, binary.LittleEndian.Uint32(head[:]))
	_, err := io.ReadFull(c.in, content)
	return content, err
}

// String returns the message's type, what is short in it, and a digest of the whole.
func (m message) String() string {
	sum := fnv.New32a()
	_, _ = sum.Write(m.raw)
	switch m.Type {
	case "KICK":
		return fmt.Sprintf("KICK %q", m.Reason)
	case "TURN":
		return fmt.Sprintf("TURN %d (%08x)", m.Turn, sum.Sum32())
	}
	return fmt.Sprintf("%s (%08x)", m.Type, sum.Sum32())
}

// clip returns a text without its end if it is long.
func clip(text string) string {
	const most = 100
	if len(text) <= most {
		return text
	}
	return fmt.Sprintf("%s… (%d bytes)", text[:most], len(text))
}
