package standings

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/rating"
	"github.com/hexarena/hexarena/server/contest/sprt"
)

// Until is the answer of a contest that goes on until its leader is certain.
type Until struct {
	Confidence float64 `json:"confidence"` // that is asked for, from 0 to 1
	// Best are the leader, and the bots that are the same program.
	Best    []string `json:"best"`
	Certain bool     `json:"certain"` // they are better than all others, with that confidence
	// Equal are the bots that may be better than they, if that is known to be by no more than Within
	// points of Elo with that confidence.
	Equal  []string `json:"equal,omitempty"`
	Within float64  `json:"within,omitempty"`
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
	if len(u.Equal) > 0 {
		return fmt.Sprintf("No best bot was found: %s%s and %s are equal within ±%g Elo (%s).",
			names, same, strings.Join(u.Equal, " and "), u.Within, percent)
	}
	return fmt.Sprintf("It is not certain with %s which bot is the best. %s%s %s in the lead.",
		percent, names, same, are)
}

// Decided reports whether the contest goes on until its leader is certain or all that may be the
// best are equal, and that is so; or whether the bots that are compared are equal. It is asked
// after 16, 32, 64 … blocks only, and takes as long as a final table then.
func (s *Standings) Decided() bool {
	spent := s.spent(s.plan.Until())
	if s.plan.Format == plan.Comparison || spent == 0 {
		return s.Equal()
	}
	fit := s.fit(rating.TableResamples)
	return fit.Certain(spent, s.plan.Same) || s.level(fit, spent)
}

// spent returns the part of a probability of an error that may be spent now; 0 between looks.
func (s *Standings) spent(total float64) float64 {
	look := sprt.LookAt(s.blocks.Len())
	if look == 0 || len(s.block) < s.plan.Seats {
		return 0
	}
	_, spent := sprt.Look(look, total)
	return spent
}

func (s *Standings) fit(resamples int) *rating.Table {
	return s.blocks.Fit(
		rating.Options{VirtualDraws: rating.TableDraws, Resamples: resamples, Seed: s.plan.Seed})
}

// Equal reports whether a comparison has shown that its bots are equal within [plan.Plan.Within].
func (s *Standings) Equal() bool {
	if s.test == nil || s.plan.Within() == 0 || s.Verdict() != sprt.Undecided || s.pointless() {
		return false
	}
	spent := s.spent(s.plan.Test.Alpha)
	return spent > 0 && rating.Within(s.compared[[2]int{1, 0}], s.plan.Within(), spent)
}

// rivals returns the bots that may be better than the leader, with a probability of an error over
// all of them together.
func (s *Standings) rivals(fit *rating.Table, probability float64) (list []int) {
	leader := fit.Leader()
	for bot := range s.totals {
		if bot != leader && !s.plan.Same(bot, leader) &&
			!fit.Above(leader, bot, probability/float64(len(s.totals)-1)) {
			list = append(list, bot)
		}
	}
	return list
}

// level reports whether all bots that may be better than the leader are equal to it within
// [plan.Plan.Within].
func (s *Standings) level(fit *rating.Table, probability float64) bool {
	within := s.plan.Within()
	return within > 0 && !slices.ContainsFunc(s.rivals(fit, probability), func(bot int) bool {
		return !fit.Within(fit.Leader(), bot, within, probability/float64(len(s.totals)-1))
	})
}

// until returns the answer so far; nil if the contest has no such question. Only a final table
// looks for it.
func (s *Standings) until(fit *rating.Table, resamples int) *Until {
	margin := s.plan.Until()
	if margin == 0 || s.blocks.Len() == 0 {
		return nil
	}
	if fit == nil {
		fit = s.fit(resamples)
	}
	leader := fit.Leader()
	u := &Until{Confidence: 1 - margin}
	final := resamples >= rating.TableResamples
	if spent := s.spent(margin); final && spent > 0 {
		u.Certain = fit.Certain(spent, s.plan.Same)
	}
	if final && !u.Certain {
		s.addEqual(u, fit)
	}
	for bot := range s.totals {
		if bot == leader || s.plan.Same(bot, leader) {
			u.Best = append(u.Best, s.plan.Bots[bot].Name)
		}
	}
	return u
}

// addEqual adds the bots that are equal to the leader.
func (s *Standings) addEqual(u *Until, fit *rating.Table) {
	for _, bot := range s.rivals(fit, 1-u.Confidence) {
		_, low, high := fit.Difference(fit.Leader(), bot, u.Confidence)
		u.Equal = append(u.Equal, s.plan.Bots[bot].Name)
		u.Within = max(u.Within, math.Ceil(max(-low, high)))
	}
	if u.Within == 0 || math.IsInf(u.Within, 0) { // as without any variance
		u.Equal, u.Within = nil, 0
	}
}
