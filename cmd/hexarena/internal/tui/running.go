package tui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hexarena/hexarena/server/cup/standings"
)

// Running is a cup that is being played: the standings so far, and how fast it goes.
type Running struct {
	Table *standings.Table
	Total int     // matches in all; 0: not known, as in a test, which has a forecast
	Rate  float64 // matches a second; 0: not known
}

// mostInLine is the number of bots the line of a running cup has.
const mostInLine = 5

// Line returns the progress and the scores of the first bots, as one line.
func (r *Running) Line() string {
	var b strings.Builder
	b.WriteString(r.progress())
	if t := r.Table.Test; t != nil {
		fmt.Fprintf(&b, "; log ratio %s of %s to %s", hundredths(t.Ratio), hundredths(t.Lower),
			hundredths(t.Upper))
	}
	for i, bot := range r.Table.Bots[:min(mostInLine, len(r.Table.Bots))] {
		separator := ", "
		if i == 0 {
			separator = "; "
		}
		fmt.Fprintf(&b, "%s%s %.3f", separator, Plain(bot.Name), bot.Score)
	}
	return b.String()
}

// Object returns the progress and the scores of all bots, for encoding/json.
func (r *Running) Object() any {
	type score struct {
		Bot   string  `json:"bot"`
		Score float64 `json:"score"`
	}
	o := struct {
		Matches int      `json:"matches"`
		Total   int      `json:"total,omitempty"`
		Rate    float64  `json:"matches_per_second"`
		Left    float64  `json:"seconds_left,omitempty"`
		Ratio   *float64 `json:"log_ratio,omitempty"`
		Scores  []score  `json:"scores"`
	}{Matches: r.Table.Matches, Total: r.Total, Rate: r.Rate, Left: r.left().Seconds()}
	if t := r.Table.Test; t != nil {
		o.Ratio = &t.Ratio
	}
	for i := range r.Table.Bots {
		o.Scores = append(o.Scores, score{r.Table.Bots[i].Name, r.Table.Bots[i].Score})
	}
	return o
}

// progress returns how many matches have been played, the rate and the time left.
func (r *Running) progress() string {
	text := strconv.Itoa(r.Table.Matches)
	if r.Total > 0 {
		text += fmt.Sprintf(" of %d", r.Total)
	}
	text += fmt.Sprintf(" matches, %.1f a second", r.Rate)
	if left := r.left(); left > 0 {
		text += fmt.Sprintf(", %v left", left)
	}
	if forecast := r.forecast(); forecast != "" {
		text += ", " + forecast
	}
	return text
}

// forecast returns in how many matches, or in what time, the test ends; empty if there is a total,
// or no test.
func (r *Running) forecast() string {
	t := r.Table.Test
	if r.Total > 0 || t == nil || t.Left == nil {
		return ""
	}
	text := Between(t.Left.Least, t.Left.Most) + " matches"
	if r.Rate > 0 {
		at := func(matches int) string {
			return Roughly(time.Duration(float64(matches) / r.Rate * float64(time.Second)))
		}
		if text = at(t.Left.Least); text != at(t.Left.Most) {
			text += " to " + at(t.Left.Most)
		}
	}
	return fmt.Sprintf("%s left with a probability of %.0f %%", text, 100*t.Left.Probability)
}

// left returns the time until the total is reached, in whole seconds; 0 if that is not known.
func (r *Running) left() time.Duration {
	if r.Rate <= 0 || r.Total <= r.Table.Matches {
		return 0
	}
	return time.Duration(
		float64(r.Total-r.Table.Matches) / r.Rate * float64(time.Second)).Round(time.Second)
}

// The columns that the parts of a running cup need: with fewer, matches and intervals are left out,
// and then the bar.
const (
	wideRunning = 60
	leastBar    = 40
	mostBar     = 30 // columns of the bar itself
)

// Lines returns the progress with the standings, no more than fit into some columns and rows.
func (r *Running) Lines(columns, rows int) []string {
	var b strings.Builder
	r.standings(columns >= wideRunning).Write(&b)
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	room := rows - 1
	if t := r.Table.Test; t != nil {
		room--
	}
	switch more := len(lines) - room; {
	case more <= 0:
	case room > 2: // the head and a bot
		lines = append(lines[:room-1], fmt.Sprintf("… and %d more", more+1))
	default:
		lines = lines[:max(room, 0)]
	}
	if t := r.Table.Test; t != nil && rows > 1 {
		lines = append(lines,
			fmt.Sprintf("log-likelihood ratio %s, decided at %s or %s", hundredths(t.Ratio),
				hundredths(t.Lower), hundredths(t.Upper)))
	}
	for i := range lines {
		lines[i] = clip(lines[i], columns)
	}
	return append([]string{r.head(columns)}, lines...)
}

// head returns a bar, if there is a total and room for it, and the progress.
func (r *Running) head(columns int) string {
	switch {
	case columns < leastBar && r.Total > 0:
		return clip(fmt.Sprintf("%d/%d, %.1f/s, %v left", r.Table.Matches, r.Total, r.Rate, r.left()),
			columns)
	case columns < leastBar || r.Total <= 0:
		return clip(r.progress(), columns)
	}
	width := min(mostBar, columns/4)
	done := min(width, width*r.Table.Matches/r.Total)
	return Colored(strings.Repeat("█", done), 0) + strings.Repeat("░", width-done) + " " + clip(
		r.progress(), columns-width-1)
}

// standings returns a line for each bot.
func (r *Running) standings(wide bool) *Table {
	table := &Table{Columns: []Column{Right(""), Left("bot")}}
	if wide {
		table.Columns = append(table.Columns, Right("matches"))
	}
	table.Columns = append(table.Columns, Right("score"))
	rated := r.comparison() != nil ||
		slices.ContainsFunc(r.Table.Bots, func(b standings.Bot) bool { return b.Elo != nil })
	if rated {
		table.Columns = append(table.Columns, Right("Elo"))
	}
	if rated && wide {
		table.Columns = append(table.Columns, Left("95 %"))
	}
	for i := range r.Table.Bots {
		b := &r.Table.Bots[i]
		row := []string{strconv.Itoa(b.Rank), Plain(b.Name)}
		if wide {
			row = append(row, strconv.Itoa(b.Matches))
		}
		score := ""
		if b.Matches > 0 {
			score = percent(b.Score)
		}
		elo, between := r.elo(b)
		row = append(row, score, elo, between)
		table.Add(row[:len(table.Columns)]...)
	}
	return table
}

// elo returns the Elo of a bot and its interval, as far as the cup has them.
func (r *Running) elo(b *standings.Bot) (value, between string) {
	c := r.comparison()
	switch {
	case c != nil && c.Bot == b.Name && c.Elo != nil:
		return signed(c.Elo.Value), c.Spread(tenths)
	case b.Elo != nil:
		return signed(b.Elo.Value), b.Between(signed)
	}
	return "", ""
}

// comparison returns the only comparison of the cup; nil if there are several, as in a gauntlet.
func (r *Running) comparison() *standings.Comparison {
	if len(r.Table.Comparisons) != 1 {
		return nil
	}
	return &r.Table.Comparisons[0]
}
