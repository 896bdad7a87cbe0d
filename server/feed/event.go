package feed

import (
	"encoding/json"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/protocol/jsonscan"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
)

// Limits on what a turn shows of each player: far beyond what any game needs, but they
// keep a bot from filling the feed.
const (
	maxActions = 8 << 10 // bytes of one answer's actions
	maxRefused = 200     // refused actions of all players
	maxDebug   = 4 << 10 // bytes of one answer's debug value
	maxPrinted = 4 << 10 // bytes of a bot's output; the last lines are kept
)

// Start is the first event of a match that has started.
type Start struct {
	ID string // of the match
	// Recording is the file name of the match's recording; empty if it has none.
	Recording string
	Labels    map[string]string // what the match belongs to; may be nil
	Rules     string
	Map       string
	Players   int // without special players
	Specials  int
	Turns     int
	Seed      uint64
	Interval  time.Duration // between turns; 0: as fast as the players answer
	Seats     []Seat        // by player id
	State     []byte        // the initial state: JSON object
	Printed   []recording.Output
}

// Seat is a player's seat.
type Seat struct {
	ID       engine.PlayerID `json:"id"`
	Nickname string          `json:"nickname"`
	Label    string          `json:"label"` // short and unique name of a bot that was started for the match
	Special  bool            `json:"special"`
	Started  bool            `json:"started"`            // a process was started for it
	Version  string          `json:"version,omitempty"`  // a digest of the player's code, as it said
	Language string          `json:"language,omitempty"` // in which it is written, as it said
}

// Turn is the event of one turn.
type Turn struct {
	Step    int           // 1 for the first simulated turn
	At      time.Duration // since the start
	Delta   []byte        // what the turn changed: JSON object; empty if that is not known
	State   []byte        // the state after it, shown if there is no delta
	Winner  engine.PlayerID
	Answers []match.Answer // in the order applied, including lapses
	Refused []engine.Refusal
	Gone    []engine.PlayerID  // players that are disconnected
	Printed []recording.Output // what started bots printed since the previous turn
}

// End is the last event.
type End struct {
	Turn   int // number of turns that were played
	Winner engine.PlayerID
	Reason string           // set by a game that ended before its last turn
	Error  string           // why the match was not played to its end
	Tally  [][]engine.Count // of each player; nil if that is not known
	// Printed is what started bots printed after the last turn.
	Printed []recording.Output
}

// startHead is a start event without the state.
type startHead struct {
	Type       string            `json:"type"`
	ID         string            `json:"id"`
	Recording  string            `json:"recording,omitempty"`
	Labels     map[string]string `json:"labels,omitempty"`
	Rules      string            `json:"rules"`
	Map        string            `json:"map"`
	Players    int               `json:"players"`
	Specials   int               `json:"specials"`
	Turns      int               `json:"turns"`
	Seed       uint64            `json:"seed,string"` // a browser's numbers have only 53 bits
	IntervalMS float64           `json:"interval_ms"`
	Seats      []Seat            `json:"seats"`
}

// AppendStart appends a start event.
func AppendStart(b []byte, s *Start) []byte {
	b, _ = appendStart(b, s)
	return b
}

func appendStart(b []byte, s *Start) ([]byte, span) {
	b = appendJSON(b, startHead{
		Type: "start", ID: s.ID, Recording: s.Recording, Labels: s.Labels, Rules: s.Rules, Map: s.Map, Players: s.Players, Specials: s.Specials,
		Turns: s.Turns, Seed: s.Seed, IntervalMS: float64(s.Interval) / float64(time.Millisecond), Seats: s.Seats,
	})
	b[len(b)-1] = ','
	body := span{from: len(b)}
	b = appendRaw(append(b, `"state":`...), s.State)
	body.to = len(b)
	return append(appendPrinted(b, s.Printed), '}'), body
}

// AppendTurn appends a turn event.
func AppendTurn(b []byte, t *Turn) []byte {
	b, _ = appendTurn(b, t)
	return b
}

// span is the position of the state or delta in an event, including its key.
type span struct{ from, to int }

func appendTurn(b []byte, t *Turn) ([]byte, span) {
	start := len(b)
	b = append(b, `{"type":"turn","turn":`...)
	b = strconv.AppendInt(b, int64(t.Step), 10)
	b = append(b, `,"at_ms":`...)
	b = strconv.AppendInt(b, t.At.Milliseconds(), 10)
	b = append(b, ',')
	body := span{from: len(b) - start}
	if len(t.Delta) > 0 {
		b = appendRaw(append(b, `"delta":`...), t.Delta)
	} else {
		b = appendRaw(append(b, `"state":`...), t.State)
	}
	body.to = len(b) - start
	b = append(b, `,"winner":`...)
	b = strconv.AppendInt(b, int64(t.Winner), 10)
	b = append(b, `,"answers":[`...)
	for i := range t.Answers {
		b = appendAnswer(comma(b, i), &t.Answers[i])
	}
	b = append(b, ']')
	b = appendRefused(b, t.Refused)
	for i, p := range t.Gone {
		if i == 0 {
			b = append(b, `,"gone":[`...)
		}
		b = strconv.AppendInt(comma(b, i), int64(p), 10)
	}
	if len(t.Gone) > 0 {
		b = append(b, ']')
	}
	return append(appendPrinted(b, t.Printed), '}'), body
}

// appendPrinted appends the last lines that each bot printed, if there are any.
func appendPrinted(b []byte, list []recording.Output) []byte {
	for i := range list {
		o := list[i].Tail(maxPrinted)
		if i == 0 {
			b = append(b, `,"printed":[`...)
		}
		b = appendJSON(comma(b, i), &o)
	}
	if len(list) > 0 {
		b = append(b, ']')
	}
	return b
}

func appendAnswer(b []byte, a *match.Answer) []byte {
	b = append(b, `{"player":`...)
	b = strconv.AppendInt(b, int64(a.Player), 10)
	if a.Lapse != engine.Answered {
		b = append(b, `,"lapse":`...)
		return append(appendString(b, a.Lapse.String()), '}')
	}
	b = append(b, `,"ms":`...)
	b = strconv.AppendFloat(b, float64(a.Took.Microseconds())/1000, 'f', -1, 64)
	if showable(a.Actions, a.Valid, jsonscan.Array, maxActions) {
		b = appendRaw(append(b, `,"actions":`...), a.Actions)
	} else {
		b = append(b, `,"omitted":`...)
		b = strconv.AppendInt(b, int64(len(a.Actions)), 10)
	}
	if a.Debug != nil && showable(a.Debug, a.Valid, jsonscan.Object, maxDebug) {
		b = appendRaw(append(b, `,"debug":`...), a.Debug)
	}
	return append(b, '}')
}

// showable reports whether a text of at most limit bytes is JSON of the given kind.
// checked says that it is valid JSON, as everything from a client is; what comes from a
// file may be anything.
func showable(text []byte, checked bool, kind jsonscan.Kind, limit int) bool {
	if len(text) > limit {
		return false
	}
	if checked {
		return jsonscan.Value(text).Kind() == kind
	}
	v, err := jsonscan.Parse(text)
	return err == nil && v.Kind() == kind
}

func appendRefused(b []byte, list []engine.Refusal) []byte {
	b = append(b, `,"refused":[`...)
	for i := range list[:min(len(list), maxRefused)] {
		r := &list[i]
		b = append(comma(b, i), `{"player":`...)
		b = strconv.AppendInt(b, int64(r.Player), 10)
		b = append(b, `,"answer":`...)
		b = strconv.AppendInt(b, int64(r.Input), 10)
		b = append(b, `,"action":`...)
		b = strconv.AppendInt(b, int64(r.Action), 10)
		b = append(b, `,"reason":`...)
		b = append(appendString(b, r.Reason), '}')
	}
	b = append(b, ']')
	if more := len(list) - maxRefused; more > 0 {
		b = append(b, `,"refused_more":`...)
		b = strconv.AppendInt(b, int64(more), 10)
	}
	return b
}

// AppendEnd appends an end event.
func AppendEnd(b []byte, e *End) []byte {
	b = append(b, `{"type":"end","turn":`...)
	b = strconv.AppendInt(b, int64(e.Turn), 10)
	b = append(b, `,"winner":`...)
	b = strconv.AppendInt(b, int64(e.Winner), 10)
	b = append(b, `,"reason":`...)
	b = appendString(b, e.Reason)
	b = append(b, `,"error":`...)
	b = appendString(b, e.Error)
	b = append(b, `,"tally":[`...)
	for p, counts := range e.Tally {
		b = append(comma(b, p), `{"player":`...)
		b = strconv.AppendInt(b, int64(p), 10)
		for _, c := range counts {
			b = append(appendString(append(b, ','), c.Name), ':')
			b = strconv.AppendInt(b, c.Value, 10)
		}
		b = append(b, '}')
	}
	return append(appendPrinted(append(b, ']'), e.Printed), '}')
}

// Incomplete is the last event of a recording without an end.
type Incomplete struct {
	Reason Gap    `json:"reason"`
	Turn   int    `json:"turn"`  // the last one in the file
	Turns  int    `json:"turns"` // most turns of the match
	Error  string `json:"error"` // what is damaged; empty if nothing is
}

// Gap is why a recording has no end.
type Gap string

// The reasons.
const (
	Running   Gap = "running"   // the match is still being played
	Truncated Gap = "truncated" // the program was stopped, or the file was truncated
	Damaged   Gap = "damaged"   // the rest of the file cannot be read
)

// AppendIncomplete appends an incomplete event.
func AppendIncomplete(b []byte, e *Incomplete) []byte {
	return appendJSON(b, struct {
		Type string `json:"type"`
		*Incomplete
	}{"incomplete", e})
}

func comma(b []byte, i int) []byte {
	if i > 0 {
		return append(b, ',')
	}
	return b
}

// appendJSON appends a value that is always valid JSON.
func appendJSON(b []byte, v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return append(b, text...)
}

// appendString appends a JSON string. Nearly all strings are plain words of a game.
func appendString(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return appendJSON(b, s)
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}

// appendRaw appends JSON on one line and in UTF-8: a line feed would split an event in
// two, and browsers close a connection on invalid UTF-8.
func appendRaw(b, raw []byte) []byte {
	start := len(b)
	if utf8.Valid(raw) {
		b = append(b, raw...)
	} else {
		b = append(b, string([]rune(string(raw)))...)
	}
	if jsonscan.OneLine(b[start:]) {
		return b
	}
	for i, c := range b[start:] {
		if c < ' ' { // white space outside of strings
			b[start+i] = ' '
		}
	}
	return b
}
