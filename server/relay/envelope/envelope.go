// Package envelope is what a server sends to a relay: binary WebSocket messages, each a header in JSON on one line, which
// says what it is and how long its parts are, and the bytes of an event, which relays forward unread. docs/scale.md
// describes the conversation.
package envelope

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/hexarena/hexarena/server/feed"
)

// Version is the version of the conversation. A relay refuses servers of another one.
const Version = 1

// Path is where a server has its relays.
const Path = "/api/relay"

// Kinds of envelopes besides those of a record.
const (
	Hello   feed.Kind = "hello"   // the first: what the relay has to know of the server
	Matches feed.Kind = "matches" // the matches that are kept, sent when they change
)

// Limits of what is exchanged, in bytes.
const (
	// Max is the limit of an envelope: a state or an answer of the metaprotocol has at most 16 MiB, and an event is larger by what
	// it says of the turn.
	Max = 33 << 20
	// maxHeader is enough for the names of a thousand matches, or of as many players.
	maxHeader = 1 << 20
	// MaxHeld is the limit of a [Held]: a thousand names of matches, each with a number.
	MaxHeld = 256 << 10
	// maxID is the limit of the ID of a match, which has twelve characters unless its game was requested elsewhere.
	maxID = 128
)

// Envelope is a message to a relay.
type Envelope struct {
	Kind   feed.Kind   `json:"kind"`
	Match  string      `json:"match,omitempty"`  // of a record: the ID of its match
	Turn   int         `json:"turn,omitempty"`   // of a record: the index in the history
	Length int         `json:"length,omitempty"` // bytes of the event; what follows is the state
	From   int         `json:"from,omitempty"`   // the state or delta is Event[From:To], with its key
	To     int         `json:"to,omitempty"`
	About  *feed.Brief `json:"about,omitempty"` // of the lobby, the start and the end: the match

	Version int            `json:"version,omitempty"` // of hello: Version
	Server  map[string]any `json:"server,omitempty"`  // of hello: what /api/health says of the server and does not change

	Matches []string `json:"matches,omitempty"` // of matches: their IDs, the oldest first
	Current string   `json:"current,omitempty"` // of matches: the ID of the one that viewers see who ask for none

	Away bool `json:"away,omitempty"` // of matches, from a relay: its own server does not answer

	Event []byte `json:"-"`
	State []byte `json:"-"` // of a key whose event has a delta
}

// Of returns the envelope of a match's record. about is nil unless the match has changed.
func Of(match string, r *feed.Record, about *feed.Brief) *Envelope {
	return &Envelope{Kind: r.Kind, Match: match, Turn: r.Index, From: r.From, To: r.To, About: about, Event: r.Data, State: r.State}
}

// Record returns the record that is in an envelope.
func (e *Envelope) Record() feed.Record {
	return feed.Record{Event: feed.Event{Data: e.Event}, Kind: e.Kind, Index: e.Turn, From: e.From, To: e.To, State: e.State}
}

// Bytes returns the message.
func (e *Envelope) Bytes() []byte {
	e.Length = len(e.Event)
	header, err := json.Marshal(e)
	if err != nil {
		panic(err) // it has no value that JSON lacks
	}
	b := make([]byte, 0, len(header)+1+len(e.Event)+len(e.State))
	b = append(append(b, header...), '\n')
	return append(append(b, e.Event...), e.State...)
}

// Parse parses a message, whose bytes the envelope's event and state share.
func Parse(message []byte) (*Envelope, error) {
	end := bytes.IndexByte(message[:min(len(message), maxHeader)], '\n')
	if end < 0 {
		return nil, errors.New("the envelope has no header")
	}
	e := &Envelope{}
	if err := json.Unmarshal(message[:end], e); err != nil {
		return nil, fmt.Errorf("header of the envelope: %w", err)
	}
	rest := message[end+1:]
	if e.Length < 0 || e.Length > len(rest) {
		return nil, fmt.Errorf("%s envelope: length = %d, but %d bytes follow", e.Kind, e.Length, len(rest))
	}
	if e.Event = rest[:e.Length:e.Length]; e.Length < len(rest) {
		e.State = rest[e.Length:]
	}
	for _, id := range append(e.Matches, e.Match) {
		if len(id) > maxID {
			return nil, fmt.Errorf("%s envelope: the ID of a match has %d characters, more than %d", e.Kind, len(id), maxID)
		}
	}
	return e, nil
}

// Held is the only message of a relay, its first: how many events it has of each match, so that it gets the rest.
type Held struct {
	Held map[string]int `json:"held"` // by ID; Dropped: it wants no more of the match
}

// Dropped stands for a match that a relay does not keep any more.
const Dropped = -1
