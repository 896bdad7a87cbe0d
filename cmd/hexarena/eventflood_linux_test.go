package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/netorcai"
)

// joiner signs teams up from one address of this machine.
type joiner struct {
	*runningEvent
	http http.Client
}

// from returns what signs up from an address.
func (e *runningEvent) from(address string) *joiner {
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	transport := &http.Transport{DialContext: dialer.DialContext, MaxIdleConnsPerHost: 100}
	e.t.Cleanup(transport.CloseIdleConnections)
	return &joiner{e, http.Client{Transport: transport}}
}

// join sends a name and a code, and returns the answer and its status.
func (j *joiner) join(name, code string) (answer map[string]any, status int) {
	text, _ := json.Marshal(map[string]any{"name": name, "code": code})
	resp, err := j.http.Post(j.url+"/join", "application/json", bytes.NewReader(text))
	if err != nil {
		j.t.Error(err)
		return nil, 0
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		j.t.Error(err)
	}
	if wait := resp.Header.Get("Retry-After"); (wait != "") != (resp.StatusCode == http.StatusTooManyRequests) {
		j.t.Errorf("status %d, Retry-After %q", resp.StatusCode, wait)
	}
	return answer, resp.StatusCode
}

// shownTeams returns the names of the teams on the screen, and the matches of each.
func (e *runningEvent) shownTeams() map[string]int {
	var screen struct {
		Teams []struct {
			Name    string
			Matches int
		}
	}
	if err := json.Unmarshal([]byte(e.get("/screen.json")), &screen); err != nil {
		e.t.Fatal(err)
	}
	teams := map[string]int{}
	for _, t := range screen.Teams {
		teams[t.Name] = t.Matches
	}
	return teams
}

// undo takes back the last act of the operator, as the page does, and returns the answer and its
// status.
func (e *runningEvent) undo() (answer map[string]any, status int) {
	e.t.Helper()
	var told struct {
		Acts []struct {
			Undo string
			Form map[string]any
		}
	}
	if err := json.Unmarshal([]byte(e.text("/admin/acts", e.admin)), &told); err != nil ||
		len(told.Acts) == 0 {
		e.t.Fatal(err)
	}
	return e.post("/admin/"+told.Acts[0].Undo, e.admin, told.Acts[0].Form)
}

// One person who has the code cannot fill an event: 40 teams of an address sign up at once, the
// operator sees them and removes them by one act, which can be taken back. A class of 30 behind one
// address signs up meanwhile without an act.
func TestEventFlood(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	dir := filepath.Join(t.TempDir(), "event")
	e, log := startLoggedEvent(t, dir, "--rounds", "operator")
	code := e.code()
	class, flood, late := e.from("127.0.0.7"), e.from("127.0.0.9"), e.from("127.0.0.8")
	var all sync.WaitGroup
	for i := range 30 {
		all.Go(func() {
			if answer, status := class.join(fmt.Sprint("pupil ", i), code); status != http.StatusOK {
				t.Errorf("a pupil cannot join: %v", answer)
			}
		})
	}
	tokens, refused := []string{}, 0
	for i := range 60 {
		switch answer, status := flood.join(fmt.Sprint("flood ", i), code); status {
		case http.StatusOK:
			tokens = append(tokens, answer["token"].(string))
		case http.StatusTooManyRequests:
			refused++
		default:
			t.Errorf("a sign-up is answered with %d, %v", status, answer)
		}
	}
	all.Wait()
	first, _ := e.ask(http.MethodGet, "/event/team", tokens[0], "") // of flood 0
	if len(tokens) < 40 || len(tokens) > 45 {
		t.Errorf("%d teams of an address sign up at once, want 40", len(tokens))
	}
	if answer, status := late.join("late", code); status != http.StatusOK {
		t.Errorf("another address cannot join: %v", answer)
	}
	if page, want := e.get("/admin?part=live"), fmt.Sprintf("%d teams came from the address 127.0.0.9, many of them at once, and %d more were refused", len(tokens), refused); !strings.Contains(page, want) {
		t.Errorf("the operator's page does not say %q", want)
	}

	login := netorcai.Login{Nickname: "bot", Role: netorcai.RolePlayer, Token: tokens[0]}
	bot, err := netorcai.Dial(t.Context(), e.addr, login)
	if err != nil {
		t.Fatal(err)
	}
	defer bot.Close()
	if answer, status := e.post("/admin/remove-address", e.admin, map[string]any{"address": "127.0.0.1", "back": 10}); status != http.StatusConflict {
		t.Errorf("the teams of an address without any are removed: %v", answer)
	}
	answer, status := e.post("/admin/remove-address", e.admin,
		map[string]any{"address": "127.0.0.9", "back": 10})
	if want := fmt.Sprintf("teams that were removed: %d; they have played no match", len(tokens)); status != http.StatusOK || !strings.Contains(answer["note"].(string), want) {
		t.Errorf("the teams of an address are removed: %d, %v", status, answer)
	}
	var kick *netorcai.KickError
	if err := bot.PlayAll(t.Context(), nil); !errors.As(err, &kick) {
		t.Errorf("the bot of a removed team is told %v", err)
	}
	if _, err := netorcai.Dial(t.Context(), e.addr, login); !errors.As(err, &kick) ||
		!strings.Contains(kick.Reason, "removed the team") {
		t.Errorf("a removed team logs in: %v", err)
	}
	if answer, status := e.ask(http.MethodGet, "/event/team", tokens[0], ""); status != http.StatusForbidden {
		t.Errorf("a removed team is answered %d, %v", status, answer)
	}
	if n := len(e.shownTeams()); n != 31 {
		t.Errorf("%d teams are on the screen, want 31", n)
	}
	if answer, status := flood.join("flood 0", code); status != http.StatusOK {
		t.Errorf("the name of a removed team, and its place, are not free: %v", answer)
	}
	answer, status = e.post("/admin/restore", e.admin, map[string]any{"team": first["number"]})
	if status != http.StatusConflict {
		t.Errorf("a team is back whose name another one has, or that was not removed: %v", answer)
	}
	e.quit()
	if n := strings.Count(log.String(), "Many teams sign up from one address"); n != 2 {
		t.Errorf("the log tells %d times of many sign-ups, want once for each of two addresses\n%s", n,
			log)
	}
	e = startEvent(t, dir, "--rounds", "operator")
	if n := len(e.shownTeams()); n != 32 {
		t.Errorf("%d teams are there when the event goes on, want 32", n)
	}
	e.quit()
}

// The matches of a team that is removed count for the others. Brought back, it is as it was.
func TestEventRemovedTeam(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	e := startEvent(t, filepath.Join(t.TempDir(), "event"), "--rounds", "operator")
	tokens := e.signUp("Ann", "Bob")
	wait := e.connect(t.Context(), tokens)
	e.awaitReady(2)
	e.typeLines("round")
	e.awaitRows(1)
	answer, status := e.post("/admin/remove", e.admin, map[string]any{"team": 0})
	if status != http.StatusOK || !strings.Contains(answer["note"].(string), "still count") {
		t.Errorf("removed: %d, %v", status, answer)
	}
	if teams := e.shownTeams(); len(teams) != 1 || teams["Bob"] != 1 {
		t.Errorf("the screen shows %v", teams)
	}
	if answer, status := e.post("/admin/rename", e.admin, map[string]any{"team": 0, "name": "Bob's"}); status != http.StatusConflict {
		t.Errorf("a removed team is renamed: %v", answer)
	}
	if text, status := e.fetch(http.MethodGet, "/team/Ann", "", ""); status != http.StatusNotFound {
		t.Errorf("the page of a removed team has the status %d:\n%s", status, text)
	}
	for _, path := range []string{"/admin/standings.csv", "/admin/slips", "/event/official"} {
		if text := e.text(path, e.admin); strings.Contains(text, `"Ann"`) ||
			strings.Contains(text, ",Ann,") {
			t.Errorf("%s has the removed team:\n%s", path, text)
		}
	}
	if answer, status := e.undo(); status != http.StatusOK {
		t.Errorf("the removal is not taken back: %v", answer)
	}
	if teams := e.shownTeams(); len(teams) != 2 || teams["Ann"] != 1 {
		t.Errorf("the screen shows %v", teams)
	}
	e.quit()
	wait()
}

// A right code passes at once, whatever wrong ones are sent from the same address: no limit of them
// is needed.
func TestEventWrongCodes(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	e := startEvent(t, filepath.Join(t.TempDir(), "event"), "--rounds", "operator")
	code, machine := e.code(), e.from("127.0.0.7")
	const wrong, senders, pupils = 10_000, 10, 30
	var all, guesses sync.WaitGroup
	var sent atomic.Int64
	for s := range senders {
		guesses.Go(func() {
			for i := range wrong / senders {
				if answer, status := machine.join("guess", fmt.Sprintf("%08d", s*wrong+i)); status != http.StatusForbidden {
					t.Errorf("a wrong code is answered with %d, %v", status, answer)
					return
				}
				sent.Add(1)
			}
		})
	}
	began := time.Now()
	for i := range pupils {
		all.Go(func() {
			typed := strings.ToLower(code[:4] + " " + code[4:]) // as people type it
			if answer, status := machine.join(fmt.Sprint("pupil ", i), typed); status != http.StatusOK {
				t.Errorf("a pupil cannot join: %v", answer)
			}
		})
	}
	all.Wait()
	t.Logf("the pupils have joined after %v and %d wrong codes", time.Since(began), sent.Load())
	guesses.Wait()
	if n := len(e.shownTeams()); n != pupils {
		t.Errorf("%d pupils have joined, want %d", n, pupils)
	}
	e.quit()
}

// send sends a version, and returns the answer and its status.
func (j *joiner) send(token, name, text string) (answer map[string]any, status int) {
	j.t.Helper()
	req, err := http.NewRequest(http.MethodPost, j.url+"/event/versions?name="+name,
		strings.NewReader(text))
	if err != nil {
		j.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := j.http.Do(req)
	if err != nil {
		j.t.Fatal(err)
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		j.t.Fatal(err)
	}
	return answer, resp.StatusCode
}

// Versions that never log in hold up those of their own teams: a team whose last versions were bad
// waits behind others. Each is told its place.
func TestEventTrialsInTurn(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	e := startEvent(t, filepath.Join(t.TempDir(), "event"), "--rounds", "operator", "--send",
		"trusted", "--turns", "6", "--turn-timeout", "1s")
	tokens := e.signUp("Ann", "s1", "s2", "s3", "s4", "s5", "s6")
	machine := e.from("127.0.0.7")
	state := func(token string) (state string, place int) {
		text := e.text("/event/team", token)
		var team struct {
			Versions []struct {
				State string
				Queue int
			}
		}
		if err := json.Unmarshal([]byte(text), &team); err != nil || len(team.Versions) == 0 {
			t.Fatalf("%v\n%s", err, text)
		}
		return team.Versions[0].State, team.Versions[0].Queue
	}
	for i, token := range tokens[1:] {
		if answer, status := machine.send(token, "exits.sh", fmt.Sprintf("#!/bin/sh\nexit %d\n", i+1)); status != http.StatusOK {
			t.Fatalf("status %d, %v", status, answer)
		}
	}
	for _, token := range tokens[1:] {
		for got := ""; got != "bad"; {
			got, _ = state(token)
		}
	}
	for i, token := range tokens[1:] {
		if answer, status := machine.send(token, "sleeps.sh", fmt.Sprintf("#!/bin/sh\nexec sleep 60%d\n", i)); status != http.StatusOK {
			t.Fatalf("status %d, %v", status, answer)
		}
	}
	if answer, status := machine.send(tokens[0], "painter.sh", sentPainter); status != http.StatusOK {
		t.Fatalf("status %d, %v", status, answer)
	}
	for tried := false; !tried; {
		got, place := state(tokens[0])
		tried = got == "plays"
		if place > 1 || !tried && (got != "untried" || place != 1) {
			t.Fatalf("the version of a team without bad ones is %s, at place %d of the queue", got, place)
		}
	}
	waiting := 0
	for _, token := range tokens[1:] {
		if got, place := state(token); got == "untried" && place > 0 {
			waiting++
		}
	}
	if waiting == 0 {
		t.Error("a version has waited for all that never log in")
	}
	e.quit()
}

// Uploads that hardly arrive are answered, and do not keep others from sending, not even from the
// same address.
func TestEventSlowUploads(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	e := startEvent(t, filepath.Join(t.TempDir(), "event"), "--rounds", "operator", "--send",
		"trusted")
	var names []string
	for i := range 22 {
		names = append(names, fmt.Sprint("team ", i))
	}
	tokens := e.signUp(names...)
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP("127.0.0.7")}}
	var slow sync.WaitGroup
	var late, evicted atomic.Int64
	for _, token := range tokens[2:] {
		conn, err := dialer.Dial("tcp", e.addr)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprintf(conn, "POST /event/versions?name=a.sh HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer "+
			"%s\r\nContent-Length: 100000\r\n\r\n#", e.addr, token)
		slow.Go(func() {
			resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err != nil {
				t.Error(err)
				return
			}
			switch resp.StatusCode {
			case http.StatusRequestTimeout:
				late.Add(1)
			case http.StatusServiceUnavailable:
				evicted.Add(1)
			default:
				t.Errorf("a slow upload is answered with %s", resp.Status)
			}
		})
	}
	for i, address := range []string{"127.0.0.7", "127.0.0.8"} {
		if answer, status := e.from(address).send(tokens[i], "painter.sh", sentPainter); status != http.StatusOK {
			t.Errorf("an upload from %s beside slow ones: status %d, %v", address, status, answer)
		}
	}
	slow.Wait()
	if late.Load() == 0 || evicted.Load() == 0 {
		t.Errorf("%d slow uploads ran out of time, and %d gave way", late.Load(), evicted.Load())
	}
	e.quit()
}
