package state

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hexarena/hexarena/server/contest/pairing"
	"github.com/hexarena/hexarena/server/contest/results"
)

// Round is a round that has begun.
type Round struct {
	Number  int     // from 1
	First   int     // matches before it
	Matches [][]int // teams by seat; other seats have built-in bots
	Waiting []int   // teams that were ready, and have no match
	Again   bool    // it is one match that is played again, and does not count for pairing
	Final   bool    // its matches are those of a final, which are not rated

	played []bool // the matches that have a result
	closed bool   // the field has counted it
}

// Last returns a copy of the last round, nil before the first.
func (s *State) Last() *Round {
	if s.last == nil {
		return nil
	}
	r := *s.last
	r.played = slices.Clone(r.played)
	return &r
}

// Rounds returns the number of rounds that have begun.
func (s *State) Rounds() int {
	if s.last == nil {
		return 0
	}
	return s.last.Number
}

// RoundStarted starts a round.
type RoundStarted struct {
	Head
	Again   bool    `json:"on,omitempty"`    // the round is a match once more
	Match   int     `json:"match,omitempty"` // which one, from 0
	First   int     `json:"first,omitempty"`
	Matches [][]int `json:"matches,omitempty"`
	Waiting []int   `json:"waiting,omitempty"`
	Final   bool    `json:"final,omitempty"`
}

func (*RoundStarted) kind() string { return "round" }

func (a *RoundStarted) apply(s *State) error {
	seen := map[int]bool{}
	for _, team := range slices.Concat(append(slices.Clone(a.Matches), a.Waiting)...) {
		if team < 0 || team >= len(s.Teams.list) || seen[team] {
			return fmt.Errorf("a round has the team %d, twice or before it joined", team)
		}
		seen[team] = true
	}
	s.closeRound()
	if a.Again {
		s.Results.dropAgain(a.Match)
	}
	s.last = &Round{
		Number: s.Rounds() + 1, First: a.First, Matches: a.Matches, Waiting: a.Waiting,
		played: make([]bool, len(a.Matches)), Again: a.Again, Final: a.Final,
	}
	return nil
}

// StartRound pairs the teams that are ready, of which there are two or more. With near, teams of
// near ratings meet more often. The last round must be over.
func (s *State) StartRound(ready []int, near bool) *RoundStarted {
	s.closeRound()
	ratings := make([]float64, len(s.Teams.list))
	for _, one := range s.Standings() {
		ratings[one.Number] = one.Skill.Mu
	}
	rules := pairing.FieldRules{Seats: s.seats, Near: near}
	matches, waiting := s.field.Round(ready, ratings, rules)
	return &RoundStarted{First: len(s.Results.rows), Matches: matches, Waiting: waiting}
}

// ErrNoReplay reports that no match is to be played again whose teams are ready.
var ErrNoReplay = errors.New("no match is to be played again whose teams are ready")

// Replay starts a round that is a match once more: the first one that is to be played again and
// whose teams are ready. The last round must be over.
func (s *State) Replay(ready []int) (Act, error) {
	match, found := s.nextReplay(ready)
	if !found {
		return nil, ErrNoReplay
	}
	s.closeRound()
	teams := s.Teams.In(s.Results.rows[match])
	return &RoundStarted{
		First: len(s.Results.rows), Matches: [][]int{teams}, Again: true, Match: match,
	}, nil
}

// closeRound adds the last round to the field, once. Matches without a result, which the end of the
// program interrupted, do not count, and their teams not as ready.
func (s *State) closeRound() {
	r := s.last
	if r == nil || r.closed {
		return
	}
	r.closed = true
	if r.Again || r.Final {
		return
	}
	var matches [][]int
	for i, m := range r.Matches {
		if r.played[i] {
			matches = append(matches, m)
		}
	}
	s.field.Add(matches, r.Waiting)
}

// TableOf returns the match of the last round that a row is the result of, from 0. A round has each
// team in at most one match, so that the teams identify it.
func (s *State) TableOf(row *results.Row) (int, error) {
	r := s.last
	if r == nil {
		return 0, fmt.Errorf("match %d has no round", row.K)
	}
	teams := s.Teams.In(row)
	i := slices.IndexFunc(r.Matches, func(m []int) bool { return slices.Equal(m, teams) })
	if i < 0 || r.played[i] {
		return 0, fmt.Errorf("match %d of %q is not in round %d, or was played in it",
			row.K, row.Bots, r.Number)
	}
	return i, nil
}

// LastRows returns the results of the last round, in the order in which they came.
func (s *State) LastRows() []*results.Row {
	if s.last == nil {
		return nil
	}
	return slices.Clone(s.Results.rows[s.last.First:])
}

// RoundsPaused stops rounds from beginning, or lets them begin again.
type RoundsPaused struct {
	Head
	On bool `json:"on,omitempty"`
}

func (*RoundsPaused) kind() string { return "paused" }

func (a *RoundsPaused) apply(s *State) error {
	s.paused = a.On
	return nil
}

// SetupChanged records how later rounds are played, until the program ends.
type SetupChanged struct {
	Head
	Text string `json:"text,omitempty"` // for people
}

func (*SetupChanged) kind() string { return "setup" }

func (*SetupChanged) apply(*State) error { return nil }

// CodeChanged replaces the code for signing up.
type CodeChanged struct{ Head }

func (*CodeChanged) kind() string { return "code" }

func (*CodeChanged) apply(s *State) error {
	s.codes++
	return nil
}

// Codes returns the number of codes for signing up before the current one.
func (s *State) Codes() int { return s.codes }

// maxMessage bounds a message on the screen, in characters: three lines that are read from afar.
const maxMessage = 120

// MessageShown shows a message on the screen, or none if the text is empty.
type MessageShown struct {
	Head
	Text string `json:"text,omitempty"`
}

func (*MessageShown) kind() string { return "message" }

func (a *MessageShown) apply(s *State) error {
	s.message = a.Text
	return nil
}

// Show shows a message on the screen, or none if it is empty.
func (s *State) Show(message string) (Act, error) {
	message = strings.TrimSpace(strings.ToValidUTF8(message, ""))
	if n := utf8.RuneCountInString(message); n > maxMessage {
		return nil, fmt.Errorf("the message has %d characters: shorten it to %d", n, maxMessage)
	}
	return &MessageShown{Text: message}, nil
}
