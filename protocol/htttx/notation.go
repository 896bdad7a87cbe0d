package htttx

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Record is a game as the notation holds it: what is known of it, and its
// moves. The opening cross at the origin is not among them, so that circle
// makes the first.
type Record struct {
	Tags  []Tag
	Moves []RecordedMove
}

// Tag is one thing known of a game. Unknown keys are kept.
type Tag struct{ Key, Value string }

// The keys of tags.
const (
	TagVersion      = "version"
	TagName         = "name"
	TagPlatform     = "platform"
	TagUTCDateTime  = "utcdatetime" // as TagTimeLayout
	TagPlayerCross  = "playercross"
	TagPlayerCircle = "playercircle"
	TagTimeControl  = "timecontrol" // see TimeControl
	TagEndReason    = "endreason"   // win, time, resign or draw
	TagWinner       = "winner"      // cross or circle
)

// TagTimeLayout is the layout of utcdatetime.
const TagTimeLayout = time.DateTime

// RecordedMove is a move as it is written down.
type RecordedMove struct {
	Pieces []Cell // two; one if that was the last of the game
	Mark   string // of ! and ?, such as "!?"; usually empty
}

// Tag is the value under a key, empty if there is none.
func (r *Record) Tag(key string) string {
	for _, t := range r.Tags {
		if t.Key == key {
			return t.Value
		}
	}
	return ""
}

// AppendText appends the record in the notation: a line for each tag and for
// each move. Brackets and control characters in values give way to others,
// since the notation cannot hold them.
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

// TimeControl is the time that each side has: a budget, and what is added to it
// after each move.
type TimeControl struct{ Base, Increment time.Duration }

// String writes the time control as base+increment in seconds.
func (t TimeControl) String() string {
	s := func(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) }
	return s(t.Base) + "+" + s(t.Increment)
}

// ParseTimeControl reads base+increment, or base alone, in seconds.
func ParseTimeControl(text string) (t TimeControl, err error) {
	base, increment, both := strings.Cut(text, "+")
	if !both {
		increment = "0"
	}
	b, errBase := strconv.ParseFloat(base, 64)
	i, errIncrement := strconv.ParseFloat(increment, 64)
	if errBase != nil || errIncrement != nil || !(b > 0 && b <= maxSeconds) || !(i >= 0 && i <= maxSeconds) {
		return t, fmt.Errorf("%q is no time control; write seconds for the game, + and seconds added after each move, such as 60+0.5", text)
	}
	return TimeControl{seconds(b), seconds(i)}, nil
}
