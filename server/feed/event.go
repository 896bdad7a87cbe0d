package feed

import (
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/protocol/jsonscan"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/result"
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
	ID string `json:"id"` // of the match
	// Recording is the file name of the match's recording; empty if it has none.
	Recording string            `json:"recording,omitempty"`
	Labels    map[string]string `json:"labels,omitempty"` // what the match belongs to; may be nil
	Rules     string            `json:"rules"`
	Logic     *recording.Logic  `json:"logic,omitempty"` // what the game logic of external rules said
	Map       string            `json:"map"`
	Players   int               `json:"players"` // without special players
	Specials  int               `json:"specials"`
	Turns     int               `json:"turns"`
	Seed      uint64            `json:"seed,string"` // a browser's numbers have only 53 bits
	// between turns; 0: as fast as the players answer
	IntervalMS float64 `json:"interval_ms"`
	// for an answer; 0: none, clocks count, or it is not known
	LimitMS float64 `json:"limit_ms,omitempty"`
	Seats   []Seat  `json:"seats"` // by player id
	State   []byte  `json:"-"`     // the initial state: JSON object
	// of a game logic that sends them, by player id
	Scores []int64 `json:"scores,omitempty"`

	Printed []recording.Output `json:"-"`
}

// Seat is a player's seat.
type Seat struct {
	ID       engine.PlayerID `json:"id"`
	Nickname string          `json:"nickname"`
	// short and unique name of a bot that was started for the match
	Label    string `json:"label"`
	Special  bool   `json:"special"`
	Started  bool   `json:"started"`            // a process was started for it
	Version  string `json:"version,omitempty"`  // a digest of the player's code, as it said
	Language string `json:"language,omitempty"` // in which it is written, as it said
	Untimed  bool   `json:"untimed,omitempty"`  // no deadline holds for it
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
	// of a game logic that sends them, by player id: the page does not know its states
	Scores  []int64
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
	Report  *result.Report // nil if the match has no report
	// Decided are the turns that decided between the best player and each of the others, the second
	// first. It is nil if they are not known, as in the feed of a live match, and empty if none stands
	// out.
	Decided []*result.Decisions
}

// setTally sets the tally of that many players, if there are figures.
func (e *End) setTally(
	players int, appendTally func([]engine.Count, engine.PlayerID) []engine.Count,
) {
	for id := range players {
		if counts := appendTally(nil, engine.PlayerID(id)); len(counts) > 0 {
			e.Tally = append(e.Tally, counts)
		}
	}
}

// appendScores appends the first count of that many players, if there are figures.
func appendScores(
	dst []int64, players int, appendTally func([]engine.Count, engine.PlayerID) []engine.Count,
) []int64 {
	var counts []engine.Count
	for id := range players {
		if counts = appendTally(counts[:0], engine.PlayerID(id)); len(counts) > 0 {
			dst = append(dst, counts[0].Value)
		}
	}
	return dst
}

// newStart returns the start of a match that a recording's header describes.
func newStart(id string, h *recording.Header, state []byte, printed []recording.Output) Start {
	interval := time.Duration(h.DelayTurns * float64(time.Millisecond))
	s := Start{
		ID: id, Labels: h.Labels, Rules: h.Rules, Logic: h.Logic, Map: h.MapName, Players: h.Players,
		Specials: h.Specials,
		Turns:    h.Turns, Seed: h.Seed, IntervalMS: milliseconds(interval), LimitMS: limitOf(h),
		Seats: []Seat{},
		State: state, Printed: printed,
	}
	for i := range h.Seats {
		seat := &h.Seats[i]
		s.Seats = append(s.Seats, Seat{
			ID: engine.PlayerID(i), Nickname: seat.Nickname, Label: seat.Label, Special: seat.Special,
			Started: seat.Command != nil,
			Version: seat.Version, Language: seat.Language, Untimed: seat.Untimed,
		})
	}
	return s
}

// limitOf returns the time for an answer. Recordings that lack it have it in their options, if a
// timer was not the limit.
func limitOf(h *recording.Header) float64 {
	if limit, err := time.ParseDuration(h.Options["turn_timeout"]); err == nil && h.Limit == 0 &&
		h.DelayTurns == 0 {
		return milliseconds(limit)
	}
	return h.Limit
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// span is the position of the state or delta in an event, including its key.
type span struct{ from, to int }

// append appends the event to an empty buffer.
func (s *Start) append(b []byte) ([]byte, span) {
	w := jsonscan.Writer(b)
	w.JSON("", struct {
		Type string `json:"type"`
		*Start
	}{"start", s})
	w = w[:len(w)-len("}")]
	body := writeBody(&w, "state", s.State)
	writePrinted(&w, s.Printed)
	w.Close('}')
	return w, body
}

// append appends the event to an empty buffer.
func (t *Turn) append(b []byte) ([]byte, span) {
	w := jsonscan.Writer(append(b, `{"type":"turn"`...))
	w.Int("turn", int64(t.Step))
	w.Int("at_ms", t.At.Milliseconds())
	key, value := "delta", t.Delta
	if len(value) == 0 {
		key, value = "state", t.State
	}
	body := writeBody(&w, key, value)
	w.Int("winner", int64(t.Winner))
	w.Open("answers", '[')
	for i := range t.Answers {
		writeAnswer(&w, &t.Answers[i])
	}
	w.Close(']')
	writeRefused(&w, t.Refused)
	if len(t.Scores) > 0 {
		w.Open("scores", '[')
		for _, n := range t.Scores {
			w.Int("", n)
		}
		w.Close(']')
	}
	if len(t.Gone) > 0 {
		w.Open("gone", '[')
		for _, p := range t.Gone {
			w.Int("", int64(p))
		}
		w.Close(']')
	}
	writePrinted(&w, t.Printed)
	w.Close('}')
	return w, body
}

// writeBody appends the state or delta of an event.
func writeBody(w *jsonscan.Writer, key string, value []byte) (body span) {
	*w = append(*w, ',')
	body.from = len(*w)
	writeRaw(w, key, value)
	body.to = len(*w)
	return body
}

// writePrinted appends the last lines that each bot printed, if there are any.
func writePrinted(w *jsonscan.Writer, list []recording.Output) {
	if len(list) == 0 {
		return
	}
	w.Open("printed", '[')
	for i := range list {
		w.JSON("", list[i].Tail(maxPrinted))
	}
	w.Close(']')
}

func writeAnswer(w *jsonscan.Writer, a *match.Answer) {
	w.Open("", '{')
	w.Int("player", int64(a.Player))
	if a.Lapse != engine.Answered {
		w.String("lapse", a.Lapse.String())
		w.Close('}')
		return
	}
	w.Key("ms")
	*w = strconv.AppendFloat(*w, float64(a.Took.Microseconds())/1000, 'f', -1, 64)
	if showable(a.Actions, a.Valid, jsonscan.Array, maxActions) {
		writeRaw(w, "actions", a.Actions)
	} else {
		w.Int("omitted", int64(len(a.Actions)))
	}
	if a.Debug != nil && showable(a.Debug, a.Valid, jsonscan.Object, maxDebug) {
		writeRaw(w, "debug", a.Debug)
	}
	w.Close('}')
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

func writeRefused(w *jsonscan.Writer, list []engine.Refusal) {
	w.Open("refused", '[')
	for i := range list[:min(len(list), maxRefused)] {
		r := &list[i]
		w.Open("", '{')
		w.Int("player", int64(r.Player))
		w.Int("answer", int64(r.Input))
		w.Int("action", int64(r.Action))
		w.String("reason", r.Reason)
		w.Close('}')
	}
	w.Close(']')
	if more := len(list) - maxRefused; more > 0 {
		w.Int("refused_more", int64(more))
	}
}

// append appends the event to an empty buffer.
func (e *End) append(b []byte) []byte {
	w := jsonscan.Writer(append(b, `{"type":"end"`...))
	w.Int("turn", int64(e.Turn))
	w.Int("winner", int64(e.Winner))
	w.String("reason", e.Reason)
	w.String("error", e.Error)
	w.Open("tally", '[')
	for p, counts := range e.Tally {
		w.Open("", '{')
		w.Int("player", int64(p))
		for _, c := range counts {
			w.Int(c.Name, c.Value)
		}
		w.Close('}')
	}
	w.Close(']')
	writePrinted(&w, e.Printed)
	if e.Report != nil {
		w.JSON("report", newReport(e.Report))
	}
	if e.Decided != nil {
		w.JSON("decided", e.Decided)
	}
	w.Close('}')
	return w
}

// report is the report on a match as viewers get it.
type report struct {
	*result.Report
	Table *result.Table `json:"table"`
}

// newReport returns a report without what not all viewers may see: how bots were started, and what
// they printed.
func newReport(r *result.Report) report {
	shown := *r
	shown.Digest = "" // the recording of a match that has one does not tell
	shown.Seats = slices.Clone(r.Seats)
	for i := range shown.Seats {
		s := &shown.Seats[i]
		s.Command, s.Argument, s.Interpreter, s.Log, s.LastLines = nil, s.Label, "", "", nil
	}
	return report{&shown, r.Table(false)}
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

// append appends the event to an empty buffer.
func (e *Incomplete) append(b []byte) []byte {
	w := jsonscan.Writer(b)
	w.JSON("", struct {
		Type string `json:"type"`
		*Incomplete
	}{"incomplete", e})
	return w
}

// writeRaw appends JSON on one line and in UTF-8: a line feed would split an event in
// two, and browsers close a connection on invalid UTF-8.
func writeRaw(w *jsonscan.Writer, key string, raw []byte) {
	w.Key(key)
	start := len(*w)
	if utf8.Valid(raw) {
		*w = append(*w, raw...)
	} else {
		*w = append(*w, string([]rune(string(raw)))...)
	}
	if jsonscan.OneLine((*w)[start:]) {
		return
	}
	for i, c := range (*w)[start:] {
		if c < ' ' { // white space outside of strings
			(*w)[start+i] = ' '
		}
	}
}
