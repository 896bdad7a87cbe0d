package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/contest/stages"
	"github.com/hexarena/hexarena/server/event/state"
)

// heldBot answers turns from when it is released.
type heldBot struct{ released <-chan struct{} }

func (heldBot) Start(netorcai.GameStarts) error { return nil }
func (heldBot) End(netorcai.GameEnds)           {}

func (b heldBot) Turn(netorcai.Turn) ([]byte, error) {
	<-b.released
	return nil, nil
}

// awaitTeam waits until a condition holds for the answer about a team.
func (e *runningEvent) awaitTeam(token string, holds func(team map[string]any) bool) {
	e.t.Helper()
	for {
		team, status := e.ask(http.MethodGet, "/event/team", token, "")
		if status != http.StatusOK {
			e.t.Fatal(team)
		}
		if holds(team) {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// Practice begins at once, and is not rated. A round that is about to begin tells it so, and then
// has the bot play.
func TestEventPractice(t *testing.T) {
	t.Parallel()
	e := startEvent(t, filepath.Join(t.TempDir(), "event"), "--rounds", "operator", "--send", "off")
	tokens := e.signUp("Ann", "Bob")
	released := make(chan struct{})
	c, err := netorcai.Dial(t.Context(), e.addr, netorcai.Login{Nickname: "a", Role: netorcai.RolePlayer, Token: tokens[0], Stay: true})
	if err != nil {
		t.Fatal(err)
	}
	over := make(chan error, 1)
	go func() {
		over <- c.PlayAll(t.Context(), func(netorcai.GameStarts) (netorcai.Bot, error) { return heldBot{released}, nil })
	}()
	defer e.connect(t.Context(), tokens[1:])()
	ready := func(team map[string]any) bool { return team["ready"] == true }
	e.awaitTeam(tokens[0], ready)
	e.awaitTeam(tokens[1], ready)

	for body, says := range map[string]string{
		`{"against":[]}`: "name 1 to 3", `{"against":["unknown"]}`: "no built-in bot",
		`{"against":["sent:0123456789abcdef"]}`: "was not sent by the team", `x`: "is not like",
		`{"against":["random","random","random","random"]}`: "name 1 to 3",
	} {
		if answer, status := e.ask(http.MethodPost, "/event/practice", tokens[0], body); status < 400 ||
			!strings.Contains(fmt.Sprint(answer["error"]), says) {
			t.Errorf("%s: %d, %v, want %q", body, status, answer, says)
		}
	}
	// The bot of the other team plays to the end.
	if answer, status := e.ask(http.MethodPost, "/event/practice", tokens[1], `{"against":["painter"]}`); status != http.StatusOK {
		t.Fatal(answer)
	}
	e.awaitTeam(tokens[1], func(team map[string]any) bool { return team["practice"] == nil })

	if answer, status := e.ask(http.MethodPost, "/event/practice", tokens[0], `{"against":["painter","random"]}`); status != http.StatusOK || answer["match"] == "" {
		t.Fatal(answer)
	}
	if answer, status := e.ask(http.MethodPost, "/event/practice", tokens[0], `{"against":["painter"]}`); status != http.StatusConflict {
		t.Errorf("a second practice: %v", answer)
	}
	e.typeLines("round")
	e.awaitTeam(tokens[0], func(team map[string]any) bool {
		practice, _ := team["practice"].(map[string]any)
		return practice["ends"] != nil
	})
	if e.rows() != 0 {
		t.Error("a round has been played during practice")
	}
	if answer, status := e.ask(http.MethodPost, "/event/practice", tokens[1], `{"against":["painter"]}`); status != http.StatusConflict || !strings.Contains(fmt.Sprint(answer), "a round is about to begin") {
		t.Errorf("practice before a round: %v", answer)
	}
	close(released) // the practice may end by itself, and is cut otherwise
	e.awaitRows(1)
	e.awaitTeam(tokens[0],
		func(team map[string]any) bool { return ready(team) && team["practice"] == nil })
	e.quit()
	<-over
	if n := e.rows(); n != 1 {
		t.Errorf("%d matches are rated, want 1", n)
	}
	if recordings, _ := filepath.Glob(filepath.Join(e.dir, "matches", "*")); len(recordings) != 1 {
		t.Errorf("the recordings are %q", recordings)
	}
}

// At the deadline versions freeze. Official rounds follow each other by themselves, with versions
// that were sent and bots whose digest stays; one that says another digest does not play, and one
// that says none is not verified.
func TestEventFreezes(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	e := startEvent(t, filepath.Join(t.TempDir(), "event"), "--rounds", "operator", "--send", "off")
	tokens := e.signUp("Ann", "Bob", "Carl")
	connect := func(token, digest, bot string) *netorcai.Client {
		c, err := netorcai.Dial(t.Context(), e.addr, netorcai.Login{Nickname: "a", Role: netorcai.RolePlayer, Token: token, Stay: true, Code: digest})
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			_ = c.PlayAll(t.Context(), func(netorcai.GameStarts) (netorcai.Bot, error) { return gameList[0].NewBuiltin(bot, 1) })
		}()
		return c
	}
	ann := connect(tokens[0], "one", "painter")
	connect(tokens[1], "two", "random")
	connect(tokens[2], "", "random")
	for _, token := range tokens {
		e.awaitTeam(token, func(team map[string]any) bool { return team["ready"] == true })
	}
	e.typeLines("deadline soon", "deadline 0.5s")
	e.awaitTeam(tokens[0], func(team map[string]any) bool { return team["frozen"] == true })
	e.awaitRows(3)
	if answer, status := e.post("/admin/pause", e.admin, map[string]any{}); status != http.StatusOK {
		t.Fatal(answer)
	}
	n := -1
	// the round that is played is over: Ann's next bot does not take her seat in it
	for n != e.rows() {
		n = e.rows()
		for _, token := range tokens {
			e.awaitTeam(token, func(team map[string]any) bool { return team["ready"] == true })
		}
		time.Sleep(100 * time.Millisecond)
	}
	_ = ann.Close()
	e.awaitTeam(tokens[0], func(team map[string]any) bool { return team["ready"] == false })
	// again if a round had begun before the pause, in which another version plays for the team
	go func() {
		for t.Context().Err() == nil {
			c, err := netorcai.Dial(t.Context(), e.addr, netorcai.Login{Nickname: "a", Role: netorcai.RolePlayer, Token: tokens[0], Stay: true, Code: "changed"})
			if err != nil {
				return
			}
			err = c.PlayAll(t.Context(), func(netorcai.GameStarts) (netorcai.Bot, error) {
				return gameList[0].NewBuiltin(
					"painter", 1)
			})
			if kick := (*netorcai.KickError)(nil); !errors.As(err, &kick) ||
				!strings.HasPrefix(kick.Reason, "Versions are frozen") {
				return
			}
		}
	}()
	e.typeLines("resume")
	e.awaitRows(n + 2)
	var official state.Official
	if err := json.Unmarshal([]byte(e.get("/event/official")), &official); err != nil ||
		!official.Frozen || official.Matches < n {
		t.Fatal(official, err)
	}
	for _, p := range official.Teams {
		if p.Verified != (p.Name != "Carl") || p.Matches == 0 || p.Name == "Ann" && p.Matches > n+1 {
			t.Errorf("%+v, after %d matches with Ann", p, n)
		}
	}
	e.typeLines("thaw")
	e.awaitTeam(tokens[0], func(team map[string]any) bool { return team["ready"] == true })
	e.quit()
}

// The operator begins a final by a line on standard input or by the page: its matches are played at
// eight turns a second, change no standings, and end with a winner.
func TestEventFinal(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	e := startEvent(t, filepath.Join(t.TempDir(), "event"), "--rounds", "operator", "--send", "off")
	tokens := e.signUp("Ann", "Bob", "Carl")
	ctx, stop := context.WithCancel(t.Context())
	defer e.connect(ctx, tokens)()
	defer stop()
	for _, token := range tokens {
		e.awaitTeam(token, func(team map[string]any) bool { return team["ready"] == true })
	}
	e.typeLines("final knockout", "round")
	for _, token := range tokens { // the log has the match before the standings do
		e.awaitTeam(token, func(team map[string]any) bool {
			versions, _ := team["versions"].([]any)
			return len(versions) > 0 && team["ready"] == true
		})
	}
	official := e.get("/event/official")
	began := time.Now()
	if answer, status := e.post("/admin/final", e.admin, map[string]any{"format": "knockout", "teams": 2, "best": 2}); status != http.StatusOK {
		t.Fatal(answer)
	}
	var final struct{ Final *stages.View }
	for final.Final == nil || !final.Final.Over {
		if err := json.Unmarshal([]byte(e.get("/event/final")), &final); err != nil {
			t.Fatal(err)
		}
		time.Sleep(20 * time.Millisecond)
	}
	if took, least := time.Since(began), 6*time.Second/8; took < least {
		t.Errorf("a final of 6 turns took %v, want %v or more", took, least)
	}
	if f := final.Final; f.Stage != "final" || len(f.Places) != 2 || f.Best != 2 ||
		len(f.Tables) != 1 {
		t.Errorf("the final is %+v", f)
	}
	const over = "The final is over."
	for range time.Tick(10 * time.Millisecond) { // rounds pause after the last result
		if strings.Contains(e.get("/admin"), over) {
			break
		}
	}
	for _, path := range []string{"/admin", "/team/1"} {
		page := e.get(path)
		if !strings.Contains(page, over) || strings.Contains(page, "by the operator") {
			t.Errorf("%s after the final:\n%s", path, page)
		}
	}
	if now := e.get("/event/official"); now != official {
		t.Errorf("the final changes the official standings from %s to %s", official, now)
	}
	if n := e.rows(); n < 2 || n > 4 {
		t.Errorf("there are %d matches, want that of the round, perhaps of two tables, and up to two of "+
			"the final", n)
	}
	e.typeLines("final off", "final seven", "final knockout x", "quit")
	e.expectExit(0)

	if err := os.Truncate(filepath.Join(e.dir, "log.ndjson"), 0); err != nil {
		t.Fatal(err)
	}
	const want = "log.ndjson has 0: a part of the folder is lost"
	if code, _, stderr := hexarena("event", e.dir); code == 0 || !strings.Contains(stderr, want) {
		t.Errorf("without its log the event starts: exit code %d\n%s\nwant %s", code, stderr, want)
	}
}
