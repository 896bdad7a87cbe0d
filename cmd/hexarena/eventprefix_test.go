package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// below starts a reverse proxy that shows a server below /arena, and returns its address.
func below(t *testing.T, port int) string {
	t.Helper()
	target := &url.URL{Scheme: "http", Host: fmt.Sprintf("127.0.0.1:%d", port)}
	proxy := httputil.NewSingleHostReverseProxy(target)
	mux := http.NewServeMux()
	mux.Handle("/arena/", http.StripPrefix("/arena", proxy))
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL + "/arena"
}

var fileOf = regexp.MustCompile(`(?:src|href)="([^"#]+\.(?:js|css))"`)

// The pages of an event load their files below the path of a proxy, teams sign up and join there,
// and the addresses that the event prints have the path.
func TestEventBelowAPath(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	port := freePort(t)
	at := below(t, port)
	args := []string{
		"event", filepath.Join(t.TempDir(), "event"), "--bind=127.0.0.1", fmt.Sprintf("--port=%d", port),
		"--rounds=operator", "--send=off", "--url=" + at + "/", "--trusted-proxies=127.0.0.1",
	}
	e := &runningEvent{process: start(t, command(t, args...)), url: at}
	e.t = t
	for _, kind := range []string{"screen", "join", "admin"} {
		line := e.waitLine(kind)
		if !strings.Contains(line, at+"/"+kind) {
			t.Errorf("it prints %q, want %s/%s", line, at, kind)
		}
		_, e.admin, _ = strings.Cut(line, "#")
	}
	tokens := e.signUp("Ann")
	for _, page := range []string{"/", "/join", "/screen", "/admin", "/team/Ann"} {
		text := e.get(page)
		from, err := url.Parse(at + page)
		if err != nil {
			t.Fatal(err)
		}
		files := fileOf.FindAllStringSubmatch(text, -1)
		for _, file := range files {
			found, _ := from.Parse(file[1])
			answer, err := http.Get(found.String())
			if err != nil || answer.StatusCode != http.StatusOK {
				t.Errorf("%s asks for %s: %v, %v", page, found, answer.Status, err)
			}
			_ = answer.Body.Close()
		}
		if len(files) < 2 {
			t.Errorf("%s has the files %q, want a script and styles", page, files)
		}
	}
	e.url = strings.Replace(at, "127.0.0.1", "localhost", 1)
	own, _ := e.fetch(http.MethodGet, "/team/1/own", tokens[0], "")
	if want := fmt.Sprintf(" 127.0.0.1 %d --token", port); !strings.Contains(string(own), want) {
		t.Errorf("bots are to connect to another address than %q:\n%s", want, own)
	}
	e.url = at
	python, err := exec.LookPath("python3")
	if err != nil {
		thorough.Lack(t, err)
	}
	dir := t.TempDir()
	if out, err := commandIn(t, dir, "new", "my_bot.py").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	start(t, commandIn(t, dir, "join", at+"/team/Ann#token="+tokens[0], python+" my_bot.py"))
	e.awaitTeam(tokens[0], func(team map[string]any) bool { return team["ready"] == true })
	e.quit()
}

// An address of the pages that cannot work, and a folder that is not there, are refused in words.
func TestEventPlacesRefused(t *testing.T) {
	t.Parallel()
	for flag, want := range map[string]string{
		"--url=arena.example":     "--url arena.example: want the address of the pages",
		"--url=ftp://x":           "--url ftp://x: want the address of the pages",
		"--url=http://":           "--url http://: want the address of the pages",
		"--url=http://x/?a=b":     "--url http://x/?a=b: want the address of the pages",
		"--binaries=/nope":        "--binaries /nope: want a folder",
		"--trusted-proxies=a.b.c": `trusted-proxies = "a.b.c"`,
	} {
		cmd := command(t, "event", filepath.Join(t.TempDir(), "event"), flag)
		var said bytes.Buffer
		cmd.Stderr = &said
		err := cmd.Run()
		if code := cmd.ProcessState.ExitCode(); code != 2 || !strings.Contains(said.String(), want) {
			t.Errorf("%s: exit code %d (%v), %s; want 2 and %q", flag, code, err, &said, want)
		}
	}
}
