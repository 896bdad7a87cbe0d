package cupcli

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/config/textutil"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/cup"
)

// replayed is the result of a match that was played again, as JSON has it.
type replayed struct {
	Same      bool         `json:"same"` // nothing differs but the names of bots that were replaced
	InCup     *results.Row `json:"in_cup"`
	Again     *results.Row `json:"again"`
	Recording string       `json:"recording,omitempty"`
	Command   string       `json:"command"` // plays it once more
}

// tell prints what came of the match.
func (r *replay) tell(o *cup.Outcome) error {
	result := replayed{
		InCup: r.row, Again: o.Row, Same: sameResult(r.row, o.Row),
		Recording: o.Recording, Command: r.asked.Again,
	}
	for i := range o.Times {
		if t := &o.Times[i]; t.Exit != "" {
			lines := append([]string{t.Exit}, t.Printed...)
			text := tui.PlainLines(strings.Join(lines, "\n  "))
			fmt.Fprintf(r.asked.Stderr, "%s: %s\n", tui.Plain(t.Bot), text)
		}
	}
	if err := r.write(&result); err != nil {
		return err
	}
	for i, kind := range o.Row.Forfeits {
		if kind == results.Absent && r.row.Forfeits[i] != kind {
			return fmt.Errorf("%s never logged in", o.Row.Bots[i])
		}
	}
	return nil
}

// sameResult reports whether two rows differ in nothing but names.
func sameResult(a, b *results.Row) bool {
	return a.Digest == b.Digest && slices.Equal(a.Scores, b.Scores) &&
		slices.Equal(a.Ranks, b.Ranks) && slices.Equal(a.Refused, b.Refused) &&
		slices.Equal(a.Forfeits, b.Forfeits)
}

// write prints the result.
func (r *replay) write(p *replayed) error {
	if r.asked.JSON {
		return textutil.WriteJSON(r.asked.Stdout, p)
	}
	var b strings.Builder
	is := "the same match as"
	if !p.Same {
		is = "not the match that is"
	}
	fmt.Fprintf(&b, "match %d on %s, seed %d: %s in %s\n\n", r.asked.K, tui.Plain(p.Again.Map),
		p.Again.Seed, is, tui.Plain(r.asked.Cup.Dir))
	table := tui.Table{Columns: append([]tui.Column{tui.Right("seat")}, columnsOf("bot")...)}
	if !p.Same {
		table.Columns = append(table.Columns, columnsOf("in the cup")...)
	}
	for i := range p.Again.Bots {
		cells := append([]string{strconv.Itoa(i + 1)}, cellsOf(p.Again, i)...)
		if !p.Same {
			cells = append(cells, cellsOf(p.InCup, i)...)
		}
		table.Add(cells...)
	}
	table.Write(&b)
	if p.Recording != "" {
		fmt.Fprintf(&b, "\nRecorded in %s\n", p.Recording)
	}
	_, err := io.WriteString(r.asked.Stdout, b.String())
	return err
}

// columnsOf returns the columns of cellsOf, with the first one's head.
func columnsOf(bot string) []tui.Column {
	return []tui.Column{tui.Left(bot), tui.Right("rank"), tui.Right("score"), tui.Left("forfeit")}
}

// cellsOf returns what a table says of a seat of a match.
func cellsOf(row *results.Row, i int) []string {
	return []string{
		tui.Plain(row.Bots[i]), strconv.Itoa(row.Ranks[i]), strconv.FormatInt(row.Scores[i], 10),
		row.Forfeits[i],
	}
}
