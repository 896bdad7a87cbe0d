package htttx

import (
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
type Setup struct{ Board jsonscan.Value }

// Append implements Packet.
func (m Setup) Append(dst []byte) []byte {
	dst = append(appendType(dst, typeSetup), `,"board":`...)
	return append(append(dst, m.Board...), '}')
}

func parseSetup(obj jsonscan.Value) (Packet, error) {
	board, err := needBoard(obj)
	return Setup{board}, err
}

// Heartbeat says whether the server is waiting for the bot. A bot that is not working then
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
	if v := lookup(obj, "winner"); v.Kind() != jsonscan.Null {
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
