package event

import (
	"sync"

	"github.com/hexarena/hexarena/server/cup/standings"
	"github.com/hexarena/hexarena/server/event/state"
)

// officials caches the last official standings, which take long to compute: those of now, and those
// before the last round.
type officials struct {
	mu          sync.Mutex
	now, before cachedOfficial
}

// cachedOfficial is official standings with their key.
type cachedOfficial struct {
	key       state.OfficialKey
	standings *state.Official // nil: none were computed
}

// matches returns the number of results.
func (e *Event) matches() int {
	return Ask(e, func(s *state.State) int { return s.Results.Len() })
}

// Official returns the official standings.
func (e *Event) Official() *state.Official {
	return e.officialAt(e.matches())
}

// officialAt returns the official standings by the matches before one. They are computed when
// something has changed.
func (e *Event) officialAt(match int) *state.Official {
	e.officials.mu.Lock()
	defer e.officials.mu.Unlock()
	cached := &e.officials.now
	var key state.OfficialKey
	var from *state.OfficialResults
	e.Read(func(s *state.State) {
		if match < s.Results.Len() {
			cached = &e.officials.before
		}
		key = s.OfficialKey(match)
		if cached.standings == nil || cached.key != key {
			from = s.Official(match)
		}
	})
	if from != nil {
		cached.key, cached.standings = key, from.Fit()
	}
	return cached.standings
}

// Result returns the result.
func (e *Event) Result() *state.Result {
	r := e.resultAt(e.matches())
	r.Origin = Ask(e, func(s *state.State) standings.Origin { return e.originOf(s.Teams.All()) })
	return r
}

// ResultBefore returns the result as it was before the last round.
func (e *Event) ResultBefore() *state.Result {
	return e.resultAt(Ask(e, (*state.State).BeforeLast))
}

// resultAt returns the result by the matches before one: the first one of the last round, or the
// next match.
func (e *Event) resultAt(match int) *state.Result {
	official := e.officialAt(match)
	return Ask(e, func(s *state.State) *state.Result { return s.Result(match, official) })
}

// TeamView returns a team by its number. found is false if there is no such team.
func (e *Event) TeamView(team int) (v state.TeamView, found bool) {
	result := e.Result()
	e.Read(func(s *state.State) { v, found = s.TeamView(team, result) })
	return v, found
}
