package result

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hexarena/hexarena/engine"
)

// Table is a report as text in columns: a line for each seat, best first. The cells may hold what a
// bot sent.
type Table struct {
	Columns []Column   `json:"columns"`
	Rows    [][]string `json:"rows"` // a cell for each column
}

// Column is a column of a table.
type Column struct {
	Name  string `json:"name"`            // may be empty
	Right bool   `json:"right,omitempty"` // its cells are aligned to the right, as numbers are
}

// NameColumn is the index of the column with the names of the seats' players.
const NameColumn = 1

// Table returns the table that the terminal and the page show: of each seat its rank, if ids is set
// its player's id, the game's figures, the times of its answers, and what was wrong.
func (r *Report) Table(ids bool) *Table {
	seats := r.Ranking()
	t := &Table{Columns: []Column{{"", true}, NameColumn: {"bot", false}}}
	if ids {
		t.Columns = append(t.Columns, Column{"id", true})
	}
	for _, name := range countNames(seats) {
		t.Columns = append(t.Columns, Column{name, true})
	}
	t.Columns = append(t.Columns, Column{"p50", true}, Column{"p99", true}, Column{"skipped", true},
		Column{"refused", false}, Column{"remarks", false})
	for _, s := range seats {
		t.Rows = append(t.Rows, s.row(len(t.Columns), ids))
	}
	last := len(t.Columns) - 1
	if !slices.ContainsFunc(t.Rows, func(row []string) bool { return row[last] != "" }) {
		t.Columns[last].Name = ""
	}
	return t
}

// countNames returns the names of the game's figures.
func countNames(seats []*SeatReport) (names []string) {
	for _, s := range seats {
		if len(s.Counts) > 0 {
			for _, c := range s.Counts {
				names = append(names, c.Name)
			}
			return names
		}
	}
	return nil
}

// row returns the seat's line of a table.
func (s *SeatReport) row(columns int, ids bool) []string {
	row := []string{"-", s.Name()}
	if s.Rank > 0 {
		row[0] = strconv.Itoa(s.Rank)
	}
	if s.ID == engine.NoPlayer {
		return append(append(row, make([]string, columns-len(row)-1)...), s.remarks())
	}
	if ids {
		row = append(row, strconv.Itoa(int(s.ID)))
	}
	for _, c := range s.Counts {
		row = append(row, strconv.FormatInt(c.Value, 10))
	}
	p50, p99 := Duration(time.Duration(s.Time.P50)), Duration(time.Duration(s.Time.P99))
	if s.Untimed {
		p50, p99 = "-", "-"
	}
	return append(row, p50, p99, strconv.Itoa(s.Skipped), s.refusedText(), s.remarks())
}

// refusedText returns how many actions were refused, with the most frequent reasons.
func (s *SeatReport) refusedText() string {
	total := s.RefusedTotal()
	if total == 0 {
		return "0"
	}
	var why []string
	for _, reason := range s.ShownRefusals() {
		why = append(why, fmt.Sprintf("%s %d", reason, s.Refused[reason]))
	}
	if len(s.Refused) > len(why) {
		why = append(why, "…")
	}
	return fmt.Sprintf("%d (%s)", total, strings.Join(why, ", "))
}

// remarks returns what is special about the seat, and what was wrong.
func (s *SeatReport) remarks() string {
	var list []string
	if s.Special {
		list = append(list, "special player")
	}
	if s.Untimed {
		list = append(list, "without a time limit; its time was not measured")
	}
	why, _, _ := strings.Cut(s.Error, "\n") // a compiler's lines do not fit into a cell
	switch s.Status {
	case Held:
	case Left:
		list = append(list, why)
	default:
		list = append(list, string(s.Status)+": "+why)
	}
	list = append(list, s.Remarks...)
	if s.Missed > 0 {
		list = append(list, fmt.Sprintf("absent for %d turns", s.Missed))
	}
	return strings.Join(list, "; ")
}

// Duration returns a duration with about three digits; "-" for 0.
func Duration(d time.Duration) string {
	switch {
	case d == 0:
		return "-"
	case d < time.Millisecond:
		return fmt.Sprintf("%d µs", d.Microseconds())
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.1f ms", d.Seconds()*1e3)
	case d < time.Second:
		return fmt.Sprintf("%.0f ms", d.Seconds()*1e3)
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}
