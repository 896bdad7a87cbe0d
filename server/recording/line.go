package recording

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"hash/crc32"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// A line is the CRC-32C of a record in hexadecimal digits, a space, the record as one JSON
// object and a line feed.
const (
	sumDigits  = 8
	lineHead   = sumDigits + len(" ")
	sumUnknown = "00000000 "
)

// beginLine appends the start of a line; endLine completes the line that begins at start.
func beginLine(b []byte) []byte { return append(b, sumUnknown...) }

func endLine(b []byte, start int) []byte {
	putHex32(b[start:], crc32.Checksum(b[start+lineHead:], castagnoli))
	return append(b, '\n')
}

func putHex32(dst []byte, v uint32) {
	var raw [4]byte
	binary.BigEndian.PutUint32(raw[:], v)
	hex.Encode(dst, raw[:])
}

func appendHex32(b []byte, v uint32) []byte {
	var raw [4]byte
	binary.BigEndian.PutUint32(raw[:], v)
	return hex.AppendEncode(b, raw[:])
}

// appendJSONLine appends the line of a record other than a turn.
func appendJSONLine(b []byte, record any) ([]byte, error) {
	text, err := json.Marshal(record)
	if err != nil {
		return b, err
	}
	start := len(b)
	return endLine(append(beginLine(b), text...), start), nil
}

// appendTurnLine appends the line of a turn, in which each player has the given number of
// counts. With External rules it includes the state.
func appendTurnLine(b []byte, t *Turn, counts int) []byte {
	start := len(b)
	b = append(beginLine(b), `{"turn":`...)
	b = strconv.AppendInt(b, int64(t.Step), 10)
	b = append(b, `,"at_us":`...)
	b = strconv.AppendInt(b, t.At.Microseconds(), 10)
	b = append(b, `,"inputs":[`...)
	for i := range t.Inputs {
		b = appendInput(comma(b, i), &t.Inputs[i], t.Step)
	}
	b = append(b, `],"refused":[`...)
	for i := range t.Refused {
		b = appendRefusal(comma(b, i), &t.Refused[i])
	}
	b = append(b, ']')
	b = appendNews(b, t)
	b = append(b, `,"tally":[`...)
	for i, n := range t.Tally {
		switch {
		case i%counts != 0:
			b = append(b, ',')
		case i > 0:
			b = append(b, "],["...)
		default:
			b = append(b, '[')
		}
		b = strconv.AppendInt(b, n, 10)
	}
	if len(t.Tally) > 0 {
		b = append(b, ']')
	}
	b = append(b, `],"digest":"`...)
	b = hex.AppendEncode(b, t.Digest[:])
	b = append(b, '"')
	if t.State != nil {
		b = append(b, `,"winner":`...)
		b = strconv.AppendInt(b, int64(t.Winner), 10)
		b = appendVerbatim(b, "state", t.State, false)
	}
	return endLine(append(b, '}'), start)
}

func comma(b []byte, i int) []byte {
	if i > 0 {
		return append(b, ',')
	}
	return b
}

func appendInput(b []byte, in *Input, step int) []byte {
	b = append(b, `{"player":`...)
	b = strconv.AppendInt(b, int64(in.Player), 10)
	if in.Input.Turn != answers(step) {
		b = append(b, `,"for":`...)
		b = strconv.AppendInt(b, int64(in.Input.Turn), 10)
	}
	if in.Lapse != engine.Answered {
		b = append(b, `,"lapse":`...)
		b = appendString(b, in.Lapse.String())
	}
	if in.Took != 0 {
		b = append(b, `,"took_us":`...)
		b = strconv.AppendInt(b, in.Took.Microseconds(), 10)
	}
	if in.Actions != nil {
		b = appendVerbatim(b, "actions", in.Actions, in.Valid)
	}
	if in.Debug != nil {
		b = appendVerbatim(b, "debug", in.Debug, in.Valid)
	}
	b = append(b, `,"sum":"`...)
	b = appendHex32(b, in.sum)
	b = append(b, '"')
	return append(appendAbridged(b, &in.Abridged), '}')
}

// appendRefusal appends [input, action, reason]. The player follows from the input.
func appendRefusal(b []byte, r *engine.Refusal) []byte {
	b = append(b, '[')
	b = strconv.AppendInt(b, int64(r.Input), 10)
	b = append(b, ',')
	b = strconv.AppendInt(b, int64(r.Action), 10)
	b = append(b, ',')
	b = appendString(b, r.Reason)
	return append(b, ']')
}

// appendNews appends the fields that only some turns have.
func appendNews(b []byte, t *Turn) []byte {
	for i := range t.Left {
		if i == 0 {
			b = append(b, `,"left":[`...)
		}
		b = append(comma(b, i), `{"player":`...)
		b = strconv.AppendInt(b, int64(t.Left[i].Player), 10)
		b = append(b, `,"reason":`...)
		b = append(appendString(b, t.Left[i].Reason), '}')
	}
	if len(t.Left) > 0 {
		b = append(b, ']')
	}
	for i := range t.Printed {
		if i == 0 {
			b = append(b, `,"printed":[`...)
		}
		b = append(comma(b, i), `{"player":`...)
		b = strconv.AppendInt(b, int64(t.Printed[i].Player), 10)
		b = append(b, `,"lines":[`...)
		for k, line := range t.Printed[i].Lines {
			b = appendString(comma(b, k), line)
		}
		b = append(b, ']')
		if lost := t.Printed[i].Lost; lost > 0 {
			b = strconv.AppendInt(append(b, `,"lost":`...), int64(lost), 10)
		}
		b = append(b, '}')
	}
	if len(t.Printed) > 0 {
		b = append(b, ']')
	}
	return b
}

// appendVerbatim appends a field with a player's bytes, as JSON if they are valid JSON on
// one line, otherwise in base64 under a name that says so. checked says that they are known
// to be valid JSON.
func appendVerbatim(b []byte, key string, value []byte, checked bool) []byte {
	plain := jsonscan.OneLine(value) && utf8.Valid(value) && (checked || isJSON(value))
	b = append(append(b, `,"`...), key...)
	if plain {
		return append(append(b, `":`...), value...)
	}
	b = append(b, `_base64":"`...)
	b = base64.StdEncoding.AppendEncode(b, value)
	return append(b, '"')
}

// isJSON reports whether text is JSON without surrounding white space.
func isJSON(text []byte) bool {
	v, err := jsonscan.Parse(text)
	return err == nil && len(v) == len(text)
}

// appendString appends a JSON string. Bytes that are not UTF-8 are replaced.
func appendString(b []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' || c >= utf8.RuneSelf || c == '"' || c == '\\' {
			text, err := json.Marshal(s)
			if err != nil {
				panic(err) // a string can always be marshalled
			}
			return append(b, text...)
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}

// micros converts microseconds, as in recordings, to a duration.
func micros(n int64) time.Duration { return time.Duration(n) * time.Microsecond }
