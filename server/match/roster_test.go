package match

import (
	"maps"
	"slices"
	"testing"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/engine"
)

// In a seeded match, ids do not depend on the order of logins: with the same seed, each nickname
// has the same id.
func TestSeededIDs(t *testing.T) {
	list := []Candidate{
		{Nickname: "a"},
		{Nickname: "b", Key: "1"},
		{Nickname: "b", Key: "2"},
		{Nickname: "d"},
		{Nickname: "x", Role: Special},
		{Nickname: "y", Role: Special},
	}
	var first map[string]engine.PlayerID
	for range len(list) {
		list = append(list[1:], list[0])
		m := New(Options{
			Order: Seeded, Seed: 7, Autostart: true, Log: zerolog.Nop(),
			Pace:     func(Settings) Pace { return Fast(0, 0) },
			Settings: Settings{Players: 4, Specials: 2, Turns: 1}, Referee: Local(&plainGame{}),
		})
		for _, c := range list {
			if _, err := m.join(newSeat(always(-1)), c); err != nil {
				t.Fatal(err)
			}
		}
		m.begin()
		ids := map[string]engine.PlayerID{}
		m.roster.competitors(func(p *Place) { ids[p.Nickname+p.Key] = p.ID })
		m.roster.connected(func(p *Place) { close(p.seat.(*fakeSeat).asked) })
		if first == nil {
			first = ids
		}
		if !maps.Equal(ids, first) {
			t.Errorf("logins from %s on get the ids %v, others %v", list[0].Nickname, ids, first)
		}
	}
}

// Numbers order the ids of special players and of players; of equal ones, the login does.
func TestNumbersOrderIDs(t *testing.T) {
	var r roster
	for _, c := range []Candidate{
		{Nickname: "d", Number: 4},
		{Nickname: "b", Number: 1, Role: Special},
		{Nickname: "c", Number: 3},
		{Nickname: "a", Role: Special},
		{Nickname: "e", Number: 4},
	} {
		r[c.Role] = append(r[c.Role], &Place{SeatInfo: SeatInfo{Candidate: c}})
	}
	r.sort(false)
	r.number()
	if got, want := r.names(), []string{"a", "b", "c", "d", "e"}; !slices.Equal(got, want) {
		t.Errorf("the order is %q, want %q", got, want)
	}
	r.competitors(func(p *Place) {
		if want := engine.PlayerID(p.Nickname[0] - 'a'); p.ID != want {
			t.Errorf("the id of %s is %d, want %d", p.Nickname, p.ID, want)
		}
	})
}
