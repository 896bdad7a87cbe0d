package event

import (
	"fmt"

	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/event/state"
)

// View is an event at a moment, for those that show it.
type View struct {
	state.View
	Failure error           // why nothing can be written; nil: all is well
	Changed <-chan struct{} // closed when something has changed
}

// View returns the event as it is now. What it points to does not change.
func (e *Event) View() View {
	e.mu.Lock()
	defer e.mu.Unlock()
	return View{View: e.state.View(), Failure: e.failure, Changed: e.changed}
}

// Nick returns the nickname of a team.
func (e *Event) Nick(team int) string {
	return Ask(e, func(s *state.State) string { return s.Teams.All()[team].Nick })
}

// RecordingOf returns the name of the file of a match, whose number is from 0.
func RecordingOf(match int) string { return fmt.Sprint(match, archive.Extension) }
