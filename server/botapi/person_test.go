package botapi

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/protocol/htttx"
)

func serveHTTP(t *testing.T, h http.HandlerFunc) (url string) {
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	return srv.URL
}

// person connects a person's client, which records the packets that it receives.
func person(t *testing.T) (*Peer, *websocket.Conn, *testBot) {
	t.Helper()
	peers := make(chan *Peer, 1)
	acceptor := NewAcceptor(zerolog.Nop())
	url := serveHTTP(t, func(w http.ResponseWriter, r *http.Request) {
		p, err := acceptor.AcceptPerson(w, r, "Ann")
		if err != nil {
			t.Error(err)
		}
		peers <- p
	})
	c, _, err := websocket.DefaultDialer.Dial(strings.Replace(url, "http", "ws", 1), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return <-peers, c, &testBot{}
}

// playPieces plays one piece after another to the end.
func playPieces(b *testBot, c *websocket.Conn, cells ...htttx.Cell) {
	for _, cell := range cells {
		if _, ok := b.nextRequest(c); !ok {
			return
		}
		sendText(c, htttx.MoveResponse{Move: htttx.MoveOption{Pieces: []htttx.Cell{cell}}}.Append(nil))
	}
	b.nextRequest(c)
}

func short(win int) hextictactoe.Options {
	o := hextictactoe.Defaults()
	o.WinDistance, o.TurnLimit = win, 6
	return o
}

// A person is asked for one piece at a time, and not for a second after a winning
// one.
func TestPersonPlaysPieceByPiece(t *testing.T) {
	t.Parallel()
	p, c, notes := person(t)
	bot := &testBot{caps: baseCaps}
	done := make(chan struct{})
	go func() {
		defer close(done)
		playPieces(notes, c, htttx.Cell{Q: 0, R: 1}, htttx.Cell{Q: 0, R: 2}, htttx.Cell{Q: 0, R: 3})
	}()
	e := testMatch{options: short(4)}.play(t, p, mustDial(t, t.Output(), bot.start(t)))
	<-done
	if e.Winner != 0 || e.Reason != "win: a row complete" {
		t.Errorf("ending = %+v, want the person to win", e)
	}
	want := []string{
		`{"type":"setup","board":{"cells":[{"q":0,"r":0,"p":"x"}]}}`,
		`{"type":"move_request","side":"x","previous":[{"side":"o","pieces":[{"q":2,"r":0},{"q":4,"r":0}]}],"board":{"cells":[{"q":0,"r":0,"p":"x"},{"q":2,"r":0,"p":"o"},{"q":4,"r":0,"p":"o"}]}}`,
		`{"type":"move_request","side":"x","previous":[{"side":"x","pieces":[{"q":0,"r":1}]}],"board":{"cells":[{"q":0,"r":0,"p":"x"},{"q":2,"r":0,"p":"o"},{"q":4,"r":0,"p":"o"},{"q":0,"r":1,"p":"x"}]}}`,
		`{"type":"move_request","side":"x","previous":[{"side":"o","pieces":[{"q":6,"r":0},{"q":8,"r":0}]}],"board":{"cells":[{"q":0,"r":0,"p":"x"},{"q":2,"r":0,"p":"o"},{"q":4,"r":0,"p":"o"},{"q":0,"r":1,"p":"x"},{"q":0,"r":2,"p":"x"},{"q":6,"r":0,"p":"o"},{"q":8,"r":0,"p":"o"}]}}`,
	}
	got := notes.noted("")
	if len(got) != len(want)+1 || strings.Join(got[:len(want)], "\n") != strings.Join(want, "\n") ||
		!strings.HasPrefix(got[len(want)], `{"type":"end","winner":"x","reason":"win"`) {
		t.Errorf("the person received\n%s", strings.Join(got, "\n"))
	}
}

// A first piece that cannot be placed loses at once, and the person is told why.
func TestPersonLosesByAPieceThatCannotBePlaced(t *testing.T) {
	for _, tt := range []struct {
		cells  []htttx.Cell
		reason string
		nope   string
	}{
		{[]htttx.Cell{{Q: 0, R: 0}}, "forfeit: cell occupied", "(0,0) already occupied"},
		{[]htttx.Cell{{Q: 99, R: 0}}, "forfeit: too far from every piece", "(99,0) out of view range"},
		{[]htttx.Cell{
			{Q: -1 << 31, R: 0},
		}, "forfeit: beyond the edge of the board", "forfeit: beyond the edge of the board"},
		{[]htttx.Cell{{Q: 1, R: 0}, {Q: 1, R: 0}}, "forfeit: cell occupied", "(1,0) already occupied"},
	} {
		t.Run(tt.nope, func(t *testing.T) {
			t.Parallel()
			p, c, notes := person(t)
			bot := &testBot{caps: baseCaps}
			done := make(chan struct{})
			go func() {
				defer close(done)
				playPieces(notes, c, tt.cells...)
			}()
			e := testMatch{}.play(t, mustDial(t, t.Output(), bot.start(t)), p)
			<-done
			if e.Winner != 0 || e.Reason != tt.reason {
				t.Errorf("ending = %+v, want %s", e, tt.reason)
			}
			if nope := notes.noted(`{"type":"nope","reason":"` + tt.nope); len(nope) != 1 {
				t.Errorf("the person received the reasons %q, want one", notes.noted(`{"type":"nope"`))
			}
		})
	}
}

// A person may resign before the server has sent that the game has started.
func TestPersonResignsAtOnce(t *testing.T) {
	for range 20 { // it depends on which of the two the server hears of first
		p, c, notes := person(t)
		sendText(c, htttx.Resign{}.Append(nil))
		go func() {
			for ok := true; ok; { // to the end of the connection
				_, ok = notes.nextRequest(c)
			}
		}()
		bot := &testBot{caps: baseCaps}
		e := testMatch{}.play(t, mustDial(t, t.Output(), bot.start(t)), p)
		if e.Winner != 0 || e.Reason != "forfeit: left" {
			t.Fatalf("ending = %+v, want the person to have left", e)
		}
	}
}
