package pairing

import (
	"encoding/json"
	"errors"
)

// historyState is all that a History knows.
type historyState struct {
	Games    []int         `json:"games"`
	Meetings []int         `json:"meetings"`
	Seats    []map[int]int `json:"seats"`
	Rests    []int         `json:"rests"`
}

// MarshalJSON returns all that h knows.
func (h *History) MarshalJSON() ([]byte, error) {
	return json.Marshal(historyState{h.games, h.meetings, h.seats, h.rests})
}

// UnmarshalJSON sets h to what MarshalJSON returned for as many teams.
func (h *History) UnmarshalJSON(text []byte) error {
	s := historyState{}
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	if len(s.Games) != h.teams || len(s.Meetings) != h.teams*h.teams || len(s.Seats) != h.teams ||
		len(s.Rests) != h.teams {
		return errors.New("the history is of other teams")
	}
	for i := range s.Seats {
		if s.Seats[i] == nil {
			return errors.New("the history lacks the seats of a team")
		}
	}
	h.games, h.meetings, h.seats, h.rests = s.Games, s.Meetings, s.Seats, s.Rests
	return nil
}

// MarshalJSON returns the tables of the round, which with the seats is all that b knows.
func (b *Bracket) MarshalJSON() ([]byte, error) { return json.Marshal(b.tables) }

// UnmarshalJSON sets b, a bracket of the same teams and seats, to a round that MarshalJSON
// returned.
func (b *Bracket) UnmarshalJSON(text []byte) error { return json.Unmarshal(text, &b.tables) }
