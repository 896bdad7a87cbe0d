package seating

import (
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/seat"
)

// seatsOf returns seats of a match that has no others.
func seatsOf(list ...seat.Spec) *Seats {
	p := NewProcesses(nil, nil, "", 0, nil, 0, zerolog.Nop())
	room := Room{Seats: list, Capacity: len(list), Seed: 1, Freed: func() {}, Log: zerolog.Nop()}
	return New(Options{Fill: &Once{}}, room, p)
}

// The first action of a bot determines how it is seated: it logs in, or it listens and is
// dialled.
func TestBotThatListensAndLogsIn(t *testing.T) {
	awaiting := func() (*Seats, *Seat) {
		s := seatsOf(seat.Spec{Kind: seat.Process, Label: "both"})
		s.await(s.list[0])
		return s, s.list[0]
	}
	logIn := func(s *Seats, remote string, bot *Seat) error {
		return s.Admit(&Client{Candidate: match.Candidate{Nickname: "both", Remote: remote}, Bot: bot})
	}
	s, both := awaiting()
	if !s.assign(both, &login{remote: "dialled", proven: true}) {
		t.Error("a bot that has not logged in is not dialled")
	}
	if err := logIn(s, "its own", both); err == nil || err.Error() != "both has a seat already" ||
		both.denied != 1 {
		t.Errorf("a login of a bot that was dialled: %v, %d denied", err, both.denied)
	}
	s, both = awaiting()
	if err := logIn(s, "unknown", nil); err != nil {
		t.Error(err)
	}
	if !s.assign(both, &login{remote: "dialled", proven: true}) || !both.usurped {
		t.Errorf("a bot whose seat another process has taken is not dialled, or not marked (%v)",
			both.usurped)
	}
	s.Release("dialled")
	if err := logIn(s, "its own", both); err != nil ||
		s.assign(both, &login{remote: "dialled", proven: true}) {
		t.Errorf("a bot that has logged in (%v) is dialled", err)
	}
}

// Clients of the page take the seats that wait for them, and a login one that waits for a login,
// whichever comes first. A seat is free when its client has left.
func TestSeatsOfClients(t *testing.T) {
	s := seatsOf(seat.Spec{Kind: seat.Page}, seat.Spec{Kind: seat.Wait, Name: "ann"},
		seat.Spec{Kind: seat.Wait})
	admit := func(nickname string, page bool) (int, error) {
		c := Client{Candidate: match.Candidate{Remote: "at " + nickname, Nickname: nickname}, Page: page}
		err := s.Admit(&c)
		return c.Number, err
	}
	for _, tt := range []struct {
		nickname string
		page     bool
		want     int // number of the seat, 0: none
	}{
		{"visitor", true, 1},
		{"client", false, 3},
		{"another", false, 0},
		{"ann", false, 2},
		{"guest", true, 0},
	} {
		n, err := admit(tt.nickname, tt.page)
		if (err == nil) != (tt.want != 0) || err == nil && n != tt.want {
			t.Errorf("%s: seat %d, %v; want seat %d", tt.nickname, n, err, tt.want)
		}
	}
	s.Release("at visitor")
	if _, err := admit("stranger", false); err != match.ErrPlayers {
		t.Errorf("a client that does not connect from the page: %v, want %v", err, match.ErrPlayers)
	}
	if n, err := admit("guest", true); err != nil || n != 1 {
		t.Errorf("after the visitor has left: seat %d, %v", n, err)
	}
	for _, nickname := range []string{"guest", "client", "ann"} {
		s.Release("at " + nickname)
	}
	if kept := s.Kept(); kept != 3 {
		t.Errorf("after all have left, %d seats are free", kept)
	}
}

// A client that connects again before the start, as its token shows, gets the seat that it has.
func TestSeatOfTheSameToken(t *testing.T) {
	s := seatsOf(seat.Spec{Kind: seat.Wait, Key: "k"}, seat.Spec{Kind: seat.Open})
	for _, tt := range []struct {
		key, remote string
		want        int
	}{{"k", "1", 1}, {"other", "2", 2}, {"k", "3", 1}, {"other", "4", 2}} {
		c := Client{Candidate: match.Candidate{Key: tt.key, Remote: tt.remote}}
		if err := s.Admit(&c); err != nil || c.Number != tt.want {
			t.Errorf("the token %s from %s: seat %d, %v; want seat %d", tt.key, tt.remote, c.Number, err,
				tt.want)
		}
	}
}

// A client that logged in earlier does not get the seat of a later login with its token.
func TestSeatOfAnEarlierLogin(t *testing.T) {
	s, now := seatsOf(seat.Spec{Kind: seat.Wait, Key: "k"}), time.Now()
	later := Client{Candidate: match.Candidate{Key: "k", Remote: "1", Since: now}}
	earlier := Client{Candidate: match.Candidate{Key: "k", Remote: "2", Since: now.Add(-time.Second)}}
	if err := s.Admit(&later); err != nil {
		t.Fatal(err)
	}
	if err := s.Admit(&earlier); err == nil {
		t.Error("the earlier login gets the seat")
	}
	s.Release("1")
	if err := s.Admit(&earlier); err != nil {
		t.Errorf("once the later login has left: %v", err)
	}
}
