package tui

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/colorprofile"

	"github.com/hexarena/hexarena/config/textutil"
	"github.com/hexarena/hexarena/server/cup/standings"
	"github.com/hexarena/hexarena/server/result"
)

// WriteStandings writes the standings of a cup: its answer, what was played, what is compared, and
// a line for each bot.
func WriteStandings(w io.Writer, t *standings.Table) error {
	var b strings.Builder
	if t.Answer != "" {
		fmt.Fprintf(&b, "%s\n\n", textutil.Minus(Plain(t.Answer)))
	}
	fmt.Fprintf(&b, "%s, %s, %d seats: %s, %s\n%s\n\n", t.Format.Words(), Plain(t.Game), t.Seats,
		playedText(t), count(t.Blocks, "whole block"), Plain(t.Compares))
	botTable(t).Write(&b)
	if len(t.Comparisons) > 0 {
		b.WriteByte('\n')
		comparisonTable(t).Write(&b)
	}
	writeSkipped(&b, t)
	for i := range t.Groups {
		fmt.Fprintf(&b, "\nGroup %d:\n\n", i+1)
		groupTable(&t.Groups[i]).Write(&b)
	}
	if t.Test != nil {
		fmt.Fprintf(&b, "\n%s\n", testText(t.Test))
	}
	return writeColored(w, b.String(), "standings")
}

// WriteDetails writes what the standings rest on: the cross-table, the scores by map and seat, and
// the errors of bots.
func WriteDetails(w io.Writer, t *standings.Table) error {
	var b strings.Builder
	switch {
	case len(t.Bots) <= mostCounted:
		fmt.Fprintf(&b, "\nScores against each other, with wins/ties/losses:\n\n")
		crossTable(t).Write(&b)
	case len(t.Bots) <= mostCrossed:
		fmt.Fprintf(&b, "\nScores against each other, in per cent:\n\n")
		crossTable(t).Write(&b)
	default:
		fmt.Fprintf(&b,
			"\nScores of %d bots against each other do not fit: hexarena cup export writes them\n",
			len(t.Bots))
	}
	if maps := mapTable(t); len(maps.Columns)-1 <= MostMaps {
		fmt.Fprintf(&b, "\nScores by map:\n\n")
		maps.Write(&b)
	} else {
		fmt.Fprintf(&b,
			"\nScores by %d maps do not fit: hexarena cup export writes them\n", len(maps.Columns)-1)
	}
	fmt.Fprintf(&b, "\nScores by seat:\n\n")
	seatTable(t).Write(&b)
	if err := writeColored(w, b.String(), "details"); err != nil {
		return err
	}
	return WriteCosts(w, t)
}

// WriteCosts writes what the matches of a cup took and what went wrong: the processor time of bots,
// the lag of hexarena, and the errors of bots.
func WriteCosts(w io.Writer, t *standings.Table) error {
	var b strings.Builder
	writeTimes(&b, t)
	for i := range t.Errors {
		if i == 0 {
			fmt.Fprintf(&b, "\nErrors:\n")
		}
		writeError(&b, &t.Errors[i])
	}
	return writeColored(w, b.String(), "costs")
}

// writeTimes writes the processor time of bots, and how late the runner was.
func writeTimes(b *strings.Builder, t *standings.Table) {
	table := &Table{Columns: []Column{Left("bot"), Right("a match"), Right("a turn")}}
	known := false
	for i := range t.Bots {
		if c := t.Bots[i].CPU; c != nil {
			table.Add(Plain(t.Bots[i].Name), result.Duration(milliseconds(c.Match)),
				result.Duration(milliseconds(c.Turn)))
			known = true
		}
	}
	if known {
		fmt.Fprintf(b, "\nProcessor time of started bots:\n\n")
		table.Write(b)
	}
	if l := t.Lag; l != nil {
		fmt.Fprintf(b, "\nLag of hexarena itself, at worst in a match: %s on average, %s at most\n",
			result.Duration(milliseconds(l.Mean)), result.Duration(milliseconds(l.Max)))
	}
}

func milliseconds(ms float64) time.Duration { return time.Duration(ms * float64(time.Millisecond)) }

func writeColored(w io.Writer, text, what string) error {
	if _, err := io.WriteString(colorprofile.NewWriter(w, os.Environ()), text); err != nil {
		return fmt.Errorf("write the %s: %w", what, err)
	}
	return nil
}

func playedText(t *standings.Table) string {
	if t.Planned == 0 || t.Matches >= t.Planned {
		return count(t.Matches, "match")
	}
	return fmt.Sprintf("%d of %d matches", t.Matches, t.Planned)
}

// count returns a number with what it counts.
func count(n int, what string) string {
	switch {
	case n == 1:
		return "1 " + what
	case strings.HasSuffix(what, "ch"):
		return fmt.Sprintf("%d %ses", n, what)
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func botTable(t *standings.Table) *Table {
	rated := slices.ContainsFunc(t.Bots, func(b standings.Bot) bool { return b.Elo != nil })
	seated := slices.ContainsFunc(t.Bots, func(b standings.Bot) bool { return b.Seats != b.Matches })
	skipped := slices.ContainsFunc(t.Bots, func(b standings.Bot) bool { return b.Skipped > 0 })
	table := &Table{Columns: []Column{Right(""), Left("bot"), Right("matches")}}
	if seated {
		table.Columns = append(table.Columns, Right("seats"))
	}
	swiss := len(t.Bots) > 0 && t.Bots[0].Points != nil
	if swiss {
		table.Columns = append(table.Columns, Right("rests"), Right("points"), Right("Buchholz"),
			Right("direct"))
	}
	table.Columns = append(table.Columns, Right("score"))
	if rated {
		table.Columns = append(table.Columns, Right("Elo"), Left("95 %"))
	}
	table.Columns = append(table.Columns, Right("refused"))
	if skipped {
		table.Columns = append(table.Columns, Right("skipped"))
	}
	table.Columns = append(table.Columns, Left("forfeits"))
	for i := range t.Bots {
		b := &t.Bots[i]
		row := []string{strconv.Itoa(b.Rank), Plain(b.Name), strconv.Itoa(b.Matches)}
		if seated {
			row = append(row, strconv.Itoa(b.Seats))
		}
		if swiss {
			row = append(row, pointsCells(b.Points)...)
		}
		score := ""
		if b.Matches > 0 {
			score = percent(b.Score)
		}
		row = append(row, score)
		if b.Elo != nil {
			row = append(row, signed(b.Elo.Value), b.Between(signed))
		} else if rated {
			row = append(row, "", "")
		}
		row = append(row, strconv.FormatInt(b.Refused, 10))
		if skipped {
			row = append(row, strconv.Itoa(b.Skipped))
		}
		table.Add(append(row, forfeitsText(b.Forfeits))...)
	}
	return table
}

// pointsCells returns the cells of the points of a Swiss contest.
func pointsCells(p *standings.Points) []string {
	direct := ""
	if p.Direct != nil {
		direct = percent(*p.Direct)
	}
	return []string{strconv.Itoa(p.Rests), decimal(p.Points), decimal(p.Buchholz), direct}
}

// decimal returns a number without digits that say nothing.
func decimal(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// mostSkipped is the share of turns from which on skipped ones are warned of: fewer are a pause now
// and then, which costs no match.
const mostSkipped = 0.01

// writeSkipped warns of bots that were too late in many turns.
func writeSkipped(b *strings.Builder, t *standings.Table) {
	for i := range t.Bots {
		if bot := &t.Bots[i]; float64(bot.Skipped) > mostSkipped*float64(bot.Turns) {
			fmt.Fprintf(b, "\nwarning: %s was too late in %d of %s (%s): if the machine is too slow, so is "+
				"its score; a lower --jobs or a higher --turn-timeout helps\n",
				Plain(bot.Name), bot.Skipped, count(bot.Turns, "turn"), percent(
					float64(bot.Skipped)/float64(bot.Turns)))
		}
	}
}

// forfeitsText returns how many matches a bot forfeited, with the kinds.
func forfeitsText(forfeits map[string]int) string {
	var kinds []string
	for kind := range forfeits {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	total := 0
	for i, kind := range kinds {
		total += forfeits[kind]
		kinds[i] = fmt.Sprintf("%s %d", Plain(kind), forfeits[kind])
	}
	if total == 0 {
		return "0"
	}
	return fmt.Sprintf("%d (%s)", total, strings.Join(kinds, ", "))
}

func groupTable(g *standings.Group) *Table {
	table := &Table{
		Columns: []Column{Right(""), Left("bot"), Right("matches"), Right("score"), Left("")},
	}
	for i := range g.Bots {
		b := &g.Bots[i]
		row := []string{strconv.Itoa(i + 1), Plain(b.Name), strconv.Itoa(b.Matches), "", ""}
		if b.Matches > 0 {
			row[3] = percent(b.Score)
		}
		if b.GoesOn {
			row[4] = "goes on"
		}
		table.Add(row...)
	}
	return table
}

func comparisonTable(t *standings.Table) *Table {
	table := &Table{Columns: []Column{
		Left("comparison"), Right("blocks"), Right("score"), Right("Elo"), Left("95 %"),
		Right("normalised"), Left("95 %"), Right("better with"),
	}}
	for i := range t.Comparisons {
		c := &t.Comparisons[i]
		row := []string{
			fmt.Sprintf("%s against %s", Plain(c.Bot), Plain(c.Against)), strconv.Itoa(c.Blocks),
			percent(c.Score), "", "", "", "", "",
		}
		if c.Elo != nil {
			row[3], row[4] = signed(c.Elo.Value), c.Spread(tenths)
		}
		if c.NormalisedElo != nil {
			row[5], row[6] = signed(c.NormalisedElo.Value), "± "+tenths(c.NormalisedElo.Error)
		}
		if c.LOS != nil {
			row[7] = percent(*c.LOS)
		}
		table.Add(row...)
	}
	return table
}

// testText returns the figures that the answer of a comparison rests on.
func testText(test *standings.Test) string {
	text := fmt.Sprintf("Test of normalised Elo %v against %v, with errors of %v and %v: "+
		"log-likelihood ratio %s of %s to %s (it ends a little before these limits, as it would "+
		"overshoot them): %s",
		test.NElo0, test.NElo1, test.Alpha, test.Beta, hundredths(test.Ratio), hundredths(test.Lower),
		hundredths(test.Upper), test.Verdict)
	if l := test.Left; l != nil {
		text += fmt.Sprintf("\nThat takes %s more matches with a probability of %.0f %%.",
			Between(l.Least, l.Most), 100*l.Probability)
	}
	return text
}

// Between returns a range of numbers, of which it keeps two digits.
func Between(least, most int) string {
	if roughly(least) == roughly(most) {
		return strconv.Itoa(roughly(most))
	}
	return fmt.Sprintf("%d to %d", roughly(least), roughly(most))
}

func roughly(n int) int {
	unit := 1
	for n/unit >= 100 {
		unit *= 10
	}
	return (n + unit/2) / unit * unit
}

// The largest numbers of bots whose cross-table fits on a terminal: with wins, ties and losses, and
// with scores alone, which take up to five characters each.
const (
	mostCounted = 6
	mostCrossed = 24
)

// MostMaps is the largest number of maps with a column each: more than come with any game, whose
// names are as long as two scores.
const MostMaps = 12

func crossTable(t *standings.Table) *Table {
	table := &Table{Columns: []Column{Right(""), Left("bot")}}
	for i := range t.Bots {
		table.Columns = append(table.Columns, Right(strconv.Itoa(i+1)))
	}
	cells := map[[2]string]string{}
	for i := range t.Meetings {
		m := &t.Meetings[i]
		cell := fmt.Sprintf("%.0f", 100*m.Score)
		if len(t.Bots) <= mostCounted {
			cell = fmt.Sprintf("%s  %d/%d/%d", percent(m.Score), m.Wins, m.Ties, m.Losses)
		}
		cells[[2]string{m.Bot, m.Against}] = cell
	}
	for i := range t.Bots {
		name := t.Bots[i].Name
		row := []string{strconv.Itoa(i + 1), Plain(name)}
		for j := range t.Bots {
			row = append(row, cells[[2]string{name, t.Bots[j].Name}])
		}
		table.Add(row...)
	}
	return table
}

func mapTable(t *standings.Table) *Table {
	var heads []string
	cells := map[[2]string]string{}
	for _, m := range t.ByMap {
		if !slices.Contains(heads, m.Map) {
			heads = append(heads, m.Map)
		}
		cells[[2]string{m.Bot, m.Map}] = percent(m.Score)
	}
	slices.Sort(heads)
	return partTable(t, heads, cells)
}

func seatTable(t *standings.Table) *Table {
	var heads []string
	for seat := range t.Seats {
		heads = append(heads, strconv.Itoa(seat+1))
	}
	cells := map[[2]string]string{}
	for _, s := range t.BySeat {
		cells[[2]string{s.Bot, strconv.Itoa(s.Seat)}] = percent(s.Score)
	}
	return partTable(t, heads, cells)
}

// partTable returns a table with a line for each bot and a column for each head.
func partTable(t *standings.Table, heads []string, cells map[[2]string]string) *Table {
	table := &Table{Columns: []Column{Left("bot")}}
	for _, head := range heads {
		table.Columns = append(table.Columns, Right(Plain(head)))
	}
	for i := range t.Bots {
		row := []string{Plain(t.Bots[i].Name)}
		for _, head := range heads {
			row = append(row, cells[[2]string{t.Bots[i].Name, head}])
		}
		table.Add(row...)
	}
	return table
}

func writeError(b *strings.Builder, e *standings.ErrorGroup) {
	fmt.Fprintf(b, "\n%s %s in %s, first in match %d", Plain(e.Bot), Plain(e.Kind),
		count(e.Count, "match"), e.First)
	if e.Exit != "" {
		fmt.Fprintf(b, " (%s)", Plain(e.Exit))
	}
	b.WriteString(":\n")
	if len(e.Printed) == 0 {
		b.WriteString("  it printed nothing\n")
	}
	for _, line := range e.Printed {
		fmt.Fprintf(b, "  %s\n", Plain(line))
	}
}

func percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

func tenths(x float64) string { return fmt.Sprintf("%.1f", x) }

func hundredths(x float64) string { return textutil.Minus(fmt.Sprintf("%.2f", x)) }

// signed returns Elo points.
func signed(elo float64) string {
	if text := fmt.Sprintf("%+.1f", elo); text != "-0.0" {
		return textutil.Minus(text)
	}
	return "+0.0"
}
