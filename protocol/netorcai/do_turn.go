package netorcai

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// PlayerActions is what one player sent for a turn.
type PlayerActions struct {
	PlayerID int
	Turn     int            // the number of the TURN answered
	Actions  jsonscan.Value // an array, as ParseTurnAck returns it
}

// AppendDoTurn appends a DO_TURN, which asks a game logic to play one turn with the players'
// actions in their order of arrival.
//
// Players must not be able to break a game logic whose JSON parser is incomplete: numbers are
// written as float64 values (2.0 and 2e0 as 2), strings as valid Unicode, and white space is
// dropped. A repeated key of an object stays repeated, and the last one counts; netorcai
// drops the others.
func AppendDoTurn(dst []byte, players []PlayerActions) ([]byte, error) {
	start := len(dst)
	dst = append(BeginFrame(dst), `{"message_type":"DO_TURN","player_actions":[`...)
	for i, p := range players {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, `{"player_id":`...)
		dst = appendInt(dst, p.PlayerID)
		dst = append(dst, `,"turn_number":`...)
		dst = appendInt(dst, p.Turn)
		dst = append(dst, `,"actions":`...)
		dst = appendPlain(dst, p.Actions)
		dst = append(dst, '}')
	}
	return EndFrame(append(dst, "]}"...), start)
}

// appendPlain appends the JSON value v in plain notation. It scans the bytes once, without
// recursion: in valid text, strings and numbers are recognized by their first byte.
func appendPlain(dst []byte, v jsonscan.Value) []byte {
	for i := 0; i < len(v); {
		end := i + 1
		switch c := v[i]; {
		case c == '"':
			end = stringEnd(v, i)
			dst = appendPlainString(dst, v[i:end])
		case c == '-' || '0' <= c && c <= '9':
			for end < len(v) && strings.IndexByte("+-.0123456789Ee", v[end]) >= 0 {
				end++
			}
			dst = appendPlainNumber(dst, v[i:end])
		case c != ' ' && c != '\t' && c != '\n' && c != '\r':
			dst = append(dst, c)
		}
		i = end
	}
	return dst
}

// stringEnd returns the end of the string that starts at v[i].
func stringEnd(v jsonscan.Value, i int) int {
	for i++; i < len(v); i++ {
		switch v[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(v)
}

// appendPlainString also rewrites strings with escapes, which may hold half of a surrogate
// pair.
func appendPlainString(dst []byte, s jsonscan.Value) []byte {
	if bytes.IndexByte(s, '\\') < 0 && utf8.Valid(s) {
		return append(dst, s...)
	}
	return appendString(dst, s.Text())
}

func appendPlainNumber(dst []byte, n jsonscan.Value) []byte {
	const exact = 15 // float64 represents all integers of 15 digits
	if len(n) <= exact && !bytes.ContainsAny(n, ".eE") {
		return append(dst, n...)
	}
	f, err := strconv.ParseFloat(string(n), 64)
	if err != nil {
		return append(dst, n...)
	}
	return appendFloat(dst, f)
}

var (
	doTurnFields        = []string{"message_type", "player_actions"}
	playerActionsFields = []string{"player_id", "turn_number", "actions"}
)

// ParseDoTurn parses a DO_TURN.
func ParseDoTurn(content []byte) ([]PlayerActions, error) {
	f := readFields(content, doTurnFields)
	f.messageType(typeDoTurn)
	list := f.array()
	if f.err != nil {
		return nil, f.err
	}
	var players []PlayerActions
	for _, e := range list.Elements() {
		f := readFields(e, playerActionsFields)
		p := PlayerActions{PlayerID: f.integer(), Turn: f.integer(), Actions: f.array()}
		if f.err != nil {
			return nil, f.err
		}
		players = append(players, p)
	}
	return players, nil
}
