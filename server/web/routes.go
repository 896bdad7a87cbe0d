package web

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/hexarena/hexarena/server/machine/panics"
	"github.com/hexarena/hexarena/server/machine/processors"
)

// route is one operation of the API.
type route struct {
	method  string // GET includes HEAD
	path    string // pattern for net/http
	handler func(*Server, http.ResponseWriter, *http.Request)
}

// routes are all operations, one for each path. openapi.yaml describes each of them.
var routes = []route{
	{"GET", "/api/cup", download((*Server).getCup)},
	{"GET", "/api/cup/matches", download((*Server).getCupMatches)},
	{"GET", "/api/health", (*Server).health},
	{"GET", "/api/live", (*Server).live},
	{"GET", "/api/map", (*Server).getMap},
	{"GET", "/api/match", (*Server).getMatch},
	{"GET", "/api/match/end", (*Server).getEnd},
	{"GET", "/api/match/events", download((*Server).getEvents)},
	{"POST", "/api/match/restart", (*Server).operate},
	{"POST", "/api/match/again", (*Server).operate},
	{"POST", "/api/match/fill", (*Server).operate},
	{"POST", "/api/match/start", (*Server).operate},
	// that of a large board is as large as a recording
	{"GET", "/api/match/state", download((*Server).getState)},
	{"GET", "/api/matches", (*Server).getMatches},
	{"GET", "/api/openapi.yaml", (*Server).getOpenAPI},
	{"GET", "/api/recordings", download(recorded((*recordingAPI).getRecordings))},
	{"GET", "/api/recordings/{name}", download(recorded((*recordingAPI).getRecording))},
	{"POST", "/api/recordings/{name}/analysis", recorded((*recordingAPI).postAnalysis)},
	{"GET", "/api/recordings/{name}/board.png", download(recorded((*recordingAPI).getBoard))},
	{"POST", "/api/recordings/{name}/delete", recorded((*recordingAPI).postDelete)},
	{"GET", "/api/recordings/{name}/end", download(recorded((*recordingAPI).getRecordedEnd))},
	{"GET", "/api/recordings/{name}/page.html", download(recorded((*recordingAPI).getSingle))},
	{"POST", "/api/recordings/{name}/play", recorded((*recordingAPI).postPlayOn)},
	{"GET", "/api/recordings/{name}/turns.gif", download(recorded((*recordingAPI).getTurns))},
	{"GET", "/api/starter", (*Server).getStarter},
	{"GET", "/api/starters", (*Server).getStarters},
	{"GET", "/debug/pprof/{profile}", ownPort((*Server).debug)},
	{"GET", "/healthz", (*Server).probe},
	{"GET", "/netorcai", (*Server).players},
	{"GET", "/person", (*Server).people},
	{"GET", "/metrics", ownPort((*Server).getMetrics)},
	{"GET", "/readyz", (*Server).probe},
}

// recorded returns an operation on recordings as a handler.
func recorded(
	handle func(*recordingAPI, http.ResponseWriter, *http.Request),
) func(*Server, http.ResponseWriter, *http.Request) {
	return func(s *Server, w http.ResponseWriter, r *http.Request) { handle(s.recorded, w, r) }
}

// handler returns the handler for all requests.
func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	for _, r := range routes {
		mux.Handle(r.path, s.dispatch(r))
	}
	mux.HandleFunc("/api/", func(w http.ResponseWriter, r *http.Request) {
		fail(w, http.StatusNotFound, "there is no %s", r.URL.Path)
	})
	if s.opts.More != nil {
		s.opts.More(mux, s.byOperator)
	}
	mux.Handle("/", s.dispatch(route{method: http.MethodGet, handler: files().serve}))
	return s.guard(mux)
}

// dispatch refuses requests with another method than the route's.
func (s *Server) dispatch(o route) http.Handler {
	allow := o.method
	if o.method == http.MethodGet {
		allow += ", " + http.MethodHead
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != o.method && (r.Method != http.MethodHead || o.method != http.MethodGet) {
			w.Header().Set("Allow", allow)
			fail(w, http.StatusMethodNotAllowed, "%s allows %s", r.URL.Path, allow)
			return
		}
		w.Header().Set("Cache-Control", "no-store")
		o.handler(s, w, r)
	})
}

// headers are part of every response. The page loads scripts and styles only from this
// server, cannot be framed and sends nothing elsewhere. A script may create workers and
// pictures from blobs.
var headers = map[string]string{
	"Content-Security-Policy": sources + "worker-src 'self' blob:; manifest-src 'self'; " +
		"frame-ancestors 'none'",
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Permissions-Policy":           "camera=(), microphone=(), geolocation=()",
	"Referrer-Policy":              "no-referrer",
	"X-Content-Type-Options":       "nosniff",
}

// sources is the part of the content policy about what a page may load and send.
const sources = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: " +
	"blob:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "

// allowFrames permits pages of all sites to show the response in a frame. In a frame the page has
// nothing that acts on the server, which a hostile page around it could make a viewer press.
func allowFrames(h http.Header) {
	h.Set("Content-Security-Policy", sources+"frame-ancestors *")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
}

// guard adds the headers to every response, refuses requests that other sites make a
// browser send, and recovers from panics in a request.
func (s *Server) guard(next http.Handler) http.Handler {
	var origins http.CrossOriginProtection
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer processors.Use()()
		for name, value := range headers {
			w.Header().Set(name, value)
		}
		if err := origins.Check(r); err != nil {
			fail(w, http.StatusForbidden, "cross-origin request refused: %v", err)
			return
		}
		if err := s.checkHost(r); err != nil {
			fail(w, http.StatusForbidden, "%v", err)
			return
		}
		if client := clientOf(r, s.opts.Proxies); client != r.RemoteAddr {
			forwarded := *r
			forwarded.RemoteAddr = client
			r = &forwarded
		}
		if p := panics.Catch(func() { next.ServeHTTP(w, r) }); p != nil {
			// the handler cuts the response off, such as for a slow reader
			if p.Value == http.ErrAbortHandler {
				panic(http.ErrAbortHandler)
			}
			s.opts.Log.Error().EmbedObject(p).Str("path", r.URL.Path).Msg("Request failed")
			panic(http.ErrAbortHandler)
		}
	})
}

// fail answers with an error as JSON.
func fail(w http.ResponseWriter, status int, format string, args ...any) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Del("Content-Disposition") // set for the file that is not sent
	answer(w, status, map[string]string{"error": fmt.Sprintf(format, args...)})
}

// answer answers with JSON.
func answer(w http.ResponseWriter, status int, v any) {
	body, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}
