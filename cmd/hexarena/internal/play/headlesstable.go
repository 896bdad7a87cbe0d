package play

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/server/arena"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/seat"
)

// tally sums up the matches of a series.
type tally struct {
	matches int
	turns   int // simulated
	drawn   int // matches without a winner
	seats   []seatTally
	elapsed time.Duration
}

// seatTally sums up the matches of one seat.
type seatTally struct {
	seat   *seat.Spec
	won    int
	ranks  int // their sum; 0 for a special player
	names  []string
	sums   []int64 // of the game's figures
	failed int     // matches that the bot did not hold out
}

func newTally(seats []seat.Spec) tally {
	t := tally{seats: make([]seatTally, len(seats))}
	for i := range seats {
		t.seats[i].seat = &seats[i]
	}
	return t
}

// add adds the results of a match.
func (t *tally) add(r *arena.Report) {
	t.matches++
	t.turns += r.Turns
	if r.Winner == "" {
		t.drawn++
	}
	for i := range r.Seats {
		s, got := &t.seats[i], &r.Seats[i]
		if got.Label == r.Winner {
			s.won++
		}
		s.ranks += got.Rank
		if s.sums == nil {
			s.sums = make([]int64, len(got.Counts))
			for _, c := range got.Counts {
				s.names = append(s.names, c.Name)
			}
		}
		for k, c := range got.Counts {
			s.sums[k] += c.Value
		}
		if got.Status != arena.Held {
			s.failed++
		}
	}
}

func (t *tally) unreliable() bool {
	return slices.ContainsFunc(t.seats, func(s seatTally) bool { return s.failed > 0 })
}

// perSecond returns a rate over the whole series.
func (t *tally) perSecond(n int) float64 { return float64(n) / t.elapsed.Seconds() }

// mean returns the mean over all matches.
func (t *tally) mean(sum int64) float64 { return float64(sum) / float64(max(t.matches, 1)) }

// ranking returns the seats, the one that won most first, special players last.
func (t *tally) ranking() []*seatTally {
	var list []*seatTally
	for i := range t.seats {
		list = append(list, &t.seats[i])
	}
	slices.SortStableFunc(list, func(a, b *seatTally) int {
		switch {
		case a.seat.Special && !b.seat.Special:
			return 1
		case b.seat.Special && !a.seat.Special:
			return -1
		}
		return cmp.Or(cmp.Compare(b.won, a.won), cmp.Compare(a.ranks, b.ranks))
	})
	return list
}

func (s *series) writeTable(w io.Writer) error {
	t := &s.tally
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %s on %s, %d turns each, seeds from %d: ", counted(t.matches, "match", "matches"), s.game.Name, s.instance.Map, s.MaxTurns, s.seed)
	fmt.Fprintf(&b, "%.1f matches and %.0f turns a second on %s\n\n", t.perSecond(t.matches), t.perSecond(t.turns), counted(s.jobs, "core", "cores"))
	if t.matches > 0 {
		t.table().Write(&b)
	}
	if t.drawn > 0 {
		fmt.Fprintf(&b, "\nNo player won %s.\n", counted(t.drawn, "match", "matches"))
	}
	fmt.Fprintf(&b, "\nPlay the first one for all to see:\n  %s\n", s.again())
	if s.Record != "" {
		fmt.Fprintf(&b, "\nRecorded in %s\n", s.Record)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (t *tally) table() *tui.Table {
	out := &tui.Table{Columns: []tui.Column{tui.Right(""), tui.Left("bot"), tui.Right("won"), tui.Right("share"), tui.Right("rank")}}
	ranking := t.ranking()
	for _, name := range ranking[0].names {
		out.Columns = append(out.Columns, tui.Right(name))
	}
	out.Columns = append(out.Columns, tui.Left("remarks"))
	for i, s := range ranking {
		row := []string{
			strconv.Itoa(i + 1), s.seat.Label, strconv.Itoa(s.won),
			fmt.Sprintf("%.1f %%", 100*t.mean(int64(s.won))), fmt.Sprintf("%.2f", t.mean(int64(s.ranks))),
		}
		if s.seat.Special {
			row[0], row[4] = "-", "-"
		}
		for _, sum := range s.sums {
			row = append(row, fmt.Sprintf("%.1f", t.mean(sum)))
		}
		out.Add(append(row, s.remarks())...)
	}
	return out
}

func (s *seatTally) remarks() string {
	var list []string
	if s.seat.Special {
		list = append(list, "special player")
	}
	if s.failed > 0 {
		list = append(list, fmt.Sprintf("failed in %s", counted(s.failed, "match", "matches")))
	}
	return strings.Join(list, "; ")
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// seriesResult is what play --headless --json prints.
type seriesResult struct {
	Version          string         `json:"version"`
	Map              *games.MapInfo `json:"map"`
	Order            string         `json:"order"`
	SuddenDeath      bool           `json:"sudden_death"`
	Seed             uint64         `json:"seed"`    // of the first match; the others count up
	Matches          int            `json:"matches"` // that were played to their end
	Turns            int            `json:"turns"`   // of all these
	Jobs             int            `json:"jobs"`
	Seconds          float64        `json:"seconds"`
	MatchesPerSecond float64        `json:"matches_per_second"`
	TurnsPerSecond   float64        `json:"turns_per_second"`
	Drawn            int            `json:"drawn"` // matches without a winner
	Seats            []seriesSeat   `json:"seats"` // in the order in which they were given
	Error            string         `json:"error,omitempty"`
	Recordings       string         `json:"recordings,omitempty"` // their folder
	Again            string         `json:"again"`                // the command that plays the first match
}

type seriesSeat struct {
	Label   string             `json:"label"`
	Special bool               `json:"special"`
	Won     int                `json:"won"`
	Rank    float64            `json:"rank"`   // the mean; 0 for a special player
	Counts  map[string]float64 `json:"counts"` // the means of the game's figures
	Failed  int                `json:"failed"` // matches that it did not hold out
}

func (s *series) writeJSON(w io.Writer) error {
	t := &s.tally
	r := seriesResult{
		Version: s.Version, Map: s.instance.MapInfo, Order: string(s.Order), SuddenDeath: s.suddenDeath, Seed: s.seed,
		Matches: t.matches, Turns: t.turns, Jobs: s.jobs, Seconds: t.elapsed.Seconds(),
		MatchesPerSecond: t.perSecond(t.matches), TurnsPerSecond: t.perSecond(t.turns),
		Drawn: t.drawn, Recordings: s.Record, Again: s.again(),
	}
	if s.failure != nil {
		r.Error = s.failure.Error()
	}
	for i := range t.seats {
		from := &t.seats[i]
		seat := seriesSeat{
			Label: from.seat.Label, Special: from.seat.Special, Won: from.won, Failed: from.failed,
			Rank: t.mean(int64(from.ranks)), Counts: map[string]float64{},
		}
		for k, name := range from.names {
			seat.Counts[name] = t.mean(from.sums[k])
		}
		r.Seats = append(r.Seats, seat)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(r)
}
