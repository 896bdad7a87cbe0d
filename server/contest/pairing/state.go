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
	if len(s.Games) != h.teams || len(s.Meetings) != h.teams*h.teams || len(s.Seats) != h.teams || len(s.Rests) != h.teams {
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

// UnmarshalJSON sets b, a bracket of the same teams and seats, to a round that MarshalJSON returned.
func (b *Bracket) UnmarshalJSON(text []byte) error { return json.Unmarshal(text, &b.tables) }

// fieldState is all that a Field knows.
type fieldState struct {
	Levels   []int         `json:"levels"`
	Seats    []map[int]int `json:"seats"`
	Meetings [][]int       `json:"meetings"` // of a team with each one before it
	Expected [][]int64     `json:"expected"`
	Floor    int           `json:"floor"`
}

// MarshalJSON returns all that f knows.
func (f *Field) MarshalJSON() ([]byte, error) {
	s := fieldState{Floor: f.floor}
	for i, t := range f.teams {
		meetings, expected := []int{}, []int64{}
		for _, p := range f.pairs[i] {
			meetings, expected = append(meetings, p.meetings), append(expected, p.expected)
		}
		s.Levels, s.Seats = append(s.Levels, t.level), append(s.Seats, t.seats)
		s.Meetings, s.Expected = append(s.Meetings, meetings), append(s.Expected, expected)
	}
	return json.Marshal(s)
}

// UnmarshalJSON sets f, which has no teams, to what MarshalJSON returned.
func (f *Field) UnmarshalJSON(text []byte) error {
	s := fieldState{}
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	f.floor = s.Floor
	for i, level := range s.Levels {
		if i >= len(s.Seats) || i >= len(s.Meetings) || i >= len(s.Expected) || s.Seats[i] == nil || len(s.Meetings[i]) != i || len(s.Expected[i]) != i {
			return errors.New("the field lacks what a team has played")
		}
		f.AddTeam()
		f.teams[i] = fieldTeam{level, s.Seats[i]}
		for j := range i {
			f.pairs[i][j] = fieldPair{s.Meetings[i][j], s.Expected[i][j]}
		}
	}
	return nil
}
