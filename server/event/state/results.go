package state

import (
	"fmt"

	"github.com/hexarena/hexarena/server/contest/results"
)

// Results are the results of all matches, with those that do not count.
type Results struct {
	rows    []*results.Row
	void    map[int]bool // by number of the match
	unrated map[int]bool // matches of finals
}

// Len returns the number of results.
func (rs *Results) Len() int { return len(rs.rows) }

// Row returns the result of a match, or an error if it was not played.
func (rs *Results) Row(match int) (*results.Row, error) {
	if match < 0 || match >= len(rs.rows) {
		return nil, fmt.Errorf("match %d was not played: there are %d", match+1, len(rs.rows))
	}
	return rs.rows[match], nil
}

// IsVoid reports whether a match does not count.
func (rs *Results) IsVoid(match int) bool { return rs.void[match] }

// counts reports whether a match is rated.
func (rs *Results) counts(match int) bool { return !rs.void[match] && !rs.unrated[match] }

// MatchVoided makes a match not count, or count again.
type MatchVoided struct {
	Head
	On    bool `json:"on,omitempty"`
	Match int  `json:"match,omitempty"` // from 0
}

func (*MatchVoided) kind() string { return "void" }

func (a *MatchVoided) apply(s *State) error {
	s.Results.void[a.Match] = a.On
	s.retally(a.Match)
	return nil
}

// Void makes a match not count, or count again.
func (s *State) Void(match int, on bool) (Act, error) {
	_, err := s.Results.Row(match)
	return &MatchVoided{Match: match, On: on}, err
}

// NameOf returns the name of the team with a nickname, or says that a built-in bot has it.
func (ts *Teams) NameOf(nick string) string {
	if t := ts.byNick[nick]; t != nil {
		return t.Name
	}
	return nick + " (built-in)"
}
