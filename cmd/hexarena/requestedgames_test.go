package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/servertest"
)

// statelessBot plays two pieces to the right of all others.
func statelessBot(t *testing.T) (address string) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			fmt.Fprint(w, `{"meta":{"name":"righty"},"stateless":{"versions":{"v1-alpha":{}}}}`)
			return
		}
		body, _ := io.ReadAll(r.Body)
		_, pieces, err := htttx.ParseTurnRequest(body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		q := int32(0)
		for _, p := range pieces {
			q = max(q, p.Q)
		}
		m := htttx.MoveResponse{Move: htttx.MoveOption{Pieces: []htttx.Cell{{Q: q + 2}, {Q: q + 4}}}}
		_, _ = w.Write(htttx.AppendTurnResponse(nil, m))
	}))
	t.Cleanup(srv.Close)
	return srv.URL
}

// A server of hexagonal tic-tac-toe creates games on request, records and shows them,
// and also accepts clients of the netorcai protocol.
func TestServeHextictactoe(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	records := t.TempDir()
	var page string
	p := startServer(t, func(port string) *exec.Cmd {
		page = "127.0.0.1:" + strconv.Itoa(freePort(t))
		return command(t, "serve", "--game=hextictactoe", "--bind=127.0.0.1", "--port="+port, "--http="+page,
			"--record="+records, "--nb-visus-max=0", "--tc=20+1", "--autostart", "--linger=50ms")
	})
	body := fmt.Sprintf(`{"player_x":{"type":"bot","bot_url":%q},"player_o":{"type":"bot","bot_url":%q},"match_config":{"turn_limit":2}}`,
		statelessBot(t), statelessBot(t))
	resp, err := http.Post("http://"+page+"/game/new", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	created, _ := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	id, _, _ := strings.Cut(strings.TrimPrefix(string(created), `{"game_id":"`), `"`)
	// The port of the bots has the HTTP interface too.
	c, _, err := websocket.DefaultDialer.Dial("ws://"+p.addr+"/spectate/"+id, nil)
	if err != nil {
		t.Fatalf("spectate %q: %v", created, err)
	}
	defer c.Close()
	_ = c.SetReadDeadline(time.Now().Add(20 * time.Second))
	last := ""
	for {
		_, data, err := c.ReadMessage()
		if err != nil {
			break
		}
		last = string(data)
	}
	if !strings.HasPrefix(last, `{"type":"end","winner":null,"reason":"draw"`) {
		t.Errorf("the spectator's last packet is %s", last)
	}
	checkAnalysis(t, "http://"+page+"/api/recordings")

	players := []*servertest.Client{
		servertest.Login(t, p.addr, "a", "player"), servertest.Login(t, p.addr, "b", "player"),
	}
	for _, one := range players {
		one.Expect("GAME_STARTS")
	}
	for _, one := range players {
		one.Expect("TURN")
	}
	checkRecordingLink(t, "http://"+page, id, `{"type":"incomplete","reason":"running"`)
	for _, one := range players {
		one.Answer(0, "[]") // the opponent of the side to move
	}
	for _, one := range players {
		if end := one.Expect("GAME_ENDS"); !strings.Contains(string(end.State), "forfeit: no move") {
			t.Errorf("GAME_ENDS with %s, want a forfeit", end.State)
		}
		one.ExpectKick("Game is finished")
	}
	p.expectExit(0)
	verifiedIn(t, records, 2)
}

// checkRecordingLink finds a match other than but, opens the recording that it names, and
// checks that the last event contains last.
func checkRecordingLink(t *testing.T, page, but, last string) {
	t.Helper()
	var matches []struct{ ID, Recording string }
	fetch(t, page+"/api/matches", &matches)
	for _, m := range matches {
		if m.ID == but {
			continue
		}
		shown := string(received(t, page+"/api/match?match="+m.ID))
		if m.Recording == "" || !strings.Contains(shown, `"recording":"`+m.Recording+`"`) {
			t.Errorf("match %+v names no recording", m)
			return
		}
		recorded := string(received(t, page+"/api/recordings/"+m.Recording))
		events := strings.Split(strings.TrimSpace(recorded), "\n")
		if got := events[len(events)-1]; !strings.Contains(got, last) {
			t.Errorf("%s ends with %s, want %s", m.Recording, got, last)
		}
		return
	}
	t.Errorf("there is no match but %+v", matches)
}

// checkAnalysis analyses the one recording: the result has a line for the judge and one
// for each of its six moves.
func checkAnalysis(t *testing.T, recordings string) {
	t.Helper()
	var list []struct {
		Name     string
		Complete bool
	}
	for until := time.Now().Add(hangs); len(list) == 0 || !list[0].Complete; {
		resp, err := http.Get(recordings)
		if err != nil || time.Now().After(until) {
			t.Fatalf("no complete recording: %v, %+v", err, list)
		}
		list = nil
		err = json.NewDecoder(resp.Body).Decode(&list)
		_ = resp.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
	}
	post := func(request string) (status int, lines []string) {
		resp, err := http.Post(recordings+"/"+list[0].Name+"/analysis", "", strings.NewReader(request))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = resp.Body.Close() }()
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Error(err)
		}
		return resp.StatusCode, strings.Split(strings.TrimSpace(string(body)), "\n")
	}
	for _, test := range []struct {
		request, judge string
		moves          int
	}{
		{`{"move":2}`, "threat", 1}, // which thinks for seconds about each
		{`{"judge":"nearest","threats":true}`, "nearest", 2},
		{fmt.Sprintf(`{"judge":%q}`, statelessBot(t)), "righty", 2},
	} {
		status, lines := post(test.request)
		if status != http.StatusOK || len(lines) != 1+test.moves ||
			!strings.HasPrefix(lines[0], `{"judge":{"name":"`+test.judge+`"`) ||
			!strings.HasPrefix(lines[test.moves], `{"move":2,"side":"x","pieces":[{"q":`) {
			t.Errorf("POST analysis %s: %d\n%s", test.request, status, lines)
		}
	}
	unused := "127.0.0.1:" + strconv.Itoa(freePort(t))
	for _, test := range []struct {
		request string
		status  int
		want    string
	}{
		{`{"judge":7}`, http.StatusBadRequest, `the body is not JSON such as`},
		{`{"jugde":"threat"}`, http.StatusBadRequest, `unknown field`},
		{`{"judge":"unknown"}`, http.StatusUnprocessableEntity, `the judge \"unknown\" is not a built-in bot`},
		{`{"judge":"` + unused + `"}`, http.StatusUnprocessableEntity, `the judge at ` + unused + ` cannot be reached: connect`},
	} {
		if status, lines := post(test.request); status != test.status ||
			!strings.Contains(lines[0], test.want) {
			t.Errorf("POST analysis %s: %d %s, want %d %s", test.request, status, lines, test.status,
				test.want)
		}
	}
}
