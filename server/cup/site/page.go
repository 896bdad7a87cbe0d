package site

import (
	_ "embed"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/cup/standings"
)

//go:embed page.html
var source string

var layout = template.Must(template.New("page").Parse(source))

// page is what the page shows.
type page struct {
	*standings.Table
	Lines     []line
	Rated     bool // lines have bars
	Compared  []compared
	Pairs     []pair
	MapNames  []string
	SeatNames []string
}

// line is a bot's.
type line struct {
	standings.Bot
	Score    string
	Forfeits string
	Bar      *bar     // nil without an interval
	Cells    []cell   // of the cross-table; empty ones for bots that have not met
	Maps     []string // scores, empty for a map that the bot did not play on
	Seats    []string
}

// compared is a comparison with its bar.
type compared struct {
	*standings.Comparison
	Score, Above string
	Bar          *bar
}

// bar is an interval on the scale of all bars, in per cent of its width.
type bar struct {
	Value, Interval string
	Low, Width, At  float64
	Zero            float64
}

// cell is how a bot did against another one.
type cell struct {
	Score, Title string
	Percent      int
	Pair         string // the id of the list of replays; empty if no replay was kept
}

// pair lists the replays of matches in which two bots met.
type pair struct {
	ID      string
	A, B    string
	Replays []replay
}

type replay struct {
	K    int
	File string
	Text string
}

// newPage returns the page of a table with the rows of the matches that have a replay.
func newPage(t *standings.Table, kept []*results.Row) *page {
	p := &page{Table: t}
	for _, m := range t.ByMap {
		if !slices.Contains(p.MapNames, m.Map) {
			p.MapNames = append(p.MapNames, m.Map)
		}
	}
	slices.Sort(p.MapNames)
	for seat := range t.Seats {
		p.SeatNames = append(p.SeatNames, strconv.Itoa(seat+1))
	}
	p.addPairs(kept)
	for i := range t.Bots {
		p.Lines = append(p.Lines, p.line(&t.Bots[i]))
	}
	p.addCells()
	p.addBars()
	return p
}

// addBars adds the bars of the bots' strengths, and the comparisons with theirs. All have one scale.
func (p *page) addBars() {
	var intervals []*standings.Interval
	for i := range p.Bots {
		intervals = append(intervals, p.Bots[i].Elo)
		p.Rated = p.Rated || p.Bots[i].Elo != nil
	}
	for i := range p.Comparisons {
		e := &p.Comparisons[i].Elo
		intervals = append(intervals, &standings.Interval{Value: e.Value, Low: e.Value - e.Error, High: e.Value + e.Error})
	}
	bars := newBars(intervals)
	for i := range p.Lines {
		if p.Lines[i].Bar = bars[i]; bars[i] != nil {
			bars[i].Interval = p.Bots[i].Between(signed)
		}
	}
	for i := range p.Comparisons {
		c := &p.Comparisons[i]
		p.Compared = append(p.Compared, compared{c, percent(c.Score), percent(c.LOS), bars[len(p.Lines)+i]})
	}
}

// newBars returns the bars of intervals; nil stands for none.
func newBars(intervals []*standings.Interval) []*bar {
	low, high := 0.0, 0.0
	for _, i := range intervals {
		if i != nil {
			low, high = min(low, i.Low), max(high, i.High)
		}
	}
	at := func(elo float64) float64 { return math.Round(10_000*(elo-low)/max(high-low, 1)) / 100 }
	bars := make([]*bar, len(intervals))
	for n, i := range intervals {
		if i != nil {
			bars[n] = &bar{
				Value: signed(i.Value), Interval: signed(i.Low) + " to " + signed(i.High),
				Low: at(i.Low), Width: at(low + i.High - i.Low), At: at(i.Value), Zero: at(0),
			}
		}
	}
	return bars
}

// addPairs adds a list of replays for each two bots that have met in one.
func (p *page) addPairs(kept []*results.Row) {
	for i := range p.Bots {
		for j := range p.Bots[:i] {
			a, b := p.Bots[j].Name, p.Bots[i].Name
			list := pair{ID: fmt.Sprintf("pair-%d-%d", j+1, i+1), A: a, B: b}
			for _, row := range kept {
				if slices.Contains(row.Bots, a) && slices.Contains(row.Bots, b) {
					list.Replays = append(list.Replays, replay{row.K, replayFile(row.K), course(row)})
				}
			}
			if len(list.Replays) > 0 {
				p.Pairs = append(p.Pairs, list)
			}
		}
	}
}

// course returns the result of a match in a line: the map and the bots by rank.
func course(row *results.Row) string {
	order := make([]int, len(row.Bots))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return row.Ranks[a] - row.Ranks[b] })
	var list []string
	for _, seat := range order {
		text := fmt.Sprintf("%d. %s %d", row.Ranks[seat], row.Bots[seat], row.Scores[seat])
		if kind := row.Forfeits[seat]; kind != "" {
			text += " (" + kind + ")"
		}
		list = append(list, text)
	}
	return "on " + row.Map + ": " + strings.Join(list, ", ")
}

// line returns the line of a bot.
func (p *page) line(b *standings.Bot) line {
	l := line{Bot: *b, Score: percent(b.Score), Maps: make([]string, len(p.MapNames)), Seats: make([]string, p.Seats)}
	total := 0
	var kinds []string
	for kind, n := range b.Forfeits {
		total += n
		kinds = append(kinds, fmt.Sprintf("%s %d", kind, n))
	}
	slices.Sort(kinds)
	l.Forfeits = strconv.Itoa(total)
	if total > 0 {
		l.Forfeits += " (" + strings.Join(kinds, ", ") + ")"
	}
	for _, m := range p.ByMap {
		if m.Bot == b.Name {
			l.Maps[slices.Index(p.MapNames, m.Map)] = percent(m.Score)
		}
	}
	for _, s := range p.BySeat {
		if s.Bot == b.Name {
			l.Seats[s.Seat-1] = percent(s.Score)
		}
	}
	return l
}

// addCells adds the cross-table.
func (p *page) addCells() {
	type names struct{ bot, other string }
	cells := make(map[names]cell, len(p.Meetings))
	for i := range p.Meetings {
		m := &p.Meetings[i]
		cells[names{m.Bot, m.Against}] = cell{
			Score: percent(m.Score), Percent: int(100 * m.Score),
			Title: fmt.Sprintf("%s against %s: %d wins, %d ties, %d losses", m.Bot, m.Against, m.Wins, m.Ties, m.Losses),
		}
	}
	for i := range p.Pairs {
		q := &p.Pairs[i]
		for _, n := range []names{{q.A, q.B}, {q.B, q.A}} {
			c := cells[n]
			c.Pair = q.ID
			cells[n] = c
		}
	}
	for i := range p.Lines {
		for j := range p.Lines {
			p.Lines[i].Cells = append(p.Lines[i].Cells, cells[names{p.Lines[i].Name, p.Lines[j].Name}])
		}
	}
}

func percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

// signed returns Elo points.
func signed(elo float64) string { return fmt.Sprintf("%+.1f", elo) }
