// Package workerstest has a stand-in for the page in which versions run, for tests: its bots answer each turn without actions.
package workerstest

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/hexarena/hexarena/server/internal/wsconn"
)

// maxMessage bounds a message of the server, in bytes; the board of a toy game is smaller by far.
const maxMessage = 1 << 20

// Message is a message of the server. Number is that of the bot that it starts, stops or has a message for.
type Message struct {
	Workers  int
	Check    int
	Start    int
	Source   string
	File     string
	Nickname string
	To       int
	Message  struct {
		Type string `json:"message_type"`
		Turn int    `json:"turn_number"`
	}
	Stop int
}

// Page is an open page.
type Page struct {
	t    testing.TB
	conn *wsconn.Conn
}

// Open opens a page at the address of an event. It is closed at the end of the test, if not before.
func Open(t testing.TB, url, token string, processors int) *Page {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second) // as long as a busy machine may need
	defer cancel()
	conn, err := wsconn.Dial(ctx, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &Page{t, conn}
	t.Cleanup(p.Close)
	p.Send(`{"token":%q,"workers":%d}`, token, processors)
	return p
}

// Send sends a message.
func (p *Page) Send(format string, args ...any) {
	_ = p.conn.WriteText(fmt.Appendf(nil, format, args...)) // an error shows as the end of messages
}

// Next returns the next message. The error has the server's reason if it has closed the connection.
func (p *Page) Next() (m Message, err error) {
	_ = p.conn.SetReadDeadline(time.Now().Add(time.Minute)) // a server that is silent for so long hangs
	text, err := p.conn.ReadText(nil, maxMessage, nil)
	if err == nil {
		err = json.Unmarshal(text, &m)
	}
	return m, err
}

// Until returns the next message for which want is true. Until then the page does as Handle.
func (p *Page) Until(want func(Message) bool) Message {
	p.t.Helper()
	for {
		m, err := p.Next()
		if err != nil {
			p.t.Fatal(err)
		}
		if want(m) {
			return m
		}
		p.Handle(m)
	}
}

// Play handles messages until the connection is closed, and returns why.
func (p *Page) Play() error {
	for {
		m, err := p.Next()
		if err != nil {
			return err
		}
		p.Handle(m)
	}
}

// Handle does what a page does with a message, for a bot that answers each turn without actions.
func (p *Page) Handle(m Message) {
	switch {
	case m.Check != 0:
		p.Send(`{"checked":%d}`, m.Check)
	case m.Start != 0:
		p.Answer(m.Start, fmt.Sprintf(`{"message_type":"LOGIN","nickname":%q,"role":"player","metaprotocol_version":"2.0.0"}`, m.Nickname))
	case m.Message.Type == "TURN":
		p.Answer(m.To, fmt.Sprintf(`{"message_type":"TURN_ACK","turn_number":%d,"actions":[]}`, m.Message.Turn))
	case m.Message.Type == "GAME_ENDS", m.Message.Type == "KICK":
		p.Send(`{"from":%d,"ended":false}`, m.To)
	}
}

// Answer sends the answer of a bot.
func (p *Page) Answer(bot int, text string) { p.Send(`{"from":%d,"answer":%q}`, bot, text) }

// Close closes the page, as when its tab is closed.
func (p *Page) Close() { _ = p.conn.Close() }
