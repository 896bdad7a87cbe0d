package match

import (
	"slices"
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
	// TimesOnly reports that the match is the earlier one, played again: the answers of its players
	// count, with the times that they took then. A turn does not wait for an answer that was missing.
	TimesOnly bool
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
	if m.opts.Past.TimesOnly {
		t.retime(m.opts.Past.Inputs(m.turns))
		return
	}
	t.answers, t.late = t.answers[:0], t.late[:0]
	for _, in := range m.opts.Past.Inputs(m.turns) {
		t.answers = append(t.answers,
			Answer{Input: in, Took: time.Duration(in.Micros) * time.Microsecond})
	}
	m.repace = true
}

// retime gives the answers to a turn the times and the lapses of an earlier match.
func (t *turn) retime(past []engine.Input) {
	for i := range t.answers {
		a := &t.answers[i]
		k := slices.IndexFunc(past,
			func(in engine.Input) bool { return in.Player == a.Player && in.Turn == a.Turn })
		switch {
		case k < 0:
		case past[k].Lapse != engine.Answered:
			*a = Answer{Input: past[k]}
		case a.Lapse == engine.Answered:
			a.Micros = past[k].Micros
			a.Took = time.Duration(a.Micros) * time.Microsecond
		}
	}
}

// lapsed reports whether a player owed the answer to the newest TURN in the match that is played
// again.
func (m *Match) lapsed(id engine.PlayerID) bool {
	return m.opts.Past.TimesOnly && m.inPast() && slices.ContainsFunc(m.opts.Past.Inputs(m.turns),
		func(in engine.Input) bool {
			return in.Player == id && in.Turn == m.asked() && in.Lapse != engine.Answered
		})
}
