package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/event"
)

// runningEvent is a running event of a test, whose log of results the test can look at.
type runningEvent struct {
	*process
	dir, url, admin string
}

// startEvent starts an event in a folder, or one that goes on.
func startEvent(t *testing.T, dir string, args ...string) *runningEvent {
	t.Helper()
	return startEventBy(t, func(args ...string) *exec.Cmd { return command(t, args...) }, dir, args...)
}

// startEventBy starts it by a command that is made for the arguments.
func startEventBy(t *testing.T, command func(args ...string) *exec.Cmd, dir string, args ...string) *runningEvent {
	t.Helper()
	port := freePort(t)
	if !slices.Contains(args, "--turns") {
		args = append(args, "--turns", "6", "--turn-timeout", "5m")
	}
	args = append([]string{"event", dir, "--bind", "127.0.0.1", "--port", strconv.Itoa(port)}, args...)
	e := &runningEvent{process: start(t, command(args...)), dir: dir, url: fmt.Sprintf("http://127.0.0.1:%d", port)}
	e.port, e.addr = port, fmt.Sprintf("127.0.0.1:%d", port)
	for _, kind := range []string{"screen", "join", "admin"} {
		line := e.nextLine()
		if want := e.url + "/" + kind; !strings.HasPrefix(line, kind) || !strings.Contains(line, want) {
			t.Fatalf("the line %q, want %s", line, want)
		}
		_, e.admin, _ = strings.Cut(line, "#")
	}
	return e
}

// get returns a page.
func (e *runningEvent) get(path string) string {
	e.t.Helper()
	text, status := e.fetch(http.MethodGet, path, "", "")
	if status != http.StatusOK {
		e.t.Fatalf("GET %s: status %d", path, status)
	}
	return string(text)
}

// fetch sends a request with a token, "" for none, and returns the answer and its status.
func (e *runningEvent) fetch(method, path, token, body string) (text []byte, status int) {
	e.t.Helper()
	req, err := http.NewRequest(method, e.url+path, strings.NewReader(body))
	if err != nil {
		e.t.Fatal(err)
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		e.t.Fatal(err)
	}
	defer resp.Body.Close()
	if text, err = io.ReadAll(resp.Body); err != nil {
		e.t.Fatal(err)
	}
	return text, resp.StatusCode
}

// post sends a form, and returns the answer and its status.
func (e *runningEvent) post(path, token string, form map[string]any) (answer map[string]any, status int) {
	e.t.Helper()
	text, _ := json.Marshal(form)
	return e.ask(http.MethodPost, path, token, string(text))
}

// code returns the code that the screen shows.
func (e *runningEvent) code() string {
	e.t.Helper()
	var screen struct{ Code string }
	if err := json.Unmarshal([]byte(e.get("/screen.json")), &screen); err != nil || len(screen.Code) != 6 {
		e.t.Fatalf("the screen has the code %q, %v", screen.Code, err)
	}
	return screen.Code
}

// signUp adds teams by the page, and returns their tokens.
func (e *runningEvent) signUp(names ...string) (tokens []string) {
	e.t.Helper()
	code := e.code()
	for _, name := range names {
		answer, status := e.post("/join", "", map[string]any{"name": name, "code": code})
		if status != http.StatusOK {
			e.t.Fatalf("%s cannot join: %v", name, answer)
		}
		tokens = append(tokens, answer["token"].(string))
	}
	return tokens
}

// connect has a bot log in for each token, and play until it is kicked or the event is gone. Every second one sends
// the token as its nickname, and connects again after each match. The function that is returned waits for all.
func (e *runningEvent) connect(ctx context.Context, tokens []string) (wait func()) {
	var bots sync.WaitGroup
	for i, token := range tokens {
		login := netorcai.Login{Nickname: "bot", Role: netorcai.RolePlayer, Token: token, Stay: i%2 == 0}
		if !login.Stay {
			login.Nickname, login.Token = token, ""
		}
		bots.Go(func() {
			for {
				c, err := netorcai.Dial(ctx, e.addr, login)
				if err != nil {
					return
				}
				painter := func(netorcai.GameStarts) (netorcai.Bot, error) { return gameList[0].NewBuiltin("painter", uint64(i)) }
				if login.Stay {
					err = c.PlayAll(ctx, painter)
				} else if bot, failed := painter(netorcai.GameStarts{}); failed == nil {
					err = c.Play(ctx, bot)
				}
				_ = c.Close()
				if err != nil {
					return
				}
			}
		})
	}
	return bots.Wait
}

// ask sends a request with a token, and returns the answer, which is JSON, and its status.
func (e *runningEvent) ask(method, path, token, body string) (answer map[string]any, status int) {
	e.t.Helper()
	text, status := e.fetch(method, path, token, body)
	if err := json.Unmarshal(text, &answer); err != nil {
		e.t.Fatalf("%s %s: status %d, %v", method, path, status, err)
	}
	return answer, status
}

// ownPage returns a page that needs a token.
func (e *runningEvent) ownPage(path, token string) string {
	e.t.Helper()
	req, err := http.NewRequest(http.MethodGet, e.url+path, nil)
	if err != nil {
		e.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		e.t.Fatal(err)
	}
	defer resp.Body.Close()
	var text strings.Builder
	if err := resp.Write(&text); err != nil {
		e.t.Fatal(err)
	}
	return text.String()
}

// rows returns how many matches the log has.
func (e *runningEvent) rows() int {
	e.t.Helper()
	text, err := os.ReadFile(filepath.Join(e.dir, "log.ndjson"))
	if err != nil {
		e.t.Fatal(err)
	}
	return rowsOf(text)
}

// awaitRows waits until the log has this many matches.
func (e *runningEvent) awaitRows(n int) {
	e.t.Helper()
	for range time.Tick(5 * time.Millisecond) {
		if e.rows() >= n {
			return
		}
	}
}

// folded returns the event of a folder as its logs have it, read from a copy. It fails the test if a match is there twice.
func folded(t *testing.T, dir string) event.View {
	t.Helper()
	copied := t.TempDir()
	if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	c, err := archive.Open(copied)
	if err != nil {
		t.Fatal(err)
	}
	e, err := event.Open(event.Options{Dir: copied, Plan: *c.Plan})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	return e.View()
}

var shownMatch = regexp.MustCompile(`Match (\d+)`)

// An event that is killed again and again, between rounds and during them, goes on each time: the tokens are the same, no match
// that was shown is lost, and none is played twice. Interrupted, it ends cleanly, and the commands of cups read its folder.
func TestEventKilled(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "event")
	rounds := []string{"--rounds", "ready"}
	e := startEvent(t, dir, rounds...)
	tokens := e.signUp("Ann", "Bob", "Carl", "Dora", "Eva", "The Hexagon Breakers")
	var before []byte
	for kill := range thorough.Size(3, 20) {
		ctx, stop := context.WithCancel(t.Context())
		wait := e.connect(ctx, tokens)
		e.awaitRows(2*kill + 1 + kill%3)
		shown := 0
		if m := shownMatch.FindStringSubmatch(e.get("/admin?part=live")); m != nil {
			shown, _ = strconv.Atoi(m[1])
		}
		_ = e.Process.Kill()
		e.readRest()
		_ = e.Wait()
		stop()
		wait()
		text, err := os.ReadFile(filepath.Join(dir, "log.ndjson"))
		if err != nil || !bytes.HasPrefix(text, before) || rowsOf(text) < shown {
			t.Fatalf("after kill %d, %v, the log has %d matches, of %d that were shown:\n%s", kill+1, err, rowsOf(text), shown, text)
		}
		before = text[:bytes.LastIndexByte(text, '\n')+1]
		if v := folded(t, dir); v.Matches != rowsOf(before) || len(v.Standings) != len(tokens) {
			t.Errorf("after kill %d the event has %d matches and %d teams", kill+1, v.Matches, len(v.Standings))
		}
		e = startEvent(t, dir, rounds...)
	}
	ctx, stop := context.WithCancel(t.Context())
	wait := e.connect(ctx, tokens)
	e.awaitRows(rowsOf(before) + 4)
	if runtime.GOOS == "windows" {
		e.typeLines("quit")
	} else if err := e.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	e.expectExit(0)
	stop()
	wait()
	out, err := command(t, "cup", "show", dir, "--csv").Output()
	if err != nil || !strings.Contains(string(out), "TheHexagon") || strings.Count(string(out), "\n") < len(tokens) {
		t.Errorf("cup show prints %v\n%s", err, out)
	}
	site := filepath.Join(t.TempDir(), "site")
	if out, err := command(t, "cup", "export", dir, "--out", site).CombinedOutput(); err != nil || !strings.Contains(string(out), fmt.Sprintf("Wrote %d matches", e.rows())) {
		t.Errorf("cup export prints %v\n%s", err, out)
	}
}

// The operator begins rounds by a line on standard input and by the page, which needs its token, lets a team rest and pauses. Built-in
// bots fill the seats that two teams leave.
func TestEventOperated(t *testing.T) {
	t.Parallel()
	e := startEvent(t, filepath.Join(t.TempDir(), "event"), "--rounds", "operator")
	tokens := e.signUp("Ann", "Bob & <b>", "Carl")
	ctx, stop := context.WithCancel(t.Context())
	defer e.connect(ctx, tokens)()
	defer stop()
	await := func(text string) {
		t.Helper()
		for range time.Tick(5 * time.Millisecond) {
			if strings.Contains(e.get("/admin?part=live"), text) {
				return
			}
		}
	}
	await("3 of 3 teams ready")
	e.typeLines("round")
	e.awaitRows(1)
	await("3 of 3 teams ready")
	if answer, status := e.post("/admin/round", tokens[0], nil); status != http.StatusForbidden {
		t.Errorf("a team operates the event: %v", answer)
	}
	for _, act := range []string{"rest", "pause"} {
		if answer, status := e.post("/admin/"+act, e.admin, map[string]any{"team": 2}); status != http.StatusOK {
			t.Errorf("%s: %v", act, answer)
		}
	}
	await("2 of 3 teams ready")
	await("paused by the operator")
	await("Bob &amp; &lt;b&gt;")
	if _, status := e.post("/admin/round", e.admin, map[string]any{}); status != http.StatusOK {
		t.Error("no round can be begun")
	}
	e.awaitRows(2)
	for form, want := range map[string]int{"/admin/rest": http.StatusConflict, "/admin/void": http.StatusConflict, "/admin/dance": http.StatusNotFound} {
		if answer, status := e.post(form, e.admin, map[string]any{"team": 99, "match": 99}); status != want || answer["error"] == "" {
			t.Errorf("%s: %d, %v", form, status, answer)
		}
	}
	await("(built-in)")
	text, err := os.ReadFile(filepath.Join(e.dir, "log.ndjson"))
	if err != nil || strings.Contains(strings.Split(string(text), "\n")[1], "Carl") {
		t.Errorf("a team that rests has played: %v\n%s", err, text)
	}
	e.typeLines("dance", "quit")
	e.expectExit(0)
}

// Wrong settings prevent the start, with all that is wrong.
func TestEventWrong(t *testing.T) {
	t.Parallel()
	for want, args := range map[string][]string{
		"--rounds soon: want": {"--rounds", "soon"}, "--seats 9: want 2 to": {"--seats", "9"}, "--pairing odd": {"--pairing", "odd"},
		"no built-in bots": {"--game", "external"},
	} {
		out, err := command(t, append([]string{"event", t.TempDir()}, args...)...).CombinedOutput()
		exit := new(exec.ExitError)
		if !errors.As(err, &exit) || exit.ExitCode() != exitUsage || !strings.Contains(string(out), want) {
			t.Errorf("%q: %v\n%s", args, err, out)
		}
	}
}
