package seating_test

import (
	"context"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/result"
	"github.com/hexarena/hexarena/server/seat"
	"github.com/hexarena/hexarena/server/seat/seating"
)

// logInAs logs a client in that no match has started.
func logInAs(ctx context.Context, a *arena, nickname string) (*netorcai.Client, error) {
	return netorcai.Dial(ctx, a.Addr().String(),
		netorcai.Login{Nickname: nickname, Role: netorcai.RolePlayer})
}

// Seats wait for clients, also in a strict match: for one of a certain nickname, and for
// any. Other seats stay those of the bots that are started.
func TestWait(t *testing.T) {
	list := append(seats(t, "walker", "(fine -1)"),
		seat.Spec{Kind: seat.Wait, Label: "wait"}, seat.Spec{Kind: seat.Wait, Label: "ann", Name: "ann"})
	a := open(t, Options{Seats: list, Once: seating.Once{Strict: true}})
	reports := make(chan *result.Report)
	go func() { reports <- a.Play(t.Context()) }()

	played := make(chan error)
	enter := func(nickname string) {
		t.Helper()
		c, err := logInAs(t.Context(), a, nickname)
		if err != nil {
			t.Fatalf("%s: %v", nickname, err)
		}
		bot, _ := builtin("walker", 1)
		go func() { played <- c.Play(t.Context(), bot) }()
	}
	enter("bob")
	if _, err := logInAs(t.Context(), a, "carl"); err == nil {
		t.Error("a third client got a seat")
	}
	enter("ann")
	for range 2 {
		if err := <-played; err != nil {
			t.Error(err)
		}
	}
	r := <-reports
	if r.Err != nil || r.Turns != 10 {
		t.Fatalf("report = %+v, want the match to be played to its end", r)
	}
	for i, nickname := range []string{"walker", "fine", "bob", "ann"} {
		if s := r.Seats[i]; s.Status != result.Held || s.Nickname != nickname || s.Answers != 9 ||
			s.Untraced {
			t.Errorf("seat %d: %+v, want %s with 9 answers", i, s, nickname)
		}
	}
}

// A match waits for a client until it is interrupted, however short bots may take to
// start. A login with another nickname is refused with the reason.
func TestWaitInVain(t *testing.T) {
	a := open(
		t,
		Options{
			Seats:   append(seats(t, "walker"), seat.Spec{Kind: seat.Wait, Label: "ann", Name: "ann"}),
			Options: seating.Options{Launch: seating.Launch{Timeout: 1}},
		},
	)
	ctx, cancel := context.WithCancel(t.Context())
	reports := make(chan *result.Report)
	go func() { reports <- a.Play(ctx) }()
	if _, err := logInAs(t.Context(), a, "bob"); err == nil ||
		!strings.Contains(err.Error(), `the seat waits for a bot that logs in as "ann"`) {
		t.Errorf("a login with another nickname: %v, want it refused with the reason", err)
	}
	cancel()
	if r := <-reports; r.Err == nil || r.Seats[1].Status != result.Absent ||
		r.Seats[1].Error != "no client took the seat" {
		t.Errorf("report = %+v, want the match interrupted", r)
	}
}
