package relay

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hexarena/hexarena/server/panics"
)

const (
	// freshTime is how long an answer is sent to all that ask for the same: however many viewers a relay has, its upstream is asked
	// once a second. An upstream replays a running match as often for its own viewers.
	freshTime = time.Second
	// fetches is how many requests a relay has under way, half of what its upstream allows an address.
	fetches   = 8
	fetchTime = 30 * time.Second // for one of them; replaying a long recording takes seconds
	dialTime  = 3 * time.Second  // until it is connected: viewers of an upstream that is away wait no longer
	// maxAnswer is the largest answer in bytes that is forwarded: twenty times the recording of an ordinary match.
	maxAnswer = 8 << 20
	// maxAnswers, maxAnswerBytes and answersShare limit the answers that are kept. Bytes count against a fraction of the memory limit.
	maxAnswers     = 1024
	maxAnswerBytes = 64 << 20
	answersShare   = 16
)

// forwarder answers requests for what a relay does not have with what its upstream answers. An answer is shared by all that ask for the same
// within freshTime, and asked for again only with its ETag, so that what never changes is sent to the relay once.
type forwarder struct {
	server string // without a slash at the end
	client http.Client
	slots  chan struct{} // held during each fetch

	mu    sync.Mutex // guards the fields below
	kept  map[string]*answer
	clock uint64
}

// answer is an answer of the upstream. If err is not nil, the upstream gave none, and err says why.
type answer struct {
	ready  chan struct{} // closed when the following fields are set
	status int
	header http.Header
	body   []byte
	err    error
	at     time.Time

	used uint64 // value of the forwarder's clock at the last request; guarded by its mutex
}

func newForwarder(server string) *forwarder {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DialContext = (&net.Dialer{Timeout: dialTime}).DialContext
	return &forwarder{
		server: strings.TrimSuffix(server, "/"), slots: make(chan struct{}, fetches), kept: map[string]*answer{},
		client: http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
	}
}

// ServeHTTP implements http.Handler.
func (f *forwarder) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead || r.Header.Get("Upgrade") != "" {
		refuse(w, http.StatusMisdirectedRequest, "this is a relay, which only shows the matches of %s/: join and operate them there", f.server)
		return
	}
	a := f.get(r.Context(), r.URL.RequestURI(), strings.Contains(r.Header.Get("Accept-Encoding"), "gzip"))
	if a == nil {
		return // the client is gone
	}
	if a.err != nil {
		refuse(w, http.StatusBadGateway, "this is a relay of %s/, which does not answer: %v", f.server, a.err)
		return
	}
	for name, values := range a.header {
		w.Header()[name] = values
	}
	if tag := a.header.Get("ETag"); tag != "" && strings.Contains(r.Header.Get("If-None-Match"), tag) {
		w.Header().Del("Content-Encoding")
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(a.body)))
	w.WriteHeader(a.status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(a.body)
	}
}

// refuse answers with an error as JSON.
func refuse(w http.ResponseWriter, status int, format string, args ...any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": fmt.Sprintf(format, args...)})
}

// get returns the answer to a request, which must not be changed, or nil if ctx ends before it is there.
func (f *forwarder) get(ctx context.Context, path string, zipped bool) *answer {
	key := strconv.FormatBool(zipped) + path
	a, before := f.take(key)
	if before != a { // no other request is fetching it
		f.fetch(path, zipped, a, before)
		f.trim()
	}
	select {
	case <-a.ready:
		return a
	case <-ctx.Done():
		return nil
	}
}

// take returns the answer that is kept under a key, twice, if it is fresh or being fetched. Otherwise it returns a new answer,
// which the caller has to fetch, and the one that it replaces, which may be nil.
func (f *forwarder) take(key string) (a, before *answer) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.clock++
	before = f.kept[key]
	if before != nil {
		before.used = f.clock
		select {
		case <-before.ready:
			if time.Since(before.at) < freshTime {
				return before, before
			}
		default:
			return before, before
		}
	}
	a = &answer{ready: make(chan struct{}), used: f.clock}
	f.kept[key] = a
	return a, before
}

// trim drops the answers that were not asked for longest if there are too many. Those that are being fetched stay.
func (f *forwarder) trim() {
	limit := int(min(maxAnswerBytes, debug.SetMemoryLimit(-1)/answersShare))
	f.mu.Lock()
	defer f.mu.Unlock()
	var there []string
	size := 0
	for key, a := range f.kept {
		select {
		case <-a.ready:
			there, size = append(there, key), size+len(a.body)
		default:
		}
	}
	if len(f.kept) <= maxAnswers && size <= limit {
		return
	}
	slices.SortFunc(there, func(a, b string) int { return cmp.Compare(f.kept[a].used, f.kept[b].used) })
	for _, key := range there {
		if len(f.kept) <= maxAnswers && size <= limit {
			return
		}
		size -= len(f.kept[key].body)
		delete(f.kept, key)
	}
}

// fetch sets an answer by asking the upstream. While the upstream is away, it is the one that was there before.
func (f *forwarder) fetch(path string, zipped bool, a, before *answer) {
	defer close(a.ready)
	if p := panics.Catch(func() { a.err = f.ask(path, zipped, a, before) }); p != nil {
		a.err = p
	}
	if a.err != nil && before != nil && before.err == nil {
		a.status, a.header, a.body, a.err = before.status, before.header, before.body, nil
	}
	a.at = time.Now()
}

// forwarded are the headers of an answer that are sent on.
var forwarded = []string{
	"Cache-Control", "Content-Disposition", "Content-Encoding", "Content-Security-Policy", "Content-Type",
	"Cross-Origin-Resource-Policy", "Etag", "Location", "Retry-After", "Vary",
}

// ask asks the upstream. It goes on after the client has gone, since others may wait for the answer.
func (f *forwarder) ask(path string, zipped bool, a, before *answer) error {
	ctx, cancel := context.WithTimeout(context.Background(), fetchTime)
	defer cancel()
	select {
	case f.slots <- struct{}{}:
		defer func() { <-f.slots }()
	case <-ctx.Done():
		return ctx.Err()
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, f.server+path, nil)
	if err != nil {
		return err
	}
	r.Header.Set("Via", "1.1 hexarena-relay") // so that it is not taken for a request of the operator at the server's own machine
	r.Header.Set("Accept-Encoding", map[bool]string{true: "gzip", false: "identity"}[zipped])
	if before != nil && before.header.Get("ETag") != "" {
		r.Header.Set("If-None-Match", before.header.Get("ETag"))
	}
	got, err := f.client.Do(r)
	if err != nil {
		return reasonOf(err)
	}
	defer got.Body.Close()
	if got.StatusCode == http.StatusNotModified && before != nil {
		a.status, a.header, a.body = before.status, before.header, before.body
		return nil
	}
	a.status, a.header = got.StatusCode, http.Header{}
	for _, name := range forwarded {
		if values := got.Header.Values(name); len(values) > 0 {
			a.header[name] = values
		}
	}
	if a.body, err = io.ReadAll(io.LimitReader(got.Body, maxAnswer+1)); err != nil {
		return reasonOf(err)
	}
	if len(a.body) > maxAnswer {
		a.body = nil
		return fmt.Errorf("its answer has more than %d MiB; ask there", maxAnswer>>20)
	}
	return nil
}
