package metrics

// Event is what a scrape reports of an event. Teams have no labels of their own, since strangers
// sign up.
type Event struct {
	Teams    map[string]int // by what they do
	Rounds   int            // that have begun
	Waiting  int            // versions without a test match
	Problems int            // of the last round
	Paused   bool           // by the operator
	Failed   bool           // no result can be written
}

// Event sets the function that returns the state of an event at each scrape.
func (p *Process) Event(read func() Event) {
	p.each(func(s *set) {
		e := read()
		for state, n := range e.Teams {
			s.gauge("event_teams", "state", state).Set(float64(n))
		}
		s.counter("event_rounds_total").Add(e.Rounds)
		s.gauge("event_versions_waiting").Set(float64(e.Waiting))
		s.gauge("event_problems").Set(float64(e.Problems))
		s.gauge("event_paused").Set(one(e.Paused))
		s.gauge("event_failed").Set(one(e.Failed))
	})
}

// one returns 1 for true, and 0 for false.
func one(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
