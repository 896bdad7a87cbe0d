package web_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/web"
)

func TestDownloadsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d web.Downloads
		ask := func(address string) chan func() {
			entered := make(chan func(), 1)
			go func() { entered <- d.Enter(t.Context(), address) }()
			synctest.Wait()
			return entered
		}
		var leaves []func()
		begun := func(entered chan func(), want bool, what string) {
			t.Helper()
			select {
			case leave := <-entered:
				if (leave != nil) != want {
					t.Errorf("%s: begun is %v", what, leave != nil)
				}
				if leave != nil {
					leaves = append(leaves, leave)
				}
			default:
				t.Errorf("%s waits", what)
			}
		}
		address := func(i int) string {
			return fmt.Sprintf("10.0.%d.1:%d", i/web.MaxAddressDownloads,
				1000+i)
		}
		for i := range web.MaxDownloads {
			begun(ask(address(i)), true, address(i))
		}
		more := ask("10.1.0.1:1")
		same := ask(address(0))
		leaves[0]()
		leaves[web.MaxAddressDownloads]()
		leaves = leaves[:0]
		time.Sleep(time.Second) // so that the burst is available again
		synctest.Wait()
		begun(more, true, "the first that waits")
		begun(same, true, "another of an address that has one less")
		for range web.MaxAddressWaiting {
			ask(address(0))
		}
		begun(ask(address(0)), false, "one too many of an address")
		var waiting []chan func()
		for i := web.MaxAddressWaiting; i < web.MaxWaiting; i++ {
			waiting = append(waiting, ask("[::1]:1"))
		}
		begun(ask("10.1.0.2:1"), false, "one too many")
		leaves[0]()
		synctest.Wait()
		begun(waiting[0], true, "the first of those that may begin")
		time.Sleep(10 * time.Second)
		synctest.Wait()
		begun(waiting[1], false, "one that has waited in vain")
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if d.Enter(ctx, "10.1.0.3:1") != nil {
			t.Error("a cancelled request is admitted")
		}
	})
}

// Short downloads do not begin faster than downloadInterval.
func TestRateOfDownloads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d web.Downloads
		enter := func(n int) time.Duration {
			begun := time.Now()
			for range n {
				d.Enter(t.Context(), "127.0.0.1:1")()
			}
			return time.Since(begun)
		}
		if took := enter(web.DownloadBurst); took != 0 {
			t.Errorf("the first %d begin within %v", web.DownloadBurst, took)
		}
		const more = 100
		if took := enter(more); took < (more-1)*web.DownloadInterval || took > more*web.DownloadInterval {
			t.Errorf("%d more begin within %v, want one every %v", more, took, web.DownloadInterval)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if d.Enter(ctx, "127.0.0.1:1") != nil {
			t.Error("a request that ended while it waited for its pace begins")
		}
		time.Sleep(time.Minute)
		if took := enter(web.DownloadBurst); took != 0 {
			t.Errorf("after a pause %d begin within %v", web.DownloadBurst, took)
		}
	})
}

// Loopback may be a proxy's address, and a household has very many IPv6 addresses.
func TestDownloadsOfOneAddress(t *testing.T) {
	for address, want := range map[string]int{
		"10.0.0.1:%d": web.MaxAddressDownloads, "[2001:db8::%x]:1": web.MaxAddressDownloads,
		"[::ffff:10.0.0.1]:%d": web.MaxAddressDownloads,
		"127.0.0.1:%d":         web.MaxDownloads, "[::1]:%d": web.MaxDownloads,
		"[2001:db8:0:%x00::1]:1": web.MaxDownloads,
	} {
		synctest.Test(t, func(t *testing.T) {
			var d web.Downloads
			ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
			defer cancel()
			n := 0
			for n <= web.MaxDownloads && d.Enter(ctx, fmt.Sprintf(address, n+1)) != nil {
				n++
			}
			if n != want {
				t.Errorf("%d downloads of %s begin, want %d", n, address, want)
			}
		})
	}
}

// deadlines is a response that keeps its write deadlines.
type deadlines struct {
	httptest.ResponseRecorder
	list []time.Duration
}

func (d *deadlines) SetWriteDeadline(t time.Time) error {
	d.list = append(d.list, time.Until(t).Round(time.Second))
	return nil
}

// Clients must read at a minimum rate from the beginning.
func TestSlowClientsAreDisconnected(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &deadlines{ResponseRecorder: *httptest.NewRecorder()}
		p := web.NewPaced(w)
		if n, err := p.Write(make([]byte, 80<<10)); n != 80<<10 || err != nil || w.Body.Len() != n {
			t.Fatalf("Write = %d, %v, and %d bytes are written", n, err, w.Body.Len())
		}
		time.Sleep(3 * time.Second)
		_, _ = p.Write(make([]byte, 16<<10))
		if got := fmt.Sprint(w.list); got != "[12s 14s 15s 13s]" {
			t.Errorf("writes have to be done in %s, want 10 s and one more for each 16 KiB", got)
		}
	})
}

// hardWork is recordings that take long to prepare, of the size that the name says.
type hardWork struct {
	mu      sync.Mutex
	working int
	most    int // at a time
	done    int
	version web.Version
}

func (w *hardWork) List() ([]web.Recording, error) { return nil, nil }
func (w *hardWork) Version(string) (web.Version, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.version, nil
}
func (w *hardWork) Open(name string) (web.Replay, error) { return &hardReplay{w, name}, nil }

type hardReplay struct {
	*hardWork
	name string
}

func (*hardReplay) Close() error       { return nil }
func (*hardReplay) Started() time.Time { return time.Time{} }

// Write writes data that does not compress to less than half.
func (w *hardReplay) Write(_ context.Context, out io.Writer, _ bool) error {
	w.add(1)
	defer w.add(-1)
	size, err := strconv.Atoi(w.name)
	if err != nil {
		return err
	}
	_, err = io.WriteString(out, noise(size))
	return err
}

func (w *hardWork) add(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.working += n
	w.most = max(w.most, w.working)
	if n < 0 {
		w.done++
	}
}

// noise returns the given number of random hexadecimal digits.
func noise(size int) string {
	var b strings.Builder
	for x := uint64(1); b.Len() < size; x = x*6364136223846793005 + 1442695040888963407 {
		fmt.Fprintf(&b, "%016x", x)
	}
	return b.String()[:size]
}

func newToil(t *testing.T) (*hardWork, *stage) {
	t.Helper()
	work := new(hardWork)
	return work, newStage(t,
		func(o *web.Options, _ *web.Match, _ *match.Options) { o.Recordings = work })
}

// Recordings are prepared one at a time, each once for all clients that request it.
func TestRecordingsArePreparedOnce(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	work, s := newToil(t)
	var readers sync.WaitGroup
	for i := range 40 {
		size := 300_000 + i%4
		readers.Go(func() {
			answer, err := http.Get(s.URL() + "api/recordings/" + strconv.Itoa(size))
			if err != nil {
				t.Error(err)
				return
			}
			defer answer.Body.Close()
			if text, err := io.ReadAll(answer.Body); err != nil || string(text) != noise(size) {
				t.Errorf("a recording of %d bytes has %d, %v", size, len(text), err)
			}
		})
	}
	readers.Wait()
	if work.most != 1 || work.done != 4 {
		t.Errorf("%d recordings were prepared, %d of them at a time, want 4 and 1", work.done, work.most)
	}
	if status, body, header := s.do("GET", "/api/recordings/300000", http.Header{"Accept-Encoding": {"br, identity"}}); status != 200 || body != noise(300_000) || header.Get("Content-Encoding") != "" {
		t.Errorf("without compression: %d, %d bytes, %v", status, len(body), header)
	}
	if kept := s.Prepared(); kept > 4*250_000 {
		t.Errorf("%d bytes are kept", kept)
	}
}

// stall requests a path and reads only the header of the response.
func (s *stage) stall(path string) (status int, header http.Header, conn net.Conn) {
	conn, err := net.Dial("tcp", s.Addr().String())
	if err != nil {
		s.t.Error(err)
		return 0, nil, nil
	}
	_ = conn.(*net.TCPConn).SetReadBuffer(4 << 10)
	fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n", path, s.Addr())
	_ = conn.SetReadDeadline(time.Now().Add(patience))
	answer, err := http.ReadResponse(bufio.NewReaderSize(conn, 1), nil)
	if err != nil {
		s.t.Error(err)
		_ = conn.Close()
		return 0, nil, nil
	}
	return answer.StatusCode, answer.Header, conn
}

// Clients that do not read the response take little memory, and clients beyond the limit
// are told when to try again.
func TestStalledDownloads(t *testing.T) {
	thorough.Long(t)
	_, s := newToil(t)
	s.SetDownloadWait(50 * time.Millisecond)
	const clients, size = 400, 3_000_000
	before := heap()
	var mu sync.Mutex
	statuses := map[string]int{}
	var asking sync.WaitGroup
	for i := range clients {
		path := "/api/recordings/" + strconv.Itoa(size)
		if i%2 == 0 {
			path += "/page.html"
		}
		asking.Go(func() {
			status, header, conn := s.stall(path)
			if conn == nil {
				return
			}
			t.Cleanup(func() { _ = conn.Close() })
			mu.Lock()
			defer mu.Unlock()
			statuses[fmt.Sprint(status, header["Retry-After"])]++
		})
	}
	asking.Wait()
	if got, want := statuses["200 []"], web.MaxDownloads; got != want ||
		statuses["503 [5]"] != clients-want {
		t.Errorf("answers %v, want %d with status 200 and all others with 503 and Retry-After", statuses,
			want)
	}
	if grown := heap() - before; grown > clients*64<<10 {
		t.Errorf("the heap has grown by %d kB, want less than 64 for each of %d clients", grown>>10,
			clients)
	}
	if status, _, _ := s.get("/api/health"); status != 200 {
		t.Errorf("health: %d", status)
	}
}

// Every response that can be large counts as a download.
func TestLargeResponsesAreDownloads(t *testing.T) {
	thorough.Long(t)
	_, s := newToil(t)
	s.SetDownloadWait(50 * time.Millisecond)
	for range web.MaxDownloads {
		_, _, conn := s.stall("/api/recordings/3000000")
		if conn == nil {
			return
		}
		defer conn.Close()
	}
	var asking sync.WaitGroup
	for _, path := range []string{
		"/api/match/state", "/api/recordings", "/api/match/events", "/api/recordings/1",
		"/api/recordings/1/page.html",
	} {
		asking.Go(func() {
			if status, _, header := s.get(path); status != 503 || header.Get("Retry-After") == "" {
				t.Errorf("%s: %d %v while there are as many downloads as there may be, want 503", path, status,
					header)
			}
		})
	}
	asking.Wait()
}

// heap returns the number of bytes in use.
func heap() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
