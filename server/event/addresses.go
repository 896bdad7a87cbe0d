package event

import (
	"github.com/hexarena/hexarena/server/event/state"
)

// DropAddresses removes the addresses that teams signed up from, at the end of an event: they serve
// to remove many teams at once while it runs.
func (e *Event) DropAddresses() error {
	defer e.write()()
	text, err := e.written(e.acts, actsFile)
	if err != nil {
		return err
	}
	acts, err := state.ParseActs(text)
	if err != nil {
		return err
	}
	var kept []byte
	found := false
	for _, a := range acts {
		found = state.DropAddress(a) || found
		kept = state.AppendAct(kept, a, state.Time(a))
	}
	if !found {
		return nil
	}
	if err := e.replace(&e.acts, actsFile, kept); err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, a := range e.recent {
		state.DropAddress(a)
	}
	for _, t := range e.state.Teams.All() {
		t.From = ""
	}
	return nil
}
