package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/contest/results"
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
func startEventBy(
	t *testing.T, command func(args ...string) *exec.Cmd, dir string, args ...string,
) *runningEvent {
	t.Helper()
	return startEventAt(t, freePort(t), command, dir, args...)
}

// startEventAt starts it at a port.
func startEventAt(
	t *testing.T, port int, command func(args ...string) *exec.Cmd, dir string, args ...string,
) *runningEvent {
	t.Helper()
	if !slices.Contains(args, "--turns") {
		args = append(args, "--turns", "6", "--turn-timeout", "5m")
	}
	args = append([]string{"event", dir, "--bind", "127.0.0.1", "--port", strconv.Itoa(port)}, args...)
	e := &runningEvent{
		process: start(t, command(args...)), dir: dir, url: fmt.Sprintf("http://127.0.0.1:%d", port),
	}
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
func (e *runningEvent) post(
	path, token string, form map[string]any,
) (answer map[string]any, status int) {
	e.t.Helper()
	text, _ := json.Marshal(form)
	return e.ask(http.MethodPost, path, token, string(text))
}

// code returns the code that the screen shows.
func (e *runningEvent) code() string {
	e.t.Helper()
	var screen struct{ Code string }
	if err := json.Unmarshal([]byte(e.get("/screen.json")), &screen); err != nil ||
		len(screen.Code) != 8 {
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

// connect logs a bot in for each token, which plays until it is kicked or the event is gone. Every
// second one sends the token as its nickname, and connects again after each match. The function
// that is returned waits for all.
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
				painter := func(netorcai.GameStarts) (netorcai.Bot, error) {
					return gameList[0].NewBuiltin(
						"painter", uint64(i))
				}
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

// text returns what a path answers to a request with a token.
func (e *runningEvent) text(path, token string) string {
	e.t.Helper()
	text, _ := e.fetch(http.MethodGet, path, token, "")
	return string(text)
}

// awaitReady waits until this many teams are ready.
func (e *runningEvent) awaitReady(teams int) {
	e.t.Helper()
	for range time.Tick(5 * time.Millisecond) {
		if strings.Contains(e.get("/screen.json"), fmt.Sprintf(`"ready":%d,`, teams)) {
			return
		}
	}
}

// toldVersion is a version as a team is told of it.
type toldVersion struct {
	Version, File, State, Reason string
	Matches, Forfeits            int
}

// versions returns a team's versions, the newest first, and what plays for it.
func (e *runningEvent) versions(token string) (list []toldVersion, plays string) {
	e.t.Helper()
	answer, status := e.ask(http.MethodGet, "/event/team", token, "")
	if status != http.StatusOK {
		e.t.Fatal(answer)
	}
	text, _ := json.Marshal(answer["versions"])
	if err := json.Unmarshal(text, &list); err != nil {
		e.t.Fatal(err)
	}
	plays, _ = answer["plays"].(string)
	return list, plays
}

// output returns the output of a team's version in its last match.
func (e *runningEvent) output(token string) string {
	e.t.Helper()
	text, _ := e.fetch(http.MethodGet, "/event/output", token, "")
	return string(text)
}

// awaitPage waits until a page holds some texts.
func (e *runningEvent) awaitPage(path string, texts ...string) {
	e.t.Helper()
	for range time.Tick(20 * time.Millisecond) {
		page := e.get(path)
		if !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(page, text) }) {
			return
		}
	}
}

// lastRow returns the last match of the log.
func (e *runningEvent) lastRow() (row results.Row) {
	e.t.Helper()
	text, err := os.ReadFile(filepath.Join(e.dir, "log.ndjson"))
	if err != nil {
		e.t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &row); err != nil {
		e.t.Fatal(err)
	}
	return row
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
