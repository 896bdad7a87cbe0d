//go:build unix

package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// examCSV returns the table of the exam as the operator saves it.
func (e *runningEvent) examCSV() string {
	e.t.Helper()
	text, status := e.fetch(http.MethodGet, "/admin/exam.csv", e.admin, "")
	if status != http.StatusOK {
		e.t.Fatalf("status %d\n%s", status, text)
	}
	return string(text)
}

// Versions that teams send take the exam between the rounds, which go on as without it and rate
// nothing of it. A mark that one version has passed stands when a worse one is sent and when the
// event is killed; the operator gets all results.
func TestEventExam(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	folder := t.TempDir()
	writeText(t, filepath.Join(folder, "exam.yaml"),
		"turns: 6\nturn-timeout: 5m\nmaps: [pebble]\nseeds: 1-2\nmarks:\n  random: 1%\n  painter: 100%\n")
	dir := filepath.Join(folder, "event")
	options := []string{
		"--rounds", "operator", "--send", "trusted", "--map", "pebble", "--seats", "2", "--exam",
		filepath.Join(folder, "exam.yaml"),
	}
	e := startEvent(t, dir, options...)
	tokens := e.signUp("Ann", "Bob", "Cy")
	e.awaitPage("/team/Ann", "<h2>Exam</h2>", "random", "1 %", "not passed yet")
	for _, token := range tokens[:2] {
		if out, code := e.send(token, scriptBot(t, "painter.sh", sentPainter)); code != 0 {
			t.Fatal(out)
		}
	}
	const passed = `<span class="ok">passed</span>`
	for _, path := range []string{"/team/Ann", "/team/Bob"} {
		e.awaitPage(path, passed, "not passed yet", "of 4 matches")
	}
	if n := e.rows(); n != 0 {
		t.Errorf("the exam has left %d rated matches", n)
	}
	e.typeLines("round")
	e.awaitRows(1)
	if out, code := e.send(tokens[0], scriptBot(t, "random.sh", strings.ReplaceAll(sentPainter, "painter", "random"))); code != 0 {
		t.Fatal(out)
	}
	once := filepath.Join(folder, "once") // it plays its test match, and fails in the exam
	late := scriptBot(
		t, "late.sh",
		fmt.Sprintf("#!/bin/sh\nmkdir %s || { echo why it failed; exit 4; }\nexec hexarena bot painter "+
			"--port $BOT_PORT\n", once),
	)
	if out, code := e.send(tokens[1], late); code != 0 {
		t.Fatal(out)
	}
	for { // until both versions of both have taken it, and the team is told, which follows the log
		acts, _ := os.ReadFile(filepath.Join(dir, "acts", "log.ndjson"))
		answer, _ := e.ask(http.MethodGet, "/event/team", tokens[1], "")
		if strings.Count(string(acts), `"act":"exam"`) == 4 &&
			strings.Contains(fmt.Sprint(answer["exam"]), "why it failed") {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	e.checkPrivate(tokens, "planted-secret", "why it failed")
	_ = e.Process.Kill()
	e.readRest()
	_ = e.Wait()

	e = startEvent(t, dir, options...)
	e.awaitPage("/team/Ann", passed, "not passed yet")
	if csv := e.examCSV(); !strings.Contains(csv, "submission,passed,random (mark 1),painter (mark 100)") || !strings.Contains(csv, "Ann,false,") ||
		!strings.Contains(csv, "Cy,false,,,it has sent no version that has taken the exam") {
		t.Errorf("the table is\n%s", csv)
	}
	if answer, status := e.ask(http.MethodGet, "/admin/exam.csv", tokens[0], ""); status != http.StatusForbidden {
		t.Errorf("a team gets the table of all: %d, %v", status, answer)
	}
	e.quit()
}

// An exam that cannot be taken is refused with the reason.
func TestEventExamRefused(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	folder := t.TempDir()
	good, other, wrong := filepath.Join(folder, "good.yaml"), filepath.Join(folder, "other.yaml"), filepath.Join(folder, "wrong.yaml")
	writeText(t, good, "seeds: 1\nmarks:\n  random: 50%\n")
	writeText(t, other, "game: hextictactoe\nseeds: 1\nmarks:\n  nearest: 50%\n")
	writeText(t, wrong, "seeds: 1\nmarks:\n  random: half\n")
	for _, tt := range []struct{ send, file, says string }{
		{"off", good, "here they cannot send any, since the operator has switched it off"},
		{"browser", good, "--send browser: want auto, isolated, trusted or off"},
		{"trusted", other, "is of the game hextictactoe, and the event plays hexabomb"},
		{"trusted", wrong, "is no mark against random"},
		{"trusted", filepath.Join(folder, "missing.yaml"), "missing.yaml"},
	} {
		code, stdout, stderr := hexarena("event", filepath.Join(folder, "event"), "--port", fmt.Sprint(freePort(t)), "--send", tt.send, "--exam", tt.file)
		if code != exitUsage || !strings.Contains(stderr, tt.says) {
			t.Errorf("%s: exit code %d, want %q\n%s%s", tt.file, code, tt.says, stdout, stderr)
		}
	}
}
