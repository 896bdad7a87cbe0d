package standings

import (
	"fmt"
	"strings"

	"github.com/hexarena/hexarena/server/contest/rating"
	"github.com/hexarena/hexarena/server/contest/sprt"
)

// Until is the answer of a contest that goes on until its leader is certain.
type Until struct {
	Confidence float64 `json:"confidence"` // that is asked for, from 0 to 1
	// Best are the leader, and the bots that are the same program.
	Best    []string `json:"best"`
	Certain bool     `json:"certain"` // they are better than all others, with that confidence
}

// Sentence returns the answer as a sentence.
func (u *Until) Sentence() string {
	names, percent := strings.Join(u.Best, " and "), fmt.Sprintf("%g %%", points(100*u.Confidence))
	same, are := "", "is"
	if len(u.Best) > 1 {
		same, are = ", which are the same program,", "are"
	}
	if u.Certain {
		return fmt.Sprintf("%s%s %s the best, with a certainty of %s.", names, same, are, percent)
	}
	return fmt.Sprintf("It is not certain with %s which bot is the best. %s%s %s in the lead.",
		percent, names, same, are)
}

// Decided reports whether the contest goes on until its leader is certain, and it is. It is asked
// after 16, 32, 64 … blocks only, and takes as long as a final table then.
func (s *Standings) Decided() bool {
	look := sprt.LookAt(s.blocks.Len())
	if look == 0 || len(s.block) < s.plan.Seats || s.plan.Until() == 0 {
		return false
	}
	_, spent := sprt.Look(look, s.plan.Until())
	return s.blocks.Fit(
		rating.Options{
			VirtualDraws: rating.TableDraws, Resamples: rating.TableResamples, Seed: s.plan.Seed,
		},
	).Certain(spent, s.plan.Same)
}

// until returns the answer so far; nil if the contest has no such question. Only a final table
// looks for it.
func (s *Standings) until(fit *rating.Table, final bool) *Until {
	margin := s.plan.Until()
	if margin == 0 || s.blocks.Len() == 0 {
		return nil
	}
	if fit == nil {
		fit = s.blocks.Fit(rating.Options{VirtualDraws: rating.TableDraws})
	}
	u := &Until{Confidence: 1 - margin, Certain: final && s.Decided()}
	leader := fit.Leader()
	for bot := range s.totals {
		if bot == leader || s.plan.Same(bot, leader) {
			u.Best = append(u.Best, s.plan.Bots[bot].Name)
		}
	}
	return u
}
