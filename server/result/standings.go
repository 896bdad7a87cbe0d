package result

// Standings sum up the matches of a series that were played to their end.
type Standings struct {
	rows []*Standing
}

// Standing sums up the matches of the bots with one label.
type Standing struct {
	Label   string
	Matches int // in which it played
	Won     int
	Drawn   int
}

// Add adds a match, and a row for each new label of its seats.
func (s *Standings) Add(r *Report) {
	for i := range r.Seats {
		s.row(r.Seats[i].Label).add(&r.Seats[i], r.Winner)
	}
}

// row returns the row of a label.
func (s *Standings) row(label string) *Standing {
	for _, row := range s.rows {
		if row.Label == label {
			return row
		}
	}
	row := &Standing{Label: label}
	s.rows = append(s.rows, row)
	return row
}

func (s *Standing) add(seat *SeatReport, winner string) {
	if seat.Status == Absent {
		return
	}
	s.Matches++
	switch winner {
	case seat.Label:
		s.Won++
	case "":
		s.Drawn++
	}
}

// Rows returns a row for each label, in the order in which they were first in a match.
func (s *Standings) Rows() []*Standing { return s.rows }
