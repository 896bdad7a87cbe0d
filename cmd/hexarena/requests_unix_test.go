//go:build unix && !darwin

package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// requester sends the requests of a transcript, which are a method, a path, and optionally a token
// or "-" and a body. It gives what is random a name where it first appears, by which later requests
// can mention it: the first identifier is ID1.
type requester struct {
	t     *testing.T
	url   string
	names map[string]string // by what is random
	port  string            // of the bots
	usual http.Header       // of the first answer
}

// random matches what differs between two runs, by kind.
var random = []struct {
	kind string
	text *regexp.Regexp
}{
	{"RECORDING", regexp.MustCompile(`\b\d{8}-\d{6}-[\w-]+\.hexarena`)},
	{"FOLDER", regexp.MustCompile(`[^ "]*/TestRequests\w+/\d+`)},
	{"ADDRESS", regexp.MustCompile(`\b127\.0\.0\.1:\d+`)},
	{"ID", regexp.MustCompile(`\b([A-Z2-7]{12}|[0-9a-f]{32})\b`)},
}

var (
	sizes  = regexp.MustCompile(`("(?:size|at|next)":|"phase":"playing","turn":)\d+`)
	rates  = regexp.MustCompile(`(?m)^(hexarena\S*) [\d.e+-]+$`)
	assets = regexp.MustCompile(`\b(assets/\w+)-[0-9a-f]{8}\b`)
	others = regexp.MustCompile(`(?m)^(# (HELP|TYPE) )?(go|process|promhttp)_.*\n`) // metrics
)

// named replaces what is random in a text.
func (r *requester) named(text string) string {
	for _, kind := range random {
		text = kind.text.ReplaceAllStringFunc(text, func(found string) string {
			if r.names[found] == "" {
				n := 1
				for _, name := range r.names {
					if strings.HasPrefix(name, kind.kind) {
						n++
					}
				}
				r.names[found] = kind.kind + strconv.Itoa(n)
			}
			return r.names[found]
		})
	}
	for _, mask := range []*regexp.Regexp{sizes, rates} {
		text = mask.ReplaceAllString(text, "${1} 0")
	}
	text = assets.ReplaceAllString(text, "$1-…")
	if r.port != "" {
		text = strings.ReplaceAll(text, r.port, "PORT")
	}
	return maskTimes(others.ReplaceAllString(text, ""))
}

// send sends a request and returns the status, the headers and the body of the answer.
func (r *requester) send(request string) string {
	r.t.Helper()
	for found, name := range r.names {
		request = regexp.MustCompile(`\b`+name+`\b`).ReplaceAllLiteralString(request, found)
	}
	words := strings.SplitN(request, " ", 4)
	if words[0] == "await" {
		r.await(words[1], request[strings.Index(request, words[1])+len(words[1])+1:])
		return ""
	}
	for len(words) < 4 {
		words = append(words, "")
	}
	req, err := http.NewRequest(words[0], r.url+words[1], strings.NewReader(words[3]))
	if err != nil {
		r.t.Fatal(err)
	}
	if words[2] != "" && words[2] != "-" {
		req.Header.Set("Authorization", "Bearer "+words[2])
	}
	if words[3] != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	answer, err := http.DefaultTransport.RoundTrip(req) // which follows no redirection
	if err != nil {
		r.t.Fatal(err)
	}
	defer answer.Body.Close()
	return fmt.Sprintln("=", answer.StatusCode) + r.named(r.headers(answer.Header)) + r.body(answer)
}

// await waits until the answer to a path holds a text.
func (r *requester) await(path, text string) {
	for range time.Tick(5 * time.Millisecond) {
		answer, err := http.Get(r.url + path)
		if err != nil {
			r.t.Fatal(err)
		}
		body, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if err != nil || bytes.Contains(body, []byte(text)) {
			return
		}
	}
}

// headers returns how headers differ from those of the first answer, of which it returns all.
func (r *requester) headers(h http.Header) string {
	for _, name := range []string{"Date", "Content-Length"} {
		h.Del(name)
	}
	for _, name := range []string{"Etag", "Last-Modified"} {
		if h.Get(name) != "" {
			h.Set(name, "…")
		}
	}
	if r.usual == nil {
		r.usual = http.Header{}
		defer func() { r.usual = h }()
	}
	var b strings.Builder
	all := maps.Clone(r.usual)
	maps.Copy(all, h)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if value := strings.Join(h[name], ", "); value != strings.Join(r.usual[name], ", ") {
			fmt.Fprintf(&b, "! %s: %s\n", name, value)
		}
	}
	return b.String()
}

// body returns the content of an answer, or the digest of a picture. The page is not in it, since
// it is another file after each change of its sources, nor is the description of the API, which is
// server/web/openapi.yaml.
func (r *requester) body(answer *http.Response) string {
	kind := answer.Header.Get("Content-Type")
	body, err := io.ReadAll(answer.Body)
	switch {
	case err != nil:
		r.t.Error(err)
		return ""
	case strings.HasPrefix(kind, "image/") && !strings.Contains(kind, "svg"):
		return fmt.Sprintf("> %x\n", sha256.Sum256(body))
	case !utf8.Valid(body), bytes.Contains(body, []byte(`<script type="module"`)),
		strings.HasPrefix(kind, "text/javascript"), strings.HasPrefix(kind, "text/css"),
		kind == "application/yaml":
		return "> …\n"
	}
	return marked(">", r.named(string(body)))
}

// compareRequests compares a transcript of requests to a server.
func compareRequests(t *testing.T, url, port, golden string) {
	t.Helper()
	r := &requester{t: t, url: url, port: port, names: map[string]string{}}
	compareTranscript(t, filepath.Join("testdata/requests", golden), r.send)
}

// TestRequestsOfServe sends each request that serve answers: while a match waits for players, and
// after it; and those for games of hexagonal tic-tac-toe.
func TestRequestsOfServe(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	old := readText(t, "testdata/lines/old/cup/matches/0.hexarena")
	for golden, settings := range map[string][]string{
		"serve.txt": strings.Fields(
			"--players=2 --turns=3 --order=seeded --pace=fast --delay-first-turn=50 --matches=2"),
		"games.txt": {"--game=hextictactoe"},
	} {
		records, tokens := t.TempDir(), filepath.Join(t.TempDir(), "tokens.txt")
		writeText(t, filepath.Join(records, "old.hexarena"), old)
		writeText(t, tokens, someTokens)
		page := ""
		startServer(t, func(port string) *exec.Cmd {
			page = "127.0.0.1:" + strconv.Itoa(freePort(t))
			args := []string{
				"serve", "--bind=127.0.0.1", "--port=" + port, "--http=" + page, "--seed=3",
				"--record=" + records, "--tokens=" + tokens, "--visualizations=0",
			}
			return command(t, append(args, settings...)...)
		})
		compareRequests(t, "http://"+page, "", golden)
	}
}

// TestRequestsOfCup sends the requests that the page of a cup answers.
func TestRequestsOfCup(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	_, url := shownCup(t, strings.Fields(
		"cup painter hunter random --seats=2 --turns=10 --seed=1 --count=6 --keep=all --jobs=1 "+
			"--out=cup")...)
	compareRequests(t, url, "", "cup.txt")
}

// TestRequestsOfEvent sends each request that an event answers, to one of 64acf433.
func TestRequestsOfEvent(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	dir := filepath.Join(t.TempDir(), "event")
	if err := os.CopyFS(dir, os.DirFS("testdata/lines/old/event")); err != nil {
		t.Fatal(err)
	}
	e := startEvent(t, dir, strings.Fields(
		"--rounds=operator --seats=2 --map=pebble --turns 6 --turn-timeout=5s --send=trusted")...)
	compareRequests(t, e.url, strconv.Itoa(e.port), "event.txt")
}

// Each operation of the API is in a transcript.
func TestRequestsAreComplete(t *testing.T) {
	t.Parallel()
	api := readText(t, "../../server/web/openapi.yaml")
	files, err := filepath.Glob("testdata/requests/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	var sent strings.Builder
	for _, name := range files {
		sent.WriteString(readText(t, name))
	}
	operation := regexp.MustCompile(`(?m)^  (/\S+):\n    (get|post|put|delete):`)
	for _, found := range operation.FindAllStringSubmatch(api, -1) {
		path := regexp.MustCompile(`\{\w+\}`).ReplaceAllString(found[1], `[^/\s]+`)
		request := regexp.MustCompile(
			`(?m)^\$ (HEAD|` + strings.ToUpper(found[2]) + `) ` + path + `(\?| |$)`)
		if !request.MatchString(sent.String()) {
			t.Errorf("no transcript in testdata/requests has %s %s", found[2], found[1])
		}
	}
}
