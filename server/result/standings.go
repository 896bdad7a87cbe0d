package result

import (
	"cmp"
	"slices"
)

// Standings sum up the matches of a series that were played to their end.
type Standings struct {
	Matches int
	Turns   int // simulated
	Drawn   int // matches without a winner
	rows    []*Standing
}

// Standing sums up the matches of the bots with one label.
type Standing struct {
	Label   string
	Special bool
	Matches int // in which it played
	Absent  int // matches in which it had a seat and did not come
	Failed  int // matches that it did not hold out, with those
	Won     int
	Drawn   int
	ranks   int // the sum
	names   []string
	sums    []int64 // of the game's figures
}

// Add adds a match, and a row for each new label of its seats.
func (s *Standings) Add(r *Report) {
	s.Matches++
	s.Turns += r.Turns
	if r.Winner == "" {
		s.Drawn++
	}
	for i := range r.Seats {
		s.row(&r.Seats[i]).add(&r.Seats[i], r.Winner)
	}
}

// row returns the row of a seat.
func (s *Standings) row(seat *SeatReport) *Standing {
	for _, row := range s.rows {
		if row.Label == seat.Label {
			return row
		}
	}
	row := &Standing{Label: seat.Label, Special: seat.Special}
	s.rows = append(s.rows, row)
	return row
}

func (s *Standing) add(seat *SeatReport, winner string) {
	if seat.Status != Held {
		s.Failed++
	}
	if seat.Status == Absent {
		s.Absent++
		return
	}
	s.Matches++
	switch winner {
	case seat.Label:
		s.Won++
	case "":
		s.Drawn++
	}
	s.ranks += seat.Rank
	if s.sums == nil {
		s.sums = make([]int64, len(seat.Counts))
		for _, c := range seat.Counts {
			s.names = append(s.names, c.Name)
		}
	}
	for k, c := range seat.Counts {
		s.sums[k] += c.Value
	}
}

// Rank returns the mean rank in the matches that the bot played; 0 for a special player.
func (s *Standing) Rank() float64 { return s.mean(int64(s.ranks)) }

// Means returns the means of the game's figures, and their names.
func (s *Standing) Means() (names []string, means []float64) {
	for _, sum := range s.sums {
		means = append(means, s.mean(sum))
	}
	return s.names, means
}

func (s *Standing) mean(sum int64) float64 { return float64(sum) / float64(max(s.Matches, 1)) }

// Rows returns a row for each label, in the order in which they were first in a match.
func (s *Standings) Rows() []*Standing { return s.rows }

// Ranking returns the rows, the one that won most first, special players last.
func (s *Standings) Ranking() []*Standing {
	list := slices.Clone(s.rows)
	slices.SortStableFunc(list, func(a, b *Standing) int {
		if a.Special != b.Special {
			if a.Special {
				return 1
			}
			return -1
		}
		return cmp.Or(cmp.Compare(b.Won, a.Won), cmp.Compare(a.Rank(), b.Rank()))
	})
	return list
}
