package state

import (
	"fmt"
	"slices"

	"github.com/hexarena/hexarena/server/contest/results"
)

// Results are the results of all matches, with those that do not count.
type Results struct {
	rows    []*results.Row
	void    map[int]bool // by number of the match
	unrated map[int]bool // matches of finals
	again   []int        // matches that are to be played again, in the order of the requests
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

// OfFinal reports whether a match was one of a final.
func (rs *Results) OfFinal(match int) bool { return rs.unrated[match] }

// counts reports whether a match is rated.
func (rs *Results) counts(match int) bool { return !rs.void[match] && !rs.unrated[match] }

// MatchVoided makes a match not count, or count again.
type MatchVoided struct {
	Head
	On    bool `json:"on,omitempty"`
	Match int  `json:"match,omitempty"` // from 0
	Again bool `json:"again,omitempty"` // it is to be played again
}

func (*MatchVoided) kind() string { return "void" }

func (a *MatchVoided) apply(s *State) error {
	s.Results.void[a.Match] = a.On
	if a.Again || !a.On {
		s.Results.dropAgain(a.Match)
	}
	if a.Again {
		s.Results.again = append(s.Results.again, a.Match)
	}
	s.retally(a.Match)
	return nil
}

// Void makes a match not count, or count again.
func (s *State) Void(match int, on bool) (Act, error) {
	_, err := s.Results.Row(match)
	return &MatchVoided{Match: match, On: on}, err
}

// PlayAgain voids a match that is to be played again. One of a final is only voided: a final plays
// its matches until each has a result that counts.
func (s *State) PlayAgain(match int) (Act, error) {
	_, err := s.Results.Row(match)
	return &MatchVoided{Match: match, On: true, Again: !s.Results.OfFinal(match)}, err
}

// dropAgain removes a match from those that are to be played again.
func (rs *Results) dropAgain(match int) {
	rs.again = slices.DeleteFunc(rs.again, func(k int) bool { return k == match })
}

// nextReplay returns the first match that is to be played again and whose teams are ready. found
// reports whether such a match exists.
func (s *State) nextReplay(ready []int) (match int, found bool) {
	isAway := func(team int) bool { return !slices.Contains(ready, team) }
	i := slices.IndexFunc(s.Results.again, func(k int) bool {
		row, err := s.Results.Row(k)
		return err == nil && !slices.ContainsFunc(s.Teams.In(row), isAway)
	})
	if i < 0 {
		return 0, false
	}
	return s.Results.again[i], true
}

// Replayable reports whether a match is to be played again whose teams are ready.
func (s *State) Replayable(ready []int) bool {
	_, found := s.nextReplay(ready)
	return found
}

// NameOf returns the name of the team with a nickname, or says that a built-in bot has it.
func (ts *Teams) NameOf(nick string) string {
	if t := ts.byNick[nick]; t != nil {
		return t.Name
	}
	return nick + " (built-in)"
}
