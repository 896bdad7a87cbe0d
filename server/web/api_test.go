package web_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/machine/netconn"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/servertest"
	"github.com/hexarena/hexarena/server/web"
)

func TestAPI(t *testing.T) {
	s := newStage(t)
	s.begin()
	s.play(3) // turns 1 to 4
	for _, test := range []struct {
		method, path string
		status       int
		body         string // a regular expression
	}{
		{"GET", "/healthz", 200, `{"status":"ok"}`},
		{"GET", "/readyz", 200, `{"status":"ready"}`},
		{"GET", "/api/health", 200, `"phase":"playing","plays_on":false,"status":"ok","tokens":false,"turn":4,"url":"","version":"test","viewers":0`},
		{"GET", "/api/match", 200, `^{"type":"start","id":"` + s.feed.ID() + `".*"seats":\[.*"phase":"playing","turn":4}$`},
		{"GET", "/api/map", 200, `"initial_positions"`},
		{"GET", "/api/match?match=" + s.feed.ID(), 200, `^{"type":"start","id":"` + s.feed.ID() + `"`},
		{"GET", "/api/matches", 200, `^\[{"id":"` + s.feed.ID() + `","game":"hexabomb","map":"lagoon","phase":"playing","turn":4,"turns":60000,"players":\[{"name":"bot.*"result":null,"recording":"","addresses":\[\],"current":true,"may":\[\],"for_page":false}\]$`},
		{"GET", "/api/starter", 200, `^print\("hello"\)$`},
		{"GET", "/api/starters?game=toy", 200, `^\["toy"\]$`},
		{"GET", "/api/match?match=x", 404, `no such match`},
		{"GET", "/api/match/end?match=x", 404, `no such match`},
		{"GET", "/api/match/end?seed=1", 404, `no such match`},
		{"GET", "/api/match/end?seed=x", 400, `seed=\\"x\\"`},
		{"GET", "/api/map?match=x", 404, `no such match`},
		{"GET", "/api/match/events?match=x", 404, `no such match`},
		{"GET", "/api/match/state?match=x", 404, `no such match`},
		{"GET", "/api/live?match=x", 404, `no such match`},
		{"POST", "/api/match/start?match=x", 404, `no such match`},
		{"POST", "/api/match/again", 409, `cannot be played again`},
		{"POST", "/api/match/fill", 409, `no bots`},
		{"GET", "/api/match/events?from=2&to=4", 200, "^{\"type\":\"turn\",\"turn\":2,.*\n{\"type\":\"turn\",\"turn\":3,.*\n$"},
		{"GET", "/api/match/events?from=7", 200, "^$"},
		{"GET", "/api/openapi.yaml", 200, `^openapi: 3`},
		{"GET", "/api/match/state?turn=5", 404, `"turn 5: .*newest is 4`},
		{"GET", "/api/match/state?turn=-1", 400, `turn=\\"-1\\" is not a whole number`},
		{"GET", "/api/match/state?turn=9999999999", 400, `whole number`},
		{"GET", "/api/match/events?from=x", 400, `from=`},
		{"GET", "/api/recordings", 404, `recordings are off`},
		{"GET", "/api/recordings/x", 404, `recordings are off`},
		{"POST", "/api/recordings/x/analysis", 404, `no games are judged here`},
		{"GET", "/api/nothing", 404, `there is no /api/nothing`},
		{"GET", "/api/live", 400, `upgrade`},
		{"GET", "/nothing", 404, `there is no /nothing`},
		{"GET", "/../server.go", 404, `there is no`},
		{"POST", "/api/match", 405, `allows GET, HEAD`},
		{"GET", "/api/match/start", 405, `allows POST`},
		{"DELETE", "/", 405, `allows GET, HEAD`},
		{"POST", "/api/match/start", 200, `"id":`},
	} {
		status, body, header := s.do(test.method, test.path, nil)
		if status != test.status || !regexp.MustCompile(test.body).MatchString(body) {
			t.Errorf("%s %s: %d %.300s, want %d %s", test.method, test.path, status, body, test.status,
				test.body)
		}
		if kind := header.Get("Content-Type"); status >= 400 &&
			(kind != "application/json" || !strings.HasPrefix(body, `{"error":"`)) {
			t.Errorf("%s %s: error %s as %s", test.method, test.path, body, kind)
		}
		if status == http.StatusMethodNotAllowed && header.Get("Allow") == "" {
			t.Errorf("%s %s: no Allow", test.method, test.path)
		}
		for _, name := range []string{
			"Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy",
		} {
			if header.Get(name) == "" {
				t.Errorf("%s %s: no %s", test.method, test.path, name)
			}
		}
		if got := header.Get("Cache-Control"); got != "no-store" &&
			!strings.HasPrefix(test.path, "/../") {
			t.Errorf("%s %s: Cache-Control %q, want no-store", test.method, test.path, got)
		}
		if test.method == "GET" && status == 200 {
			if status, body, _ := s.do("HEAD", test.path, nil); status != 200 || body != "" {
				t.Errorf("HEAD %s: %d %q, want 200 and nothing", test.path, status, body)
			}
		}
	}
	for turn := range 5 {
		if _, body, _ := s.get(fmt.Sprint("/api/match/state?turn=", turn)); !sameJSON([]byte(body), []byte(s.state(turn))) {
			t.Errorf("state after turn %d: %s, want %s", turn, body, s.state(turn))
		}
	}
	if _, body, _ := s.get("/api/match/state"); !sameJSON([]byte(body), []byte(s.state(4))) {
		t.Errorf("newest state: %s, want %s", body, s.state(4))
	}
}

func TestWithoutMapAndStart(t *testing.T) {
	s := newStage(t, func(_ *web.Options, m *web.Match, _ *match.Options) {
		m.Map = nil
		m.Start = func() error { return match.ErrNoReferee }
	})
	if status, body, _ := s.get("/api/map"); status != 404 {
		t.Errorf("map: %d %s, want 404", status, body)
	}
	if status, body, _ := s.do("POST", "/api/match/start", nil); status != 409 ||
		!strings.Contains(body, match.ErrNoReferee.Error()) {
		t.Errorf("start: %d %s, want 409", status, body)
	}
	if status, body, _ := s.get("/api/match/state"); status != 404 {
		t.Errorf("state before the start: %d %s, want 404", status, body)
	}
	empty := newStage(t, func(_ *web.Options, _ *web.Match, o *match.Options) { o.NeedPlayer = true })
	if status, body, _ := empty.do("POST", "/api/match/start", nil); status != 409 ||
		!strings.Contains(body, match.ErrNoPlayers.Error()) {
		t.Errorf("start without a player: %d %s, want 409", status, body)
	}
}

// The description contains exactly the server's operations, with their parameters and
// responses.
func TestOpenAPI(t *testing.T) {
	s := newStage(t)
	_, body, _ := s.get("/api/openapi.yaml")
	var doc struct {
		Paths map[string]map[string]struct {
			Summary    string
			Responses  map[string]any
			Parameters []struct{ Name, In string }
		}
		Components struct{ Schemas, Responses, Parameters map[string]any }
	}
	if err := yaml.Unmarshal([]byte(body), &doc); err != nil {
		t.Fatal(err)
	}
	var described []string
	for path, operations := range doc.Paths {
		for method, o := range operations {
			described = append(described, strings.ToUpper(method)+" "+path)
			if o.Summary == "" || len(o.Responses) == 0 {
				t.Errorf("%s %s has no summary or no responses", method, path)
			}
			for _, p := range o.Parameters {
				if p.In == "path" && !strings.Contains(path, "{"+p.Name+"}") {
					t.Errorf("%s %s: parameter %s is not in the path", method, path, p.Name)
				}
			}
		}
	}
	slices.Sort(described)
	if routes := web.Routes(); !slices.Equal(described, routes) {
		t.Errorf("described are\n%s\nwant\n%s", strings.Join(described, "\n"), strings.Join(routes, "\n"))
	}
	var b strings.Builder
	b.WriteString("# HTTP routes\n\nGenerated by TestOpenAPI; do not edit. `GET " +
		"/api/openapi.yaml` has parameters and\n" +
		"answers, [The API of matches](../api.md) how they work together.\n\n| route | |\n| --- | " +
		"--- |\n")
	for _, route := range described {
		method, path, _ := strings.Cut(route, " ")
		fmt.Fprintf(&b, "| `%s` | %s |\n", route, doc.Paths[path][strings.ToLower(method)].Summary)
	}
	servertest.Document(t, "../../docs/reference/http.md", b.String())
	for _, ref := range regexp.MustCompile(
		`"#/components/(\w+)/(\w+)"`).FindAllStringSubmatch(body, -1) {
		in := map[string]map[string]any{
			"schemas": doc.Components.Schemas, "responses": doc.Components.Responses,
			"parameters": doc.Components.Parameters,
		}[ref[1]]
		if _, ok := in[ref[2]]; !ok {
			t.Errorf("there is no %s", ref[0])
		}
	}
}

func TestPage(t *testing.T) {
	s := newStage(t)
	status, body, header := s.get("/")
	if status != 200 || !strings.HasPrefix(header.Get("Content-Type"), "text/html") ||
		header.Get("Cache-Control") != "no-cache" {
		t.Fatalf("page: %d, %v", status, header)
	}
	for _, directive := range []string{
		"default-src 'none'", "script-src 'self'", "frame-ancestors 'none'",
	} {
		if !strings.Contains(header.Get("Content-Security-Policy"), directive) {
			t.Errorf("policy %q, want %s in it", header.Get("Content-Security-Policy"), directive)
		}
	}
	if strings.Contains(header.Get("Content-Security-Policy"), "unsafe") {
		t.Errorf("policy %q is not strict", header.Get("Content-Security-Policy"))
	}
	// Other sites may show the page in a frame, at an address of its own.
	status, framed, embed := s.get("/embed")
	if policy := embed.Get("Content-Security-Policy"); status != 200 || framed != body ||
		!strings.HasSuffix(policy, "frame-ancestors *") || strings.Contains(policy, "unsafe") {
		t.Errorf("/embed: %d, policy %q", status, policy)
	}
	if status, again, _ := s.get("/index.html"); status != 200 || again != body {
		t.Errorf("/index.html: %d, want the page", status)
	}
	if status, rest, _ := s.do("GET", "/", http.Header{"If-None-Match": {header.Get("ETag")}}); status != 304 || rest != "" {
		t.Errorf("unchanged page: %d %q, want 304", status, rest)
	}
	if status, rest, head := s.do("HEAD", "/", nil); status != 200 || rest != "" ||
		head.Get("Content-Length") != fmt.Sprint(len(body)) {
		t.Errorf("HEAD: %d %q %v", status, rest, head)
	}
	err := fs.WalkDir(os.DirFS("dist"), "assets", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name = strings.TrimSuffix(name, ".gz")
		if status, _, h := s.get("/" + name); status != 200 ||
			!strings.Contains(h.Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %d, Cache-Control %q, want it kept for ever", name, status, h.Get("Cache-Control"))
		}
		return nil
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// firstView is the greatest number of bytes that a browser loads before it shows the page:
// a class of 30 shares one access point.
const firstView = 130_000

// Scripts and styles are sent as the build compressed them to browsers that accept it, and to
// others decompressed.
func TestPageCompressed(t *testing.T) {
	s := newStage(t)
	_, body, _ := s.get("/")
	sent := len(body)
	for _, ref := range regexp.MustCompile(`"/(assets/[^"]+)"`).FindAllStringSubmatch(body, -1) {
		path := "/" + ref[1]
		_, plain, whole := s.do("GET", path, http.Header{"Accept-Encoding": {"br, gzip;q=0"}})
		status, packed, header := s.do("GET", path, http.Header{"Accept-Encoding": {"gzip, deflate"}})
		if status != 200 || header.Get("Content-Encoding") != "gzip" ||
			header.Get("Vary") != "Accept-Encoding" ||
			header.Get("Content-Length") != fmt.Sprint(len(packed)) ||
			header.Get("Content-Type") != whole.Get("Content-Type") {
			t.Errorf("%s for a browser that accepts gzip: %d, %v", path, status, header)
		}
		if whole.Get("Content-Encoding") != "" || whole.Get("Vary") != "Accept-Encoding" ||
			whole.Get("ETag") == header.Get("ETag") {
			t.Errorf("%s for a client that does not: %v", path, whole)
		}
		unpacked, err := gzip.NewReader(strings.NewReader(packed))
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if data, err := io.ReadAll(unpacked); err != nil || string(data) != plain {
			t.Errorf("%s decompressed: %d bytes, %v, want the %d bytes of the file", path, len(data), err,
				len(plain))
		}
		again := http.Header{"Accept-Encoding": {"gzip"}, "If-None-Match": {header.Get("ETag")}}
		if status, rest, _ := s.do("GET", path, again); status != 304 || rest != "" {
			t.Errorf("%s unchanged: %d %q, want 304", path, status, rest)
		}
		sent += len(packed)
	}
	if sent > firstView {
		t.Errorf("the first view takes %d bytes, want at most %d", sent, firstView)
	}
}

// Connections that send an incomplete or too large request are closed, and others are not
// affected.
func TestBrokenRequests(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	s := newStage(t)
	for _, text := range []string{
		"\x00\x01\x02\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET / HTTP/1.1\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("x", 64<<10) + "\r\n\r\n",
	} {
		conn, err := net.Dial("tcp", s.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.SetDeadline(time.Now().Add(patience))
		_, _ = io.WriteString(conn, text)
		if got, _ := io.ReadAll(conn); !bytes.HasPrefix(got, []byte("HTTP/1.")) ||
			bytes.Contains(got, []byte(" 200 ")) {
			t.Errorf("%.30q is answered with %.60q", text, got)
		}
		_ = conn.Close()
	}
	if status, _, _ := s.get("/api/health"); status != 200 {
		t.Errorf("health: %d", status)
	}
}

func TestListenNear(t *testing.T) {
	s := newStage(t)
	o := web.Options{Address: s.Addr().String()}
	if _, err := web.Listen(o); err == nil || !strings.Contains(err.Error(), o.Address) {
		t.Errorf("Listen on a port that is taken: %v, want an error that names it", err)
	}
	near, err := web.ListenNear(o)
	if err != nil {
		t.Fatal(err)
	}
	if near.Addr().String() == s.Addr().String() ||
		netconn.AddrPort(near.Addr()).Addr() != netconn.AddrPort(s.Addr()).Addr() {
		t.Errorf("ListenNear is on %v", near.Addr())
	}
	if err := near.Close(); err != nil {
		t.Error(err)
	}
	o.Address = "256.0.0.1:80"
	if _, err := web.ListenNear(o); err == nil {
		t.Error("ListenNear on no address does not fail")
	}
}

// The events of a recording are those of the live match.
func TestRecordings(t *testing.T) {
	dir := t.TempDir()
	var recorder *recording.Recorder
	s := newStage(t, func(w *web.Options, shown *web.Match, m *match.Options) {
		game := gameOf(t, shown.Map)
		m.Referee = match.Local(game)
		recorder = recording.New(
			recording.Options{Dir: dir, Rules: game, Map: shown.Map, MapName: "lagoon"})
		m.Watchers = append(m.Watchers, recorder)
		m.Settings.Turns = 40
		w.Recordings = web.NewFolder(dir, games)
	})
	if status, body, _ := s.get("/api/recordings"); status != 200 || body != "[]" {
		t.Errorf("no recordings: %d %s, want []", status, body)
	}
	s.begin()
	s.play(39)
	wait(t, s.ended)
	for name, text := range map[string]string{
		"other.txt": "x", "foreign.hexarena": "{}", ".hidden.hexarena": "x",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	name := filepath.Base(recorder.Path())
	for range 2 {
		_, list, _ := s.get("/api/recordings")
		if !strings.HasPrefix(list, `[{"name":"`+name+`"`) ||
			!strings.Contains(list, `"map":"lagoon","seats":["bot`) ||
			!strings.Contains(list, `"turns":40`) || !strings.HasSuffix(list, `"complete":true}]`) {
			t.Fatalf("recordings: %s, want %s alone", list, name)
		}
	}
	status, body, header := s.get("/api/recordings/" + name)
	if status != 200 || header.Get("Content-Type") != "application/x-ndjson" {
		t.Fatalf("recording: %d %v %.200s", status, header, body)
	}
	recorded := strings.SplitAfter(strings.TrimSuffix(body, "\n"), "\n")
	var live [][]byte
	for event, err := range s.feed.Range(0, 100) {
		if err != nil {
			t.Fatal(err)
		}
		live = append(live, event)
	}
	if len(recorded) != len(live) {
		t.Fatalf("the recording has %d events, want %d", len(recorded), len(live))
	}
	changing := regexp.MustCompile(`"(at_ms|seed|id|interval_ms)":("[^"]*"|[0-9.]+)`)
	for k := range live {
		got := changing.ReplaceAllString(strings.TrimSuffix(recorded[k], "\n"), "")
		if want := changing.ReplaceAllString(string(live[k]), ""); got != want &&
			!strings.Contains(want, `"type":"end"`) {
			t.Errorf("event %d of the recording: %s, want %s", k, got, want)
		}
	}
	if status, end, header := s.get("/api/recordings/" + name + "/end"); status != 200 ||
		header.Get("Content-Type") != "application/json" || end != recorded[len(recorded)-1] {
		t.Errorf("the end: %d %v %.200s, want the last event", status, header, end)
	}
	for path, want := range map[string]int{
		"foreign.hexarena/end": 422, "missing.hexarena/end": 404,
		"foreign.hexarena": 422, "missing.hexarena": 404, "other.txt": 404, ".hidden.hexarena": 404,
		"..%2f" + name: 404, "%2e%2e": 404, "a%00.hexarena": 404, "": 404,
		"missing.hexarena/page.html": 404, "foreign.hexarena/page.html": 422, name + "/page": 404,
	} {
		status, body, _ := s.get("/api/recordings/" + path)
		if status != want || strings.Contains(body, dir) || !strings.HasPrefix(body, `{"error":`) {
			t.Errorf("recording %q: %d %s, want %d", path, status, body, want)
		}
	}
}

func gameOf(t testing.TB, board []byte) engine.Game {
	t.Helper()
	g, err := games("", board)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// broken are recordings that cannot be read.
type broken struct{}

func (broken) List() ([]web.Recording, error)       { return nil, errors.New("no disk at /secret") }
func (broken) Open(name string) (web.Replay, error) { return broken{}, nil }
func (broken) Version(string) (web.Version, error)  { return web.Version{}, nil }
func (broken) Close() error                         { return nil }
func (broken) Started() time.Time                   { return time.Time{} }
func (broken) Write(_ context.Context, w io.Writer, _ bool) error {
	_, _ = io.WriteString(w, "{}\n")
	return errors.New("is upside down")
}

func TestBrokenRecordings(t *testing.T) {
	s := newStage(t, func(o *web.Options, _ *web.Match, _ *match.Options) { o.Recordings = broken{} })
	if status, body, _ := s.get("/api/recordings"); status != 500 || strings.Contains(body, "secret") {
		t.Errorf("list: %d %s, want 500 and no details", status, body)
	}
	for _, path := range []string{"x", "x/page.html"} {
		if status, body, _ := s.get("/api/recordings/" + path); status != 422 ||
			body != `{"error":"x is upside down"}` {
			t.Errorf("%s: %d %s, want 422 and what is wrong", path, status, body)
		}
	}
}
