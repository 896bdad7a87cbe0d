package htttx

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Record is a game in the notation: its tags and its moves. The opening cross at the origin
// is not among the moves; the first move is circle's.
type Record struct {
	Tags  []Tag
	Moves []RecordedMove
}

// Tag is one piece of information about a game. Unknown keys are kept.
type Tag struct{ Key, Value string }

// The keys of tags.
const (
	TagVersion      = "version"
	TagName         = "name"
	TagPlatform     = "platform"
	TagUTCDateTime  = "utcdatetime" // in TagTimeLayout
	TagPlayerCross  = "playercross"
	TagPlayerCircle = "playercircle"
	TagTimeControl  = "timecontrol" // see TimeControl
	TagEndReason    = "endreason"   // win, time, resign or draw
	TagWinner       = "winner"      // cross or circle
)

// TagTimeLayout is the layout of utcdatetime.
const TagTimeLayout = time.DateTime

// RecordedMove is a move in a Record.
type RecordedMove struct {
	Pieces []Cell // two, or one if it ended the game
	Mark   string // one ! for each threat, or at most two of ! and ?; usually empty
}

// Tag returns the value of a key, or "" if the key is missing.
func (r *Record) Tag(key string) string {
	for _, t := range r.Tags {
		if t.Key == key {
			return t.Value
		}
	}
	return ""
}

// AppendText appends the record in the notation: one line for each tag and each move.
// Brackets and control characters in values, which the notation cannot represent, are
// replaced.
func (r *Record) AppendText(dst []byte) []byte {
	for i, t := range r.Tags {
		dst = append(append(dst, t.Key...), '[')
		dst = append(append(dst, strings.Map(tagSafe, t.Value)...), ']')
		if i == len(r.Tags)-1 {
			dst = append(dst, ';')
		}
		dst = append(dst, '\n')
	}
	for i, m := range r.Moves {
		dst = append(strconv.AppendInt(dst, int64(i)+1, 10), ". "...)
		for _, c := range m.Pieces {
			dst = fmt.Appendf(dst, "[%d,%d]", c.Q, c.R)
		}
		dst = append(append(dst, m.Mark...), ";\n"...)
	}
	return dst
}

func tagSafe(r rune) rune {
	switch {
	case r == '[':
		return '('
	case r == ']':
		return ')'
	case unicode.IsControl(r):
		return ' '
	}
	return r
}

// TimeControl is the time of each side: a base and an increment after each move.
type TimeControl struct{ Base, Increment time.Duration }

// String returns the time control as base+increment in seconds.
func (t TimeControl) String() string {
	s := func(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) }
	return s(t.Base) + "+" + s(t.Increment)
}

// ParseTimeControl parses base+increment, or base alone, in seconds.
func ParseTimeControl(text string) (t TimeControl, err error) {
	base, increment, both := strings.Cut(text, "+")
	if !both {
		increment = "0"
	}
	b, errBase := strconv.ParseFloat(base, 64)
	i, errIncrement := strconv.ParseFloat(increment, 64)
	if errBase != nil || errIncrement != nil || !(b > 0 && b <= maxSeconds) ||
		!(i >= 0 && i <= maxSeconds) {
		return t, fmt.Errorf("%q is not a time control; write the seconds for the game, +, and the "+
			"seconds added after each move, such as 60+0.5", text)
	}
	return TimeControl{seconds(b), seconds(i)}, nil
}
