package recording

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"hash/crc32"
	"slices"
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
	var sum [4]byte
	binary.BigEndian.PutUint32(sum[:], crc32.Checksum(b[start+lineHead:], castagnoli))
	hex.Encode(b[start:], sum[:])
	return append(b, '\n')
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
	w := jsonscan.Writer(append(beginLine(b), '{'))
	w.Int("turn", int64(t.Step))
	w.Int("at_us", t.At.Microseconds())
	w.Open("inputs", '[')
	for i := range t.Inputs {
		writeInput(&w, &t.Inputs[i], t.Step)
	}
	w.Close(']')
	w.Open("refused", '[')
	for i := range t.Refused {
		w.Open("", '[') // the player follows from the input
		w.Int("", int64(t.Refused[i].Input))
		w.Int("", int64(t.Refused[i].Action))
		w.String("", t.Refused[i].Reason)
		w.Close(']')
	}
	w.Close(']')
	writeNews(&w, t)
	w.Open("tally", '[')
	for tally := range slices.Chunk(t.Tally, max(counts, 1)) {
		w.Open("", '[')
		for _, n := range tally {
			w.Int("", n)
		}
		w.Close(']')
	}
	w.Close(']')
	w.Hex("digest", t.Digest[:])
	if t.State != nil {
		w.Int("winner", int64(t.Winner))
		writeVerbatim(&w, "state", t.State, false)
	}
	w.Close('}')
	return endLine(w, start)
}

func writeInput(w *jsonscan.Writer, in *Input, step int) {
	w.Open("", '{')
	w.Int("player", int64(in.Player))
	if in.Input.Turn != answers(step) {
		w.Int("for", int64(in.Input.Turn))
	}
	if in.Lapse != engine.Answered {
		w.String("lapse", in.Lapse.String())
	}
	if in.Took != 0 {
		w.Int("took_us", max(1, in.Took.Microseconds())) // a time that is known is not 0
	}
	if in.Actions != nil {
		writeVerbatim(w, "actions", in.Actions, in.Valid)
	}
	if in.Debug != nil {
		writeVerbatim(w, "debug", in.Debug, in.Valid)
	}
	var sum [4]byte
	binary.BigEndian.PutUint32(sum[:], in.sum)
	w.Hex("sum", sum[:])
	if a := &in.Abridged; a.Bytes != 0 {
		w.Open("abridged", '{')
		w.Int("bytes", int64(a.Bytes))
		w.Hex("sha256", a.Digest[:])
		w.Close('}')
	}
	w.Close('}')
}

// writeNews appends the fields that only some turns have.
func writeNews(w *jsonscan.Writer, t *Turn) {
	if len(t.Left) > 0 {
		w.Open("left", '[')
		for i := range t.Left {
			w.Open("", '{')
			w.Int("player", int64(t.Left[i].Player))
			w.String("reason", t.Left[i].Reason)
			w.Close('}')
		}
		w.Close(']')
	}
	if len(t.Printed) > 0 {
		w.Open("printed", '[')
		for i := range t.Printed {
			writeOutput(w, &t.Printed[i])
		}
		w.Close(']')
	}
}

func writeOutput(w *jsonscan.Writer, o *Output) {
	w.Open("", '{')
	w.Int("player", int64(o.Player))
	w.Open("lines", '[')
	for _, line := range o.Lines {
		w.String("", line)
	}
	w.Close(']')
	if o.Lost > 0 {
		w.Int("lost", int64(o.Lost))
	}
	if o.Ended != "" {
		w.String("ended", o.Ended)
	}
	w.Close('}')
}

// writeVerbatim appends a field with a player's bytes, as JSON if they are valid JSON on
// one line, otherwise in base64 under a name that says so. checked says that they are known
// to be valid JSON.
func writeVerbatim(w *jsonscan.Writer, key string, value []byte, checked bool) {
	if jsonscan.OneLine(value) && utf8.Valid(value) && (checked || isJSON(value)) {
		w.Raw(key, value)
		return
	}
	w.Key(key + "_base64")
	*w = append(base64.StdEncoding.AppendEncode(append(*w, '"'), value), '"')
}

// isJSON reports whether text is JSON without surrounding white space.
func isJSON(text []byte) bool {
	v, err := jsonscan.Parse(text)
	return err == nil && len(v) == len(text)
}

// micros converts microseconds, as in recordings, to a duration.
func micros(n int64) time.Duration { return time.Duration(n) * time.Microsecond }
