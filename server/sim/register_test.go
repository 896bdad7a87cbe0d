package sim

import "slices"

// meet notes whose connection has an address.
func (w *World) meet(address, name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.guests[address] = name
}

// guestAt returns the name of the actor whose connection has an address.
func (w *World) guestAt(address string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.guests[address]
}

// seat notes that a connection has a seat in a match. It reports false if it has one already.
func (w *World) seat(address, match string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, seated := w.seats[address]
	w.seats[address] = match
	return !seated
}

// unseat notes that a connection has left its seat in a match. It reports false if it has none.
func (w *World) unseat(address, match string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.seats[address] != match {
		return false
	}
	delete(w.seats, address)
	return true
}

// unseatAll notes that a match is over, or with an empty name all of them.
func (w *World) unseatAll(match string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for address, other := range w.seats {
		if match == "" || match == other {
			delete(w.seats, address)
		}
	}
}

// begins notes that a match begins for an actor, which has answered nothing in it.
func (w *World) begins(name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.answers, name)
}

// sends notes what an actor answers in a turn of its match.
func (w *World) sends(name string, turn int, actions string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.answers[name] == nil {
		w.answers[name] = map[int][]string{}
	}
	w.answers[name][turn] = append(w.answers[name][turn], actions)
}

// sent reports whether an actor sent these actions in a turn of its match.
func (w *World) sent(name string, turn int, actions []byte) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Contains(w.answers[name][turn], string(actions))
}

// observed returns the observers of all matches.
func (w *World) observed() []*observer {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.observers)
}
