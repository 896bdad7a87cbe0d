package standings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/results"
)

// Missing reports whether a bot of the plan, by number, has had matches and was there in none of
// them.
func (s *Standings) Missing(bot int) bool {
	return s.totals[bot].Matches > 0 && s.totals[bot].There == 0
}

// MissingName is Missing for the bot with a name.
func (s *Standings) MissingName(bot string) bool { return s.Missing(s.bots[bot]) }

// pointless reports whether a bot is missing without which the contest says nothing.
func (s *Standings) pointless() bool {
	for bot := range s.totals {
		if s.plan.Needs(bot) && s.Missing(bot) {
			return true
		}
	}
	return false
}

// Absences returns a sentence for each missing bot without which the contest of a plan says
// nothing: those that it needs, or all that are missing if fewer than two bots were ever there.
func (t *Table) Absences(p *plan.Plan) (sentences []string) {
	there := 0
	for i := range t.Bots {
		if b := &t.Bots[i]; b.Matches > 0 && !b.Missing {
			there++
		}
	}
	for i := range t.Bots {
		b := &t.Bots[i]
		number := slices.IndexFunc(p.Bots, func(o plan.Bot) bool { return o.Name == b.Name })
		if b.Missing && (there < 2 || p.Needs(number)) {
			sentences = append(sentences, t.absence(b))
		}
	}
	return sentences
}

// absence returns a sentence that says why a bot is missing, as far as that is known.
func (t *Table) absence(b *Bot) string {
	text := fmt.Sprintf("%s was in none of its %d matches", b.Name, b.Matches)
	if b.Matches == 1 {
		text = b.Name + " was not in its match"
	}
	failed := func(e ErrorGroup) bool { return e.Bot == b.Name && e.Kind == results.Absent }
	if i := slices.IndexFunc(t.Errors, failed); i >= 0 {
		e := &t.Errors[i]
		reasons := []string{e.Exit}
		if n := len(e.Printed); n > 0 {
			reasons = append(reasons, e.Printed[n-1])
		}
		for _, reason := range reasons {
			if reason = strings.TrimSpace(reason); reason != "" {
				text += ": " + reason
			}
		}
	}
	return text
}
