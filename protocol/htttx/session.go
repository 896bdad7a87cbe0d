package htttx

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// Config configures a bot that declared config.
type Config struct {
	Depth *int32
	Extra []Extra // only for bots that are known to accept them
}

// Extra is a setting specific to one bot.
type Extra struct {
	Name  string // begins with x-
	Value jsonscan.Value
}

// Append implements Packet.
func (m Config) Append(dst []byte) []byte {
	dst = appendType(dst, typeConfig)
	if m.Depth != nil {
		dst = strconv.AppendInt(append(dst, `,"depth":`...), int64(*m.Depth), 10)
	}
	for _, x := range m.Extra {
		dst = appendString(append(dst, ','), x.Name)
		dst = append(append(dst, ':'), x.Value...)
	}
	return append(dst, '}')
}

func parseConfig(obj jsonscan.Value) (Packet, error) {
	var m Config
	if v := optional(obj, "depth"); v != nil {
		depth, err := integer(v, "depth")
		if err != nil {
			return nil, err
		}
		m.Depth = &depth
	}
	for key, v := range obj.Fields() {
		if name := key.Text(); strings.HasPrefix(name, "x-") {
			m.Extra = append(m.Extra, Extra{name, v})
		}
	}
	return m, nil
}

// Setup puts pieces on the board before the first request.
type Setup struct {
	Board jsonscan.Value
	Side  Side // of the receiver, our extension for clients that ask for Presence; or 0
}

// Append implements Packet.
func (m Setup) Append(dst []byte) []byte {
	dst = append(appendType(dst, typeSetup), `,"board":`...)
	dst = append(dst, m.Board...)
	if m.Side != 0 {
		dst = appendSide(dst, `,"side":`, m.Side)
	}
	return append(dst, '}')
}

func parseSetup(obj jsonscan.Value) (Packet, error) {
	var m Setup
	var err error
	if v := optional(obj, "side"); v != nil {
		if m.Side, err = parseSide(v, "side"); err != nil {
			return nil, err
		}
	}
	m.Board, err = needBoard(obj)
	return m, err
}

// Heartbeat reports whether the server is waiting for the bot. A bot that is not working then
// should hang up.
type Heartbeat struct{ Waiting bool }

// Append implements Packet.
func (m Heartbeat) Append(dst []byte) []byte {
	dst = append(appendType(dst, typeHeartbeat), `,"waiting":`...)
	return append(strconv.AppendBool(dst, m.Waiting), '}')
}

func parseHeartbeat(obj jsonscan.Value) (Packet, error) {
	v, err := needField(obj, "waiting", jsonscan.Bool)
	return Heartbeat{string(v) == "true"}, err
}

// EndReason is the reason for the end of a game, in Hivemaker's terms.
type EndReason string

// The reasons.
const (
	EndWin     EndReason = "win"
	EndDraw    EndReason = "draw"
	EndForfeit EndReason = "forfeit"
)

// End is the last packet of a game, as Hivemaker sends it.
type End struct {
	Winner Side // the zero Side for a draw
	Reason EndReason
	Board  jsonscan.Value
	Detail string // why a side forfeits, our extension for clients that ask for Presence; or ""
}

// Append implements Packet.
func (m End) Append(dst []byte) []byte {
	dst = appendSide(appendType(dst, typeEnd), `,"winner":`, m.Winner)
	dst = appendString(append(dst, `,"reason":`...), string(m.Reason))
	dst = append(append(dst, `,"board":`...), m.Board...)
	if m.Detail != "" {
		dst = appendString(append(dst, `,"detail":`...), m.Detail)
	}
	return append(dst, '}')
}

func parseEnd(obj jsonscan.Value) (Packet, error) {
	var m End
	var err error
	if v := obj.Field("winner"); v.Kind() != jsonscan.Null {
		if m.Winner, err = parseSide(v, "winner"); err != nil {
			return nil, err
		}
	}
	reason, err := needField(obj, "reason", jsonscan.String)
	if err != nil {
		return nil, err
	}
	m.Reason = EndReason(reason.Text())
	if v := optional(obj, "detail"); v.Kind() == jsonscan.String {
		m.Detail = v.Text()
	}
	m.Board, err = needBoard(obj)
	return m, err
}

// Resign is what a person's client sends to give the game up. It is our extension.
type Resign struct{}

// Append implements Packet.
func (Resign) Append(dst []byte) []byte { return append(appendType(dst, typeResign), '}') }

func parseResign(jsonscan.Value) (Packet, error) { return Resign{}, nil }

// Sit is the first packet of a person's client that asks for a seat in a match. It is our
// extension.
type Sit struct {
	Key   string // a secret of the client, with which it gets its seat back
	Token string // from the server's operator; or ""
}

// Bounds of the length of a key in bytes: a shorter one may be guessed, and a longer one is not
// kept.
const (
	minKey = 16
	maxKey = 64
)

// Append implements Packet.
func (m Sit) Append(dst []byte) []byte {
	dst = appendString(append(appendType(dst, typeSit), `,"key":`...), m.Key)
	if m.Token != "" {
		dst = appendString(append(dst, `,"token":`...), m.Token)
	}
	return append(dst, '}')
}

func parseSit(obj jsonscan.Value) (Packet, error) {
	key, err := needField(obj, "key", jsonscan.String)
	if err != nil {
		return nil, err
	}
	m := Sit{Key: key.Text()}
	if n := len(m.Key); n < minKey || n > maxKey {
		return nil, &Fault{"key", fmt.Sprintf("has %d bytes: want %d to %d", n, minKey, maxKey)}
	}
	if v := optional(obj, "token"); v != nil {
		if err := need(v, "token", jsonscan.String); err != nil {
			return nil, err
		}
		m.Token = v.Text()
	}
	return m, nil
}

// Presence tells clients that ask for it whether the opponent is connected. It is our
// extension.
type Presence struct{ Connected bool }

// Append implements Packet.
func (m Presence) Append(dst []byte) []byte {
	dst = append(appendType(dst, typePresence), `,"connected":`...)
	return append(strconv.AppendBool(dst, m.Connected), '}')
}

func parsePresence(obj jsonscan.Value) (Packet, error) {
	v, err := needField(obj, "connected", jsonscan.Bool)
	return Presence{string(v) == "true"}, err
}

// Nope is Hivemaker's packet before it closes the connection over a violation.
type Nope struct{ Reason string }

// Append implements Packet.
func (m Nope) Append(dst []byte) []byte {
	dst = append(appendType(dst, typeNope), `,"reason":`...)
	return append(appendString(dst, m.Reason), '}')
}

func parseNope(obj jsonscan.Value) (Packet, error) {
	v, err := needField(obj, "reason", jsonscan.String)
	return Nope{v.Text()}, err
}
