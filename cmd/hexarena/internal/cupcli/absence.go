package cupcli

import (
	"errors"
	"strings"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/cup/standings"
)

// errAbsent means that bots were in none of their matches, so that a cup has no result.
type errAbsent struct{ sentences []string }

// Error implements error.
func (e errAbsent) Error() string { return strings.Join(e.sentences, "\n") }

// absence returns an error if bots were never there without which the cup says nothing.
func absence(p *plan.Plan, t *standings.Table) error {
	if sentences := t.Absences(p); len(sentences) > 0 {
		return errAbsent{sentences}
	}
	return nil
}

// isAbsence reports whether an error is one of absence.
func isAbsence(err error) bool {
	var absent errAbsent
	return errors.As(err, &absent)
}
