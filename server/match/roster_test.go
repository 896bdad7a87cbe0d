package match

import (
	"slices"
	"testing"

	"github.com/hexarena/hexarena/engine"
)

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
	r.sort()
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
