package match

import (
	"time"

	"github.com/hexarena/hexarena/engine"
)

// Past is the beginning of an earlier match, from which a match goes on: its first turns are played
// as they were then. Players are asked in them as in all others, so that their memory is true, and
// their answers are ignored. The zero Past has no turns.
type Past struct {
	Turns int
	// Inputs returns the inputs of a turn in the order applied. step is the number of turns before it.
	// The inputs are valid until the next call.
	Inputs func(step int) []engine.Input
}

// inPast reports whether the answers to the newest TURN are known.
func (m *Match) inPast() bool { return m.turns < m.opts.Past.Turns }

// recall replaces the answers to a turn of the past by those that were given then. A new
// pace is made after each such turn, so that no clock counts the time of ignored answers.
func (m *Match) recall() {
	if !m.inPast() {
		return
	}
	t := &m.turn
	t.answers, t.late = t.answers[:0], t.late[:0]
	for _, in := range m.opts.Past.Inputs(m.turns) {
		t.answers = append(t.answers,
			Answer{Input: in, Took: time.Duration(in.Micros) * time.Microsecond})
	}
	m.repace = true
}
