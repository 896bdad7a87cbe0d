package check

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/hexarena/hexarena/config/textutil"
)

// Report is what a check found.
type Report struct {
	Bot     string        `json:"bot"`  // as it was named
	Game    string        `json:"game"` //
	Wire    string        `json:"wire"` // in words; empty: it never got that far
	Cases   []CaseReport  `json:"cases"`
	Faults  []Fault       `json:"faults"` // errors first
	Elapsed time.Duration `json:"-"`
}

// CaseReport says how a bot did in one case.
type CaseReport struct {
	Key    string `json:"key"`
	About  string `json:"about"`
	Result Result `json:"result"`
}

// Result is how a bot did in a case.
type Result string

// The results. A case is not played after a fault that would spoil it, or if it does not fit the
// bot.
const (
	Passed  Result = "passed"
	Failed  Result = "failed"
	Skipped Result = "not played"
)

// Count returns how many faults there are of a severity.
func (r *Report) Count(s Severity) (n int) {
	for i := range r.Faults {
		if r.Faults[i].Severity == s {
			n++
		}
	}
	return n
}

// played returns how many cases were played.
func (r *Report) played() (n int) {
	for _, c := range r.Cases {
		if c.Result != Skipped {
			n++
		}
	}
	return n
}

// sort leaves out the faults that follow from others, and puts errors before advice, each in the
// order of the cases.
func (r *Report) sort() {
	hidden := map[string]bool{}
	for i := range r.Faults {
		for _, key := range implies[r.Faults[i].Key] {
			hidden[key] = true
		}
	}
	r.Faults = slices.DeleteFunc(r.Faults, func(f Fault) bool { return hidden[f.Key] })
	order := func(f Fault) int {
		return slices.IndexFunc(r.Cases, func(c CaseReport) bool { return c.About == f.Case })
	}
	slices.SortStableFunc(r.Faults, func(a, b Fault) int {
		return cmp.Or(strings.Compare(string(b.Severity), string(a.Severity)),
			cmp.Compare(order(a), order(b)))
	})
}

// Write writes the report as text for people, or as one JSON object. plain makes text of a
// bot safe.
func (r *Report) Write(w io.Writer, asJSON bool, plain func(string) string) error {
	if asJSON {
		return textutil.WriteJSON(w, r)
	}
	var b strings.Builder
	for i := range r.Faults {
		r.Faults[i].write(&b, plain)
	}
	fmt.Fprintf(&b, "%s%s: %s, %s in %s, %.1f s\n", plain(r.Bot), r.speaks(),
		number(r.Count(Error), "error"), number(r.Count(Advice),
			"piece of advice"), number(r.played(), "case"), r.Elapsed.Seconds())
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

// speaks says over which wire the bot plays what.
func (r *Report) speaks() string {
	if r.Wire == "" {
		return ""
	}
	return fmt.Sprintf(" (%s, %s)", r.Game, r.Wire)
}

func (f *Fault) write(b *strings.Builder, plain func(string) string) {
	fmt.Fprintf(b, "%s %s, in %s\n", f.Severity, f.Key, f.Case)
	fmt.Fprintf(b, "  found   %s\n  rule    %s (%s)\n  remedy  %s\n", plain(f.Found), f.Rule, f.Source,
		f.Remedy)
	for i, line := range f.Output {
		if i == 0 {
			b.WriteString("  printed\n")
		}
		fmt.Fprintf(b, "    %s\n", plain(line))
	}
	b.WriteByte('\n')
}

// number returns a count with its noun.
func number(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasPrefix(noun, "piece"):
		return fmt.Sprintf("%d pieces of advice", n)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
