package standings

import (
	"fmt"
	"math"

	"github.com/hexarena/hexarena/config/textutil"
)

// answer returns the result as one sentence. It is empty if more than two bots are compared and the
// contest asks nothing.
func (s *Standings) answer(t *Table) string {
	switch {
	case t.Until != nil:
		return t.Until.Sentence()
	case t.Test != nil && len(t.Comparisons) == 0:
		return fmt.Sprintf("It is not decided whether %s is better.", s.plan.Bots[1].Name)
	case len(t.Comparisons) != 1 || s.plan.Format.Adaptive() || t.Test == nil && len(s.plan.Bots) != 2:
		return ""
	}
	c := &t.Comparisons[0]
	is := func(what string) string { return c.Bot + " is " + what + " than " + c.Against + c.soFar() }
	matches := textutil.Counted(c.Blocks*t.Seats, "match", "matches")
	low, high := c.ends()
	within := math.Ceil(max(-low, high))
	switch tested := t.Test != nil; {
	case tested && t.Test.Verdict == Undecided:
		return fmt.Sprintf("It is not decided whether %s after %s.", is("better"), matches)
	case tested && t.Test.Verdict == Better, !tested && low > 0:
		return fmt.Sprintf("%s, %s.", is("better"), matches)
	case high < 0:
		return fmt.Sprintf("%s, %s.", is("worse"), matches)
	case math.IsInf(within, 0) && tested:
		return fmt.Sprintf("%s, %s.", is("not better"), matches)
	case math.IsInf(within, 0):
		return fmt.Sprintf("No difference between %s and %s was found after %s.", c.Bot, c.Against,
			matches)
	}
	return fmt.Sprintf("No difference between %s and %s was found: it is within ±%.0f Elo after %s "+
		"(95 %%).", c.Bot, c.Against, within, matches)
}

// ends returns the ends of the interval of the Elo.
func (c *Comparison) ends() (low, high float64) {
	low, high = math.Inf(-1), math.Inf(1)
	switch {
	case c.Elo == nil:
	case c.Bound == AtLeast:
		low = c.Elo.Value
	case c.Bound == AtMost:
		high = c.Elo.Value
	default:
		low, high = c.Elo.Value-c.Elo.Error, c.Elo.Value+c.Elo.Error
	}
	return low, high
}

// soFar returns the Elo with its interval, in whole points; empty if results say nothing about it.
func (c *Comparison) soFar() string {
	switch low, high := c.ends(); {
	case c.Elo == nil:
		return ""
	case c.Bound != "":
		return fmt.Sprintf(": %+.0f Elo %s", c.Elo.Value, boundText(c.Bound))
	default:
		return fmt.Sprintf(": %+.0f Elo (%+.0f to %+.0f)", c.Elo.Value, low, high)
	}
}
