package recording

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// parser reads the fields of a record and keeps the first error.
type parser struct {
	err     error
	reasons map[string]string // of refusals read so far, by their JSON
}

func (p *parser) fail(key jsonscan.Value, want string) {
	if p.err == nil {
		p.err = fmt.Errorf("%.40s: not %s", key, want)
	}
}

func (p *parser) int(key, v jsonscan.Value, low, high int64) int64 {
	n, err := strconv.ParseInt(string(v), 10, 64)
	if err != nil || n < low || n > high {
		p.fail(key, fmt.Sprintf("an integer from %d to %d", low, high))
		return 0
	}
	return n
}

func (p *parser) player(key, v jsonscan.Value, players int) engine.PlayerID {
	return engine.PlayerID(p.int(key, v, 0, int64(players)-1))
}

// list calls read for each element of a list, of which there may be at most limit.
func (p *parser) list(key, list jsonscan.Value, limit int, read func(jsonscan.Value)) {
	n := 0
	for _, v := range list.Elements() {
		if n++; n > limit && p.err == nil {
			p.err = tooMany(key.Text(), limit)
		}
		if p.err != nil {
			return
		}
		read(v)
	}
}

// hex reads a string of hexadecimal digits of exactly the size of dst.
func (p *parser) hex(key, v jsonscan.Value, dst []byte) {
	if v.Kind() == jsonscan.String && len(v) == len(`""`)+hex.EncodedLen(len(dst)) {
		if _, err := hex.Decode(dst, v[1:len(v)-1]); err == nil {
			return
		}
	}
	p.fail(key, "a checksum")
}

func (p *parser) base64(key, v jsonscan.Value) []byte {
	b, err := base64.StdEncoding.DecodeString(v.Text())
	if err != nil {
		p.fail(key, "base64")
	}
	return b
}

// parse reads a turn. It keeps references to record.
func (t *Turn) parse(record jsonscan.Value, h *Header) error {
	players := len(h.Seats)
	*t = Turn{
		Inputs: t.Inputs[:0], Refused: t.Refused[:0], Left: t.Left[:0], Printed: t.Printed[:0],
		Tally: t.Tally[:0],
		Step:  -1, Winner: engine.NoPlayer, parser: parser{reasons: t.parser.reasons},
	}
	p := &t.parser
	var refused jsonscan.Value
	var hasInputs, hasDigest bool
	for key, v := range record.Fields() {
		switch {
		case key.Is("turn"):
			t.Step = int(p.int(key, v, 0, maxTurns))
		case key.Is("at_us"):
			t.At = micros(p.int(key, v, 0, maxMicros))
		case key.Is("inputs"):
			hasInputs = true
			p.list(key, v, playerInputs*players, func(v jsonscan.Value) {
				t.Inputs = append(t.Inputs, Input{})
				p.input(&t.Inputs[len(t.Inputs)-1], v, t.Step, players)
			})
		case key.Is("refused"):
			refused = v
		case key.Is("left"):
			t.Left = p.left(t.Left, key, v, players)
		case key.Is("printed"):
			t.Printed = p.printed(t.Printed, key, v, players)
		case key.Is("tally"):
			p.list(key, v, players, func(row jsonscan.Value) {
				p.list(key, row, len(h.Counts), func(n jsonscan.Value) {
					t.Tally = append(t.Tally, p.int(key, n, math.MinInt64, math.MaxInt64))
				})
			})
		case key.Is("digest"):
			hasDigest = true
			p.hex(key, v, t.Digest[:])
		case key.Is("winner"):
			t.Winner = engine.PlayerID(p.int(key, v, -1, int64(players)-1))
		case key.Is("state"):
			t.State = v
		case key.Is("state_base64"):
			t.State = p.base64(key, v)
		}
	}
	p.list(refusedKey, refused, maxLine, func(v jsonscan.Value) { p.refusal(t, v) })
	switch {
	case p.err != nil:
		return p.err
	case !hasInputs || !hasDigest:
		return errors.New("a turn lacks its inputs or its digest")
	case (t.State != nil) != (h.Rules == External):
		return errors.New("state: only recordings of external rules have one")
	case len(t.Tally) != players*len(h.Counts):
		return errors.New("tally: not one list of counts for each player")
	}
	return nil
}

// maxMicros is the longest time that fits a duration.
const maxMicros = 1<<63/1000 - 1

func (p *parser) input(in *Input, v jsonscan.Value, step, players int) {
	in.Input.Turn = answers(step)
	in.Player = engine.NoPlayer
	var sum [4]byte
	for key, v := range v.Fields() {
		switch {
		case key.Is("player"):
			in.Player = p.player(key, v, players)
		case key.Is("for"):
			in.Input.Turn = int(p.int(key, v, -maxTurns, maxTurns))
		case key.Is("lapse"):
			in.Lapse = p.lapse(key, v)
		case key.Is("took_us"):
			in.Micros = p.int(key, v, 0, maxMicros)
			in.Took = micros(in.Micros)
		case key.Is("actions"):
			in.Actions, in.Valid = v, true
		case key.Is("actions_base64"):
			in.Actions, in.Valid = p.base64(key, v), false
		case key.Is("abridged"):
			in.Abridged = p.abridged(v)
		case key.Is("debug"):
			in.Debug = v
		case key.Is("debug_base64"):
			in.Debug = p.base64(key, v)
		case key.Is("sum"):
			p.hex(key, v, sum[:])
		}
	}
	if in.Player == engine.NoPlayer && p.err == nil {
		p.err = errors.New("an input has no player")
	}
	in.sum = binary.BigEndian.Uint32(sum[:])
}

func (p *parser) lapse(key, v jsonscan.Value) engine.Lapse {
	for l := engine.Answered; l <= engine.Malformed; l++ {
		if v.Is(l.String()) {
			return l
		}
	}
	p.fail(key, "a known lapse")
	return 0
}

var refusedKey = jsonscan.Value(`"refused"`)

// refusal reads [input, action, reason].
func (p *parser) refusal(t *Turn, v jsonscan.Value) {
	var parts [3]jsonscan.Value
	for i, v := range v.Elements() {
		if i < len(parts) {
			parts[i] = v
		}
	}
	r := engine.Refusal{
		Input:  int(p.int(refusedKey, parts[0], 0, int64(len(t.Inputs))-1)),
		Action: int(p.int(refusedKey, parts[1], -1, maxLine)),
		Reason: p.reason(parts[2]),
	}
	if p.err == nil {
		r.Player = t.Inputs[r.Input].Player
		t.Refused = append(t.Refused, r)
	}
}

// reason returns a reason as a string, which is made once and reused.
func (p *parser) reason(v jsonscan.Value) string {
	if s, ok := p.reasons[string(v)]; ok {
		return s
	}
	const limit = 64 // more than any game has
	if p.reasons == nil || len(p.reasons) >= limit {
		p.reasons = map[string]string{}
	}
	s := v.Text()
	p.reasons[string(v)] = s
	return s
}

func (p *parser) left(dst []Departure, key, list jsonscan.Value, players int) []Departure {
	p.list(key, list, players, func(v jsonscan.Value) {
		d := Departure{Player: engine.NoPlayer}
		for key, v := range v.Fields() {
			switch {
			case key.Is("player"):
				d.Player = p.player(key, v, players)
			case key.Is("reason"):
				d.Reason = v.Text()
			}
		}
		dst = append(dst, d)
	})
	return dst
}

func (p *parser) printed(dst []Output, key, list jsonscan.Value, players int) []Output {
	p.list(key, list, players, func(v jsonscan.Value) {
		o := Output{Player: engine.NoPlayer, Lines: []string{}}
		for key, v := range v.Fields() {
			switch {
			case key.Is("player"):
				o.Player = p.player(key, v, players)
			case key.Is("lost"):
				o.Lost = int(p.int(key, v, 0, maxLine))
			case key.Is("ended"):
				o.Ended = v.Text()
			case key.Is("lines"):
				p.list(key, v, MaxPrinted, func(line jsonscan.Value) { o.Lines = append(o.Lines, line.Text()) })
			}
		}
		dst = append(dst, o)
	})
	return dst
}

// parseEnd reads the end of a match between that many players.
func parseEnd(end jsonscan.Value, players int) (*End, error) {
	var p parser
	e := &End{Winner: engine.NoPlayer}
	for key, v := range end.Fields() {
		switch {
		case key.Is("turns"):
			e.Turns = int(p.int(key, v, 0, maxTurns))
		case key.Is("winner"):
			e.Winner = engine.PlayerID(p.int(key, v, -1, int64(players)-1))
		case key.Is("reason"):
			e.Reason = v.Text()
		case key.Is("error"):
			e.Error = v.Text()
		case key.Is("cut"):
			e.Cut = string(v) == "true"
		case key.Is("left"):
			e.Left = p.left(nil, key, v, players)
		case key.Is("printed"):
			e.Printed = p.printed(nil, key, v, players)
		}
	}
	return e, p.err
}
