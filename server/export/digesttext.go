package export

import (
	"fmt"
	"strings"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/result"
)

// Text returns the digest in at most digestWords words. file is the recording, as a command names
// it.
func (d *Digest) Text(file string) string {
	var b strings.Builder
	d.writeResult(&b)
	d.writeCurve(&b)
	d.writeRefused(&b)
	d.writeTime(&b)
	d.writePrinted(&b)
	d.writeTurns(&b, file)
	words := 0
	text := b.String()
	for i := range text { // output of bots may be nothing but words
		if isSpace(text[i]) && i > 0 && !isSpace(text[i-1]) {
			if words++; words == digestWords {
				return text[:i] + "\n"
			}
		}
	}
	return text
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' }

func (d *Digest) writeResult(b *strings.Builder) {
	h, r := d.Header, d.Report
	where := ""
	if h.MapName != "" {
		where = " on " + h.MapName
	}
	outcome := "no player wins"
	if r.Winner != "" {
		outcome = r.Winner + " wins"
	}
	if r.Reason != "" {
		outcome += " (" + r.Reason + ")"
	}
	fmt.Fprintf(b, "%s%s, %d of %d turns, seed %d: %s\n",
		h.RulesName(), where, r.Turns, h.Turns, h.Seed, outcome)
	if r.Error != "" {
		fmt.Fprintf(b, "not played to its end: %s\n", result.Cut(r.Error, shownLine))
	}
	for _, s := range r.Ranking() {
		mark := " "
		if s.ID == d.For {
			mark = ">"
		}
		fmt.Fprintf(b, "%s %d. %s, player_id %d:", mark, s.Rank, s.Label, s.ID)
		for i, c := range s.Counts {
			fmt.Fprintf(b, "%s %s %d", comma(i), c.Name, c.Value)
		}
		fmt.Fprintf(b, "; %s\n", s.Status)
	}
}

// comma returns what stands before the i-th part of a list.
func comma(i int) string {
	if i == 0 {
		return ""
	}
	return ","
}

func (d *Digest) writeCurve(b *strings.Builder) {
	if len(d.Header.Counts) > 0 {
		steps, ahead := d.Curve(d.For, curvePoints)
		for i := range steps {
			steps[i] = match.ShownIn(steps[i])
		}
		fmt.Fprintf(b, "\n%s ahead of the best other, on the boards of turns %s:\n ",
			d.Header.Counts[0], numbers(steps))
		b.WriteString(numbers(ahead) + "\n")
	}
	step, leader, ok := d.LeadChange()
	switch {
	case !ok:
		b.WriteString("\nNo player led alone at the end.\n")
	default:
		fmt.Fprintf(b, "\nThe lead changed for good in %s: %s led from then on.\n",
			match.NameTurn(match.AnsweredIn(step)), d.Name(leader))
	}
}

func numbers[N int | int64](list []N) string {
	return strings.Trim(fmt.Sprint(list), "[]")
}

func (d *Digest) writeRefused(b *strings.Builder) {
	s := d.seat()
	reasons := s.Refusals()
	fmt.Fprintf(b, "\nRefused actions: %d\n", s.RefusedTotal())
	for _, reason := range reasons[:min(len(reasons), shownReasons)] {
		fmt.Fprintf(b, "  %d × %s", s.Refused[reason], result.Cut(reason, shownLine))
		if first := s.First[reason]; first != "" {
			fmt.Fprintf(b, "; first: %s", result.Cut(first, shownLine))
		}
		b.WriteByte('\n')
	}
}

func (d *Digest) writeTime(b *strings.Builder) {
	s := d.seat()
	fmt.Fprintf(b, "\nAnswers: %d, skipped %d, missed %d", s.Answers, s.Skipped, s.Missed)
	if !s.Untimed {
		fmt.Fprintf(b, "; time for one: half within %.3f ms, 99 %% within %.3f ms", milli(s.Time.P50),
			milli(s.Time.P99))
	}
	if d.Header.Limit > 0 {
		fmt.Fprintf(b, "; the limit is %g ms", d.Header.Limit)
	}
	b.WriteByte('\n')
}

func (d *Digest) writePrinted(b *strings.Builder) {
	if len(d.lines) == 0 {
		return
	}
	b.WriteString("\nThe end of its output:\n")
	for _, line := range d.lines {
		fmt.Fprintf(b, "  %s\n", result.Cut(line, shownLine))
	}
}

// writeTurns writes the turns that decided, with boards as long as there is room for them: that of
// the lead first, since the digest is about it.
func (d *Digest) writeTurns(b *strings.Builder, file string) {
	turns := d.decided.Turns
	if len(turns) == 0 {
		return
	}
	lead, _, _ := d.LeadChange()
	room, drawn := boardWords, map[int]bool{}
	draw := func(t *result.Decision) {
		n := len(strings.Fields(d.grids[t.Step-1])) + len(strings.Fields(d.grids[t.Step]))
		if n > 0 && n <= room {
			room -= n
			drawn[t.Step] = true
		}
	}
	if t := d.decided.At(lead); t != nil {
		draw(t)
	}
	for i := range turns {
		if turns[i].Step != lead {
			draw(&turns[i])
		}
	}
	b.WriteString("\nThe turns that decided:\n")
	for _, t := range turns {
		fmt.Fprintf(b, "\n%s: %s\n", match.NameTurn(t.Turn), strings.Join(t.About, "; "))
		for _, line := range t.Played {
			fmt.Fprintf(b, "  %s\n", line)
		}
		if drawn[t.Step] {
			fmt.Fprintf(b, "before:\n%safter:\n%s", d.grids[t.Step-1], d.grids[t.Step])
		} else {
			fmt.Fprintf(b, "  hexarena replay show %s --text --turn %s\n", file, TurnArg(t.Step-1))
		}
	}
	if d.Other != engine.NoPlayer {
		b.WriteString("\nhexarena replay show --text explains the boards.\n")
	}
}

// milli returns a duration in milliseconds.
func milli(m result.Millis) float64 { return time.Duration(m).Seconds() * 1000 }
