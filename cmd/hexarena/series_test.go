package main

import (
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/servertest"
)

// Matches follow one another on one port: a client that logs in again after a match is in
// the next one. Each match has its own recording, the page shows them all, and metrics
// count them all.
func TestServeMatchAfterMatch(t *testing.T) {
	t.Parallel()
	const matches, turns = 5, 3
	records := t.TempDir()
	var page string
	p := startServer(t, func(port string) *exec.Cmd {
		page = "127.0.0.1:" + strconv.Itoa(freePort(t))
		return command(t, "serve", "--bind=127.0.0.1", "--port="+port, "--http="+page, "--record="+records, "--matches="+strconv.Itoa(matches),
			"--nb-players-max=2", "--nb-visus-max=0", "--nb-turns-max="+strconv.Itoa(turns), "--autostart", "--fast")
	})
	for n := range matches {
		players := []*servertest.Client{servertest.Login(t, p.addr, "a", "player")}
		if n == matches-1 {
			checkPage(t, "http://"+page, matches-1, turns)
		}
		players = append(players, servertest.Login(t, p.addr, "b", "player"))
		for _, c := range players {
			c.Expect("GAME_STARTS")
		}
		for turn := range turns - 1 { // no player answers in the first turn
			for _, c := range players {
				c.Expect("TURN")
				c.Answer(turn, "[]")
			}
		}
		for _, c := range players {
			c.Expect("GAME_ENDS")
			c.ExpectKick("Game is finished")
		}
	}
	p.waitLine("Game is finished match=" + strconv.Itoa(matches))
	p.expectExit(0)
	verifiedIn(t, records, matches)
}

// checkPage checks the page when some matches are over and one is to come.
func checkPage(t *testing.T, url string, over, turns int) {
	t.Helper()
	metrics := string(received(t, url+"/metrics"))
	for _, want := range []string{
		`hexarena_matches_total{outcome="finished"} ` + strconv.Itoa(over),
		"hexarena_turns_total " + strconv.Itoa(over*turns),
		`hexarena_recordings_total{outcome="complete"} ` + strconv.Itoa(over),
		`hexarena_kicks_total{reason="Game is finished"} ` + strconv.Itoa(2*over),
	} {
		if !strings.Contains(metrics, "\n"+want+"\n") {
			t.Errorf("no metric %s in\n%s", want, metrics)
		}
	}
	var matches []struct{ Phase string }
	if fetch(t, url+"/api/matches", &matches); len(matches) != over+1 {
		t.Errorf("matches: %+v; want %d and one to come", matches, over)
	}
	received(t, url+"/readyz")
}

// The starter with --stay plays all matches of a series over one connection.
func TestStarterStays(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		thorough.Lack(t, "no Python to run the starter")
	}
	file := starterIn(t, t.TempDir(), "stayer.py")
	p := startServe(t, "--players", "1", "--visualizations", "0", "--turns", "3", "--autostart",
		"--pace", "fast", "--matches", "3", "--record", "", "--debug")
	bot := exec.Command(python, file, "127.0.0.1", strconv.Itoa(p.port), "--stay")
	out, err := bot.CombinedOutput()
	if err != nil || strings.Count(string(out), "I was player") != 3 {
		t.Errorf("the starter ends with %v, want 3 matches:\n%s", err, out)
	}
	p.expectExit(0)
}
