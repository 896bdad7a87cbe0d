package site

import (
	"fmt"
	"sync"
	"time"
)

const (
	// signUpsAtOnce is the number of teams that may sign up from an address at once, and signUpRest
	// the time after which one more may. A class of 30 behind one gateway has one address; one
	// person who knows the code adds 40 teams, which the operator removes by one act, and then 6 in
	// a minute.
	signUpsAtOnce = 40
	signUpRest    = 10 * time.Second
	// flood is the number of teams from one address, at once, of which the operator is told.
	flood = 10
	// floodTime is the time that the operator's page tells of it: longer than a class takes to sign
	// up.
	floodTime = time.Hour
)

// signUps limits the teams that sign up from one address. It keeps as many addresses as teams have
// signed up from.
type signUps struct {
	mu        sync.Mutex
	addresses map[string]*signUpsFrom
}

// signUpsFrom is the allowance of an address: how many teams it has signed up, less one for each
// signUpRest that has passed.
type signUpsFrom struct {
	used    float64
	since   time.Time // when used was computed
	flooded time.Time // when the address last had as many as a flood has
	refused int
}

// at computes the allowance at a time.
func (a *signUpsFrom) at(now time.Time) {
	a.used = max(0, a.used-float64(now.Sub(a.since))/float64(signUpRest))
	a.since = now
}

// take counts a team from an address, or returns the time until one more is allowed. begins reports
// that this one makes a flood.
func (s *signUps) take(address string, now time.Time) (wait time.Duration, begins bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.addresses[address]
	if a == nil {
		if s.addresses == nil {
			s.addresses = map[string]*signUpsFrom{}
		}
		a = &signUpsFrom{}
		s.addresses[address] = a
	}
	a.at(now)
	if a.used > signUpsAtOnce-1 {
		a.refused++
		a.flooded = now
		return time.Duration((a.used - (signUpsAtOnce - 1)) * float64(signUpRest)), false
	}
	if a.used++; a.used >= flood {
		begins = now.Sub(a.flooded) > floodTime
		a.flooded = now
	}
	return 0, begins
}

// giveBack undoes take for a team that could not sign up.
func (s *signUps) giveBack(address string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a := s.addresses[address]; a != nil {
		if a.used = max(0, a.used-1); a.used == 0 {
			delete(s.addresses, address)
		}
	}
}

// forget forgets what an address has signed up.
func (s *signUps) forget(address string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.addresses, address)
}

// flooded returns the addresses from which many teams signed up at once, and how many more each has
// tried to sign up.
func (s *signUps) flooded(now time.Time) map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := map[string]int{}
	for address, a := range s.addresses {
		if now.Sub(a.flooded) < floodTime {
			list[address] = a.refused
		}
	}
	return list
}

// markFloods returns what the operator is told of addresses from which many teams signed up at
// once.
func (p *room) markFloods() (m markup) {
	for address, refused := range p.floods {
		teams := 0
		for _, t := range p.day.view.Standings {
			if t.From == address {
				teams++
			}
		}
		if teams == 0 {
			continue
		}
		text := ""
		if refused > 0 {
			text = fmt.Sprintf(", and %d more were refused", refused)
		}
		m += mark(
			`<p class="warning">Sign-ups: %s teams came from the address %s, many of them at once%s. `+
				`If they are no class, remove them by this address; another code keeps new ones out.</p>`,
			teams, address, text)
	}
	return m
}
