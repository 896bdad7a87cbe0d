package match

// Pause keeps the match from playing turns, or lets it go on. Players can still answer the turn
// that is open, within their time.
func (m *Match) Pause(paused bool) {
	m.ask(func() { m.paused, m.steps = paused, 0 })
}

// Step plays one turn as soon as it is due, and pauses the match again.
func (m *Match) Step() {
	m.ask(func() {
		m.paused = true
		m.steps++
	})
}

// mayPlay reports whether the next turn is due and the match may play it.
func (m *Match) mayPlay() bool { return m.due && (!m.paused || m.steps > 0) }
