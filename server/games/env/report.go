package env

import (
	"encoding/json"
	"strconv"

	"github.com/hexarena/hexarena/engine"
)

// report appends the position.
func (s *Session) report(show string) {
	m := s.now
	b := append(s.out, `{"turn":`...)
	b = strconv.AppendInt(b, int64(m.turn()), 10)
	b = append(b, `,"await":[`...)
	first := true
	for p := range engine.PlayerID(m.players()) {
		if !m.over() && m.result.Await.Has(p) {
			b = strconv.AppendInt(comma(b, &first), int64(p), 10)
		}
	}
	b = strconv.AppendBool(append(b, `],"over":`...), m.over())
	b = strconv.AppendInt(append(b, `,"winner":`...), int64(m.result.Winner), 10)
	b = appendText(append(b, `,"reason":`...), m.result.Reason)
	b = append(b, `,"score":[`...)
	first = true
	for p := range engine.PlayerID(m.players()) {
		b = strconv.AppendInt(comma(b, &first), m.score(p), 10)
	}
	b = append(b, `],"refused":[`...)
	first = true
	for _, r := range m.result.Refused {
		b = append(comma(b, &first), `{"player":`...)
		b = strconv.AppendInt(b, int64(r.Player), 10)
		b = append(b, `,"action":`...)
		b = strconv.AppendInt(b, int64(r.Action), 10)
		b = appendText(append(b, `,"reason":`...), r.Reason)
		b = append(b, '}')
	}
	b = append(b, ']')
	switch show {
	case "none":
	case "delta":
		b = m.game.AppendDelta(append(b, `,"delta":`...))
	default:
		b = m.game.AppendState(append(b, `,"state":`...))
	}
	s.out = append(b, '}')
}

// appendText appends a string in JSON.
func appendText(b []byte, text string) []byte {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // strings can be written
	}
	return append(b, quoted...)
}

func comma(b []byte, first *bool) []byte {
	if *first {
		*first = false
		return b
	}
	return append(b, ',')
}
