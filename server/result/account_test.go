package result

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/match"
)

// tallyGame is a game with a tally.
type tallyGame struct{}

func (tallyGame) AppendTally(dst []engine.Count, p engine.PlayerID) []engine.Count {
	scores := [...]int64{7, 9, 9}
	return append(dst, engine.Count{Name: "score", Value: scores[p]},
		engine.Count{Name: "deaths", Value: int64(p)})
}

// seat returns a player with its own address.
func seat(id engine.PlayerID, remote string) match.SeatInfo {
	return match.SeatInfo{Candidate: match.Candidate{Remote: remote, Nickname: remote}, ID: id}
}

func answered(p engine.PlayerID, turn int, took time.Duration) match.Answer {
	return match.Answer{Input: engine.Input{Player: p, Turn: turn}, Took: took}
}

func lapsed(p engine.PlayerID, lapse engine.Lapse) match.Answer {
	return match.Answer{Input: engine.Input{Player: p, Lapse: lapse}}
}

func TestAccount(t *testing.T) {
	a := New(Options{Tally: tallyGame{}, Digest: true})
	seats := []match.SeatInfo{seat(0, "a"), seat(1, "b"), seat(2, "c")}
	a.Left(match.SeatInfo{Candidate: match.Candidate{Remote: "early"}, Reason: "it broke the rules"},
		match.Player)
	a.Started(&match.Frame{State: []byte("{}"), Table: match.Table{Players: 3, Seats: seats}})
	a.Played(&match.Play{Step: 1, Frame: &match.Frame{Moment: match.Turned, State: []byte("{}")}})
	a.Played(&match.Play{
		Step: 2, Frame: &match.Frame{Moment: match.Turned, State: []byte("{}")},
		Answers: []match.Answer{
			answered(0, 0, time.Millisecond), lapsed(1, engine.TimedOut), answered(2, 0, 3*time.Millisecond),
		},
		Result: engine.Result{
			Refused: []engine.Refusal{{Player: 2, Reason: "no bomb"}, {Player: 2, Reason: "no bomb"}},
		},
	})
	for _, s := range seats[1:] { // c has answered TURN 1, b has not
		s.Reason = "read: " + HungUp
		a.Left(s, match.Player)
	}
	a.Played(&match.Play{
		Step: 3, Frame: &match.Frame{Moment: match.Ended, State: []byte("{}")},
		Answers: []match.Answer{
			answered(0, 1, time.Millisecond), lapsed(1, engine.Gone), answered(2, 1, time.Millisecond),
		},
	})
	a.Ended(&match.Ending{Steps: 3, Winner: engine.NoPlayer, Seats: seats})

	r := a.Result()
	if r.Steps != 3 || len(r.Digest) != 64 || len(r.Players) != 3 || r.Started.IsZero() ||
		r.Ended.Before(r.Started) {
		t.Fatalf("result = %+v, want three players and a digest", r)
	}
	type row struct{ rank, answers, skipped, missed, refused int }
	for id, want := range []row{{3, 2, 0, 0, 0}, {1, 0, 1, 1, 0}, {1, 2, 0, 0, 2}} {
		p := &r.Players[id]
		if got := (row{p.Rank, p.Answers, p.Skipped, p.Missed, p.Refused["no bomb"]}); got != want {
			t.Errorf("player %d = %+v, want %+v", id, got, want)
		}
	}
	if d := r.Players[1].Left; d == nil || d.Step != 2 || !d.HungUp() {
		t.Errorf("player 1 left %+v, want that it hung up after step 2", d)
	}
	if d := r.Players[2].Left; d != nil {
		t.Errorf("player 2 left %+v, and it had answered the last TURN", d)
	}
	if d, ok := a.Departure("early"); !ok || d.Step != 0 || d.HungUp() {
		t.Errorf("Departure(early) = %+v, %v, want one before the start", d, ok)
	}
	if id := a.Player("c"); id != 2 {
		t.Errorf("Player(c) = %d, want 2", id)
	}
	if id := a.Player("early"); id != engine.NoPlayer {
		t.Errorf("Player(early) = %d, want engine.NoPlayer", id)
	}
	text, err := json.Marshal(r.Players[2].Counts)
	if want := `{"score":9,"deaths":2}`; err != nil || string(text) != want {
		t.Errorf("counts as JSON = %s, %v, want %s", text, err, want)
	}
}

// A player that left has not left if it came back, which shows when it is awaited in a later turn;
// but that an answer from before it left belongs to a later turn does not show that.
func TestAccountOfReturns(t *testing.T) {
	late := answered(0, 0, time.Millisecond)
	for _, tt := range []struct {
		name  string
		turns [][]match.Answer // of player 0, which leaves before the first one ends
		left  bool
	}{
		{"it answers", [][]match.Answer{
			{lapsed(0, engine.Gone)}, {answered(0, 1, time.Millisecond)},
		}, false},
		{"it is late", [][]match.Answer{{lapsed(0, engine.Gone)}, {lapsed(0, engine.TimedOut)}}, false},
		{"its last answer", [][]match.Answer{
			{answered(0, 0, time.Millisecond)}, {lapsed(0, engine.Gone)},
		}, true},
		{"its late answer", [][]match.Answer{
			{lapsed(0, engine.TimedOut)}, {late, lapsed(0, engine.Gone)},
		}, true},
		{"it leaves again", [][]match.Answer{
			{lapsed(0, engine.Gone)}, {answered(0, 1, time.Millisecond)}, nil, {lapsed(0, engine.Gone)},
		}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := New(Options{})
			seats := []match.SeatInfo{seat(0, "a")}
			frame := &match.Frame{Moment: match.Turned, Table: match.Table{Players: 1, Seats: seats}}
			a.Started(frame)
			a.Played(&match.Play{Step: 1, Frame: frame})
			gone := seats[0]
			for i, answers := range tt.turns {
				if i == 0 || answers == nil { // a client that came back has another address
					a.Left(gone, match.Player)
					gone.Remote = "b"
				}
				a.Played(&match.Play{Step: i + 2, Answers: answers, Frame: frame})
			}
			a.Ended(&match.Ending{Seats: seats})
			if d, left := a.Departure("a"); left != tt.left ||
				(a.Result().Players[0].Left != nil) != tt.left {
				t.Errorf("it has left %v: %+v, want %v", left, d, tt.left)
			}
		})
	}
}

// A match that never started has no players and no digest.
func TestAccountWithoutStart(t *testing.T) {
	a := New(Options{Digest: true})
	a.Ended(&match.Ending{Err: match.ErrAborted, Winner: engine.NoPlayer})
	if r := a.Result(); r.Err != match.ErrAborted || r.Players != nil || r.Digest != "" ||
		!r.Started.IsZero() {
		t.Errorf("result = %+v, want nothing but the error", r)
	}
}
