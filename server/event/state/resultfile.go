package state

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/hexarena/hexarena/config/textutil"
	"github.com/hexarena/hexarena/server/cup/standings"
)

// WriteText writes the result for people.
func (r *Result) WriteText(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "place\tteam\t%s\tmatches\n", strings.ToLower(r.Figure()))
	for i := range r.Teams {
		p := &r.Teams[i]
		fmt.Fprintf(table, "%s\t%s\t%s\t%d\n", p.RankText(), textutil.Cell(p.Name), p.Figure(), p.Matches)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, r.Explain())
	return err
}

// WriteCSV writes the result as a table for other programs.
func (r *Result) WriteCSV(w io.Writer) error {
	table := textutil.NewCSV(w)
	table.Write(append([]string{
		"rank", "team", "nickname", "rating", "mu", "sigma", "matches", "hidden", "resting",
		"elo", "elo_low", "elo_high", "verified", "final", "publish", "ai",
	}, standings.OriginHeader...)...)
	number := func(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }
	known := func(v *float64) string {
		if v == nil {
			return ""
		}
		return number(*v)
	}
	for i := range r.Teams {
		p := &r.Teams[i]
		rank, t := "", &p.Standing
		if p.Rank > 0 {
			rank = strconv.Itoa(p.Rank)
		}
		table.Write(append([]string{
			rank, p.Name, t.Nick, number(p.Rating), number(t.Skill.Mu), number(t.Skill.Sigma),
			strconv.Itoa(p.Matches),
			strconv.FormatBool(t.Hidden), strconv.FormatBool(t.Resting), known(p.Elo), known(p.Low),
			known(p.High),
			strconv.FormatBool(p.Verified), strconv.FormatBool(p.Final), p.Publish, p.AI,
		}, r.Origin.Fields()...)...)
	}
	return table.Flush()
}

// WriteJSON writes the result as GET /event/standings has it, with the teams that are hidden.
func (r *Result) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(r)
}
