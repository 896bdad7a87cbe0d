package main

import (
	"encoding/json"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"testing"
)

// Built-in bots take the free seats, and the match is played.
func TestServeFillsSeats(t *testing.T) {
	t.Parallel()
	p := startServer(t, func(port string) *exec.Cmd {
		return command(t, "serve", "--bind", "127.0.0.1", "--port", port, "--http", "127.0.0.1:0", "--fast",
			"--nb-players-max", "3", "--nb-splayers-max", "1", "--nb-visus-max", "0", "--nb-turns-max", "20", "--map", "lagoon")
	})
	api := "http://" + p.addr + "/api/"
	post := func(what string) (status int) {
		t.Helper()
		answer, err := http.Post(api+"match/"+what, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		return answer.StatusCode
	}
	present := func() (n int) {
		t.Helper()
		var lobby struct{ Present []json.RawMessage }
		fetch(t, api+"match", &lobby)
		return len(lobby.Present)
	}
	for range 2 { // the second call has no seat to fill
		if status := post("fill"); status != http.StatusOK || present() != 4 {
			t.Fatalf("fill: %d, %d bots are there, want 4", status, present())
		}
	}
	if status := post("start"); status != http.StatusOK {
		t.Fatalf("start: %d", status)
	}
	if said := strings.Join(p.readRest(), "\n"); !strings.Contains(said, "Game is finished") {
		t.Errorf("the match: %s", said)
	}
	p.expectExit(0)
}

// Built-in bots need no token of the list.
func TestFillWithTokens(t *testing.T) {
	t.Parallel()
	p, page, _ := startWithTokens(t)
	for token, want := range map[string]int{
		"AAAAAAAAAA": http.StatusUnauthorized, "OOOOOOOOOO": http.StatusOK,
	} {
		req, err := http.NewRequest("POST", "http://"+page+"/api/match/fill", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+token)
		answer, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("fill with %s: %d %s, want %d", token, answer.StatusCode, body, want)
		}
	}
	p.typeLines("start")
	if said := strings.Join(p.readRest(), "\n"); !strings.Contains(said, "Game is finished") {
		t.Errorf("the match: %s", said)
	}
	p.expectExit(0)
}
