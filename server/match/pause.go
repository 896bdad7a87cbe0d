package match

import "github.com/hexarena/hexarena/engine"

// Held says why a match plays no turn, although the time for it is over.
type Held struct {
	Paused bool `json:"paused,omitempty"` // until Step or the end of the pause
	// players without a deadline, whose answers it waits for
	Awaits []engine.PlayerID `json:"awaits,omitempty"`
}

// Held returns why the match plays no turn now. Any goroutine may call it, and it does not wait for
// the match.
func (m *Match) Held() Held {
	h := Held{Paused: m.pausedNow.Load()}
	if awaits := m.awaited.Load(); awaits != nil {
		h.Awaits = *awaits
	}
	return h
}

// Pause keeps the match from playing turns, or lets it go on. Players can still answer the turn
// that is open, within their time.
func (m *Match) Pause(paused bool) {
	m.ask(func() { m.setPaused(paused, 0) })
}

// Step plays one turn as soon as it is due, and pauses the match again.
func (m *Match) Step() {
	m.ask(func() { m.setPaused(true, m.steps+1) })
}

func (m *Match) setPaused(paused bool, steps int) {
	m.paused, m.steps = paused, steps
	m.pausedNow.Store(paused)
}

// mayPlay reports whether the next turn is due and the match may play it.
func (m *Match) mayPlay() bool { return m.due && (!m.paused || m.steps > 0) }
