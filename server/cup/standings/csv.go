package standings

import (
	"io"
	"strconv"

	"github.com/hexarena/hexarena/config/textutil"
	"github.com/hexarena/hexarena/server/contest/results"
)

// WriteCSV writes a line for each bot as RFC 4180 has it, with a header. Fields that do not apply
// are empty. Those that begin with compared are of the comparison with the bot of the line.
func (t *Table) WriteCSV(w io.Writer) error {
	out := textutil.NewCSV(w)
	header := []string{"rank", "bot", "matches", "score", "elo", "elo_low", "elo_high", "bound"}
	header = append(header, results.Kinds...)
	header = append(header, "refused_actions",
		"compared_bot", "compared_score", "compared_elo", "compared_elo_error", "compared_normalised_elo",
		"compared_normalised_elo_error", "compared_los", "compared_bound",
		"seats", "turns", "skipped", "points", "rests", "buchholz", "direct")
	out.Write(append(header, OriginHeader...)...)
	for i := range t.Bots {
		b := &t.Bots[i]
		line := []string{strconv.Itoa(b.Rank), b.Name, strconv.Itoa(b.Matches), decimal(b.Score)}
		if b.Elo != nil {
			line = append(line, decimal(b.Elo.Value), known(b.Elo.Low), known(b.Elo.High), b.Bound)
		} else {
			line = append(line, "", "", "", "")
		}
		for _, kind := range results.Kinds {
			line = append(line, strconv.Itoa(b.Forfeits[kind]))
		}
		line = append(line, strconv.FormatInt(b.Refused, 10))
		line = append(line, t.compared(b.Name)...)
		line = append(line, strconv.Itoa(b.Seats), strconv.Itoa(b.Turns), strconv.Itoa(b.Skipped))
		line = append(line, b.Points.fields()...)
		out.Write(append(line, t.Fields()...)...)
	}
	return out.Flush()
}

// fields returns the fields of the points; empty ones without points.
func (p *Points) fields() []string {
	if p == nil {
		return make([]string, 4)
	}
	return []string{decimal(p.Points), strconv.Itoa(p.Rests), decimal(p.Buchholz), known(p.Direct)}
}

// compared returns the fields of the comparison with a bot.
func (t *Table) compared(bot string) []string {
	for i := range t.Comparisons {
		if c := &t.Comparisons[i]; c.Against == bot {
			fields := append([]string{c.Bot, decimal(c.Score)}, c.Elo.fields()...)
			fields = append(fields, c.NormalisedElo.fields()...)
			return append(fields, known(c.LOS), c.Bound)
		}
	}
	return make([]string, 8)
}

// fields returns the value and the error, as far as they are known.
func (e *Estimate) fields() []string {
	switch {
	case e == nil:
		return []string{"", ""}
	case e.Error == 0:
		return []string{decimal(e.Value), ""}
	}
	return []string{decimal(e.Value), decimal(e.Error)}
}

// known returns a number, or nothing.
func known(x *float64) string {
	if x == nil {
		return ""
	}
	return decimal(*x)
}

// WriteMeetings writes the cross-table as CSV, a line for each ordered pair of bots that have met.
func (t *Table) WriteMeetings(w io.Writer) error {
	out := textutil.NewCSV(w)
	out.Write(
		append([]string{"bot", "against", "wins", "ties", "losses", "score"}, OriginHeader...)...)
	for i := range t.Meetings {
		m := &t.Meetings[i]
		line := []string{
			m.Bot, m.Against, strconv.Itoa(m.Wins), strconv.Itoa(m.Ties), strconv.Itoa(m.Losses),
			decimal(m.Score),
		}
		out.Write(append(line, t.Fields()...)...)
	}
	return out.Flush()
}

// MatchWriter writes matches as CSV, a line for each seat. The first line has the table's origin,
// which would double the size in all of them.
type MatchWriter struct {
	out    *textutil.CSV
	origin []string // of the next line
}

// NewMatchWriter returns a writer that has written the header. The caller must call Flush at the
// end.
func NewMatchWriter(w io.Writer, o Origin) *MatchWriter {
	m := &MatchWriter{textutil.NewCSV(w), o.Fields()}
	header := []string{
		"match", "block", "seed", "map", "seat", "bot", "score", "rank", "refused_actions", "forfeit",
		"digest",
	}
	m.out.Write(append(header, OriginHeader...)...)
	return m
}

// Write writes the match of a row, whose block has as many matches as it has seats.
func (m *MatchWriter) Write(row *results.Row) {
	digest, _ := row.Digest.MarshalText() // it does not fail
	for seat, bot := range row.Bots {
		line := []string{
			strconv.Itoa(row.K), strconv.Itoa(row.K / len(row.Bots)), strconv.FormatUint(row.Seed, 10),
			row.Map, strconv.Itoa(seat + 1), bot,
			strconv.FormatInt(row.Scores[seat], 10), strconv.Itoa(row.Ranks[seat]),
			strconv.Itoa(row.Refused[seat]), row.Forfeits[seat], string(digest),
		}
		m.out.Write(append(line, m.origin...)...)
		m.origin = make([]string, len(OriginHeader))
	}
}

// Flush writes what is buffered and returns the first error.
func (m *MatchWriter) Flush() error { return m.out.Flush() }

func decimal(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
