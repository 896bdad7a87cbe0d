package main

import (
	"slices"

	"github.com/hexarena/hexarena/server/event"
	"github.com/hexarena/hexarena/server/event/rounds"
	"github.com/hexarena/hexarena/server/event/state"
	"github.com/hexarena/hexarena/server/metrics"
)

// countedEvent returns what metrics report of an event.
func countedEvent(e *event.Event, r *rounds.Rounds) metrics.Event {
	view := e.View()
	ready, _ := r.Connected()
	counted := metrics.Event{
		Teams:  map[string]int{"plays": 0, "ready": 0, "absent": 0, "rests": 0},
		Rounds: view.Rounds, Paused: view.Paused, Failed: view.Failure != nil,
	}
	for _, t := range view.Standings {
		switch {
		case r.Tables.Of(t.Number) != nil:
			counted.Teams["plays"]++
		case t.Resting:
			counted.Teams["rests"]++
		case slices.Contains(ready, t.Number):
			counted.Teams["ready"]++
		default:
			counted.Teams["absent"]++
		}
	}
	e.Read(func(now *state.State) {
		counted.Waiting, counted.Problems = len(now.Trials()), len(now.Problems())
	})
	return counted
}
