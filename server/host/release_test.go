package host_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"runtime"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/seat"
	"github.com/hexarena/hexarena/server/seat/seating"
	"github.com/hexarena/hexarena/server/servertest"
)

// idleSeat is the seat of a visualization that shows nothing, and a watcher of its match. It
// holds a pointer, since small values without one are collected together with others.
type idleSeat struct{ place *match.Place }

func (s *idleSeat) Welcome(p *match.Place)            { s.place = p }
func (*idleSeat) Begin(*match.Frame, engine.PlayerID) {}
func (*idleSeat) Offer(*match.Frame)                  {}
func (*idleSeat) Kick(error)                          {}
func (*idleSeat) Joined(match.SeatInfo, match.Role)   {}
func (*idleSeat) Left(match.SeatInfo, match.Role)     {}
func (*idleSeat) Started(*match.Frame)                {}
func (*idleSeat) Played(*match.Play)                  {}
func (*idleSeat) Ended(*match.Ending)                 {}
func (*idleSeat) Updated(match.Settings)              {}

// held are the names of what a match is played with, and of what the functions in its
// description hold.
var held = [...]string{
	"room", "game", "account", "seat", "watcher", "start", "progress", "builtin", "interval", "fill",
}

// A match that is over, and which the page still shows, holds nothing that it was played
// with: no room, and so no recorder, no game, account or seat, and nothing that the functions
// of its description hold. Neither does a client that stays.
func TestMatchIsReleased(t *testing.T) {
	thorough.Long(t)
	const matches = 3
	h, err := host.Open(host.Options{
		Bind: "127.0.0.1", Linger: usualLinger, Page: shownOn(),
		Recordings: &host.Recordings{Dir: t.TempDir()},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Shutdown(t.Context())
	gone := make(chan string, matches*len(held))
	var c *servertest.Client
	for n := range matches {
		playReleased(t, h, n+1, gone, &c)
	}
	left := map[string]int{}
	for _, name := range held {
		left[name] = matches
	}
	for late := time.After(time.Minute); len(left) > 0; {
		runtime.GC()
		select {
		case name := <-gone:
			if left[name]--; left[name] == 0 {
				delete(left, name)
			}
		case <-late:
			t.Fatalf("finished matches still hold %v", left)
		case <-time.After(time.Millisecond): // collect once more
		}
	}
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	_, body := get(t, h.Page().URL()+"api/matches")
	var shown []struct {
		Phase string `json:"phase"`
		ID    string `json:"id"`
	}
	if err := json.Unmarshal([]byte(body), &shown); err != nil || len(shown) != matches {
		t.Fatalf("the page shows %s, want %d matches", body, matches)
	}
	for _, m := range shown {
		late := servertest.DialWebSocket(t,
			"ws://"+h.Page().Addr().String()+"/netorcai?match="+url.QueryEscape(m.ID))
		late.SendLogin("late", "player")
		late.ExpectKick("LOGIN denied: Game has been started")
		for _, action := range []string{"start", "fill"} {
			answer, err := http.Post(h.Page().URL()+"api/match/"+action+"?match="+url.QueryEscape(m.ID), "", nil)
			if err != nil {
				t.Fatal(err)
			}
			answer.Body.Close()
			if answer.StatusCode != http.StatusConflict {
				t.Errorf("to %s a match that is over: %s, want a conflict", action, answer.Status)
			}
		}
	}
}

// playReleased plays a match to its end, and sends what is collected of it to gone. Its
// player c logs in if it is nil, and stays.
func playReleased(
	t *testing.T, h *host.Host, number int, gone chan<- string, c **servertest.Client,
) {
	t.Helper()
	send := func(name string) { gone <- name }
	hold := func(name string) *idleSeat {
		s := new(idleSeat)
		runtime.AddCleanup(s, send, name)
		return s
	}
	keep := func(name string) func() {
		s := hold(name)
		return func() { s.place = nil }
	}
	spec := small(1, number)
	spec.Settings.Visus = 1
	g := hexabomb.New(hexagon(3, 4))
	runtime.AddCleanup(g, send, "game")
	spec.Game = games.Instance{New: func() engine.Game { return g }}
	spec.Watchers = []match.Watcher{hold("watcher")}
	progress, made, told, filled := keep("progress"), keep("builtin"), keep("interval"), keep("fill")
	spec.Bots.Fill = &seating.Once{Progress: func(*seat.Spec, string) { progress() }}
	spec.Bots.Builtin = func(string, uint64) (netorcai.Bot, error) { made(); return nil, nil }
	spec.Page = host.PageSpec{
		CanStart: true,
		Interval: func(match.Settings) time.Duration { told(); return 0 },
		Filler:   &games.Game{Mix: func(int) []string { filled(); return nil }},
	}
	started := keep("start")
	spec.Pace = func(s match.Settings) match.Pace { started(); return fast(s) }
	room, err := h.Start(context.Background(), spec)
	if err != nil {
		t.Fatal(err)
	}
	runtime.AddCleanup(room, send, "room")
	runtime.AddCleanup(room.Account(), send, "account")
	if _, err := room.Match().Join(hold("seat"), match.Candidate{Role: match.Visualization, Nickname: "idle"}); err != nil {
		t.Fatal(err)
	}
	if *c == nil {
		*c = servertest.DialWebSocket(t,
			"ws://"+h.Page().Addr().String()+"/netorcai?match="+url.QueryEscape(room.Feed().ID()))
		(*c).Send(stayLogin, "stays")
		(*c).Expect("LOGIN_ACK")
	}
	holdStill(*c, spec.Settings.Turns)
	if r := room.Wait(); r.Err != nil || r.RecordingErr != nil || r.Recording == "" {
		t.Errorf("match %d ended with %+v", number, r)
	}
}
