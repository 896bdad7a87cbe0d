package workers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/hexarena/hexarena/server/internal/wsconn"
	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/panics"
	"github.com/hexarena/hexarena/server/seat/process"
	"github.com/hexarena/hexarena/server/session"
)

const (
	// helloTime is how long a page may take to say who it is: it does so at once.
	helloTime = 10 * time.Second
	// writeTime is how long a message may take to be sent. A page that does not read for so long is lost.
	writeTime = 10 * time.Second
	// checkEvery is the time between two checks that the page answers, not only its browser: one whose machine sleeps, or that shows
	// a dialog, passes no messages on.
	checkEvery = time.Second
	// silence is after how long a page is lost that says nothing. It is a failure of the host, so that no bot may be held to have
	// hung by it: that takes five turns of a second.
	silence = 4 * time.Second
	// maxControl is the number of control frames that a page may send per wsconn.PingInterval: it sends one.
	maxControl = 32
	// maxHello bounds the first message, in bytes: a token and a number.
	maxHello = 1 << 10
	// bufferSize is that of each of the connection's buffers, in bytes: most messages fit.
	bufferSize = 4 << 10
	// escaped is how many bytes JSON takes at most for a character of an answer.
	escaped = 6
	// maxReport bounds what a report has beside an answer, in bytes; a line of 2000 characters fits.
	maxReport = 16 << 10
)

// Codes of close frames.
const (
	closeNormal   = 1000
	closeRefused  = 1008 // a message that breaks the rules, as the protocol has it
	closeReplaced = 4001 // of our own: the page does not connect again by itself
	closeDenied   = 4003 // of our own: the token is wrong
)

// maxReason bounds the reason in a close frame, in bytes, as the protocol does.
const maxReason = 123

var errDenied = errors.New("the token is not the operator's")

var upgrader = wsconn.NewUpgrader(bufferSize, bufferSize, helloTime, func(w http.ResponseWriter, _ *http.Request, status int, reason error) {
	session.Refuse(w, status, reason)
})

// page is a page that runs workers, over its WebSocket.
type page struct {
	conn    *wsconn.Conn
	opts    *Options
	workers int             // that it runs at once
	life    context.Context // ends when the page is lost, before its bots do
	end     context.CancelFunc
	serving sync.WaitGroup // goroutines of bots, and that of checks
	closing sync.Once
	cause   error // why it was closed; written before its life ends

	writing sync.Mutex // held while a message is written

	mu      sync.Mutex // guards all below
	bots    map[int]*bot
	started int // the number of the last bot
	free    int // workers
	waiting []*claim
	checks  int           // that were sent
	checked int           // the last one that the page has answered
	news    chan struct{} // closed and replaced when it has answered one
}

// claim is a wish for workers.
type claim struct {
	n     int
	given chan struct{} // closed when they are the claim's
}

// accept upgrades a request and reads the page's hello. The page is nil if the request was answered; otherwise it has to be closed, with the
// error if there is one.
func accept(w http.ResponseWriter, r *http.Request, o *Options) (*page, error) {
	ws, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return nil, err
	}
	g := &page{opts: o, bots: map[int]*bot{}, news: make(chan struct{})}
	g.life, g.end = context.WithCancel(context.Background())
	g.conn = wsconn.New(ws, maxControl, nil)
	_ = ws.SetReadDeadline(time.Now().Add(helloTime))
	text, err := g.conn.ReadText(nil, maxHello, nil)
	if err != nil {
		return g, err
	}
	var h hello
	if err := json.Unmarshal(text, &h); err != nil {
		return g, errMessage(text, err)
	}
	if !o.Operates(h.Token) {
		return g, errDenied
	}
	g.workers = max(o.Least, min(h.Workers, maxWorkers))
	g.free = g.workers
	return g, nil
}

// serve reads reports until the page is lost, and returns why it is.
func (g *page) serve() error {
	panics.Go(&g.serving, g.watch, panics.Logged(g.opts.Log, "Watching an admin page failed"))
	if err := g.write(encode(welcome{g.workers, g.opts.Answer})); err != nil {
		return err
	}
	var buf []byte
	for {
		_ = g.conn.SetReadDeadline(time.Now().Add(silence))
		text, err := g.conn.ReadText(buf, escaped*g.opts.Answer+maxReport, nil)
		if err == nil {
			err = g.receive(text)
		}
		if err != nil {
			return err
		}
		buf = text
	}
}

// watch sends checks until the page is lost.
func (g *page) watch() {
	tick := time.NewTicker(checkEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			_, _ = g.check()
		case <-g.life.Done():
			return
		}
	}
}

// check sends a check, and returns its number.
func (g *page) check() (number int, err error) {
	g.mu.Lock()
	g.checks++
	number = g.checks
	g.mu.Unlock()
	return number, g.write(encode(check{number}))
}

// confirm returns nil once the page has answered a check that is sent now, ErrLost or ErrReplaced if it is lost before.
func (g *page) confirm() error {
	number, err := g.check()
	for err == nil {
		g.mu.Lock()
		answered, news := g.checked >= number, g.news
		g.mu.Unlock()
		switch {
		case g.life.Err() != nil:
			return g.loss()
		case answered:
			return nil
		}
		select {
		case <-news:
		case <-g.life.Done():
			return g.loss()
		}
	}
	<-g.life.Done() // a page that cannot be written to is closed
	return g.loss()
}

// loss returns why a page whose life has ended was lost.
func (g *page) loss() error {
	if g.cause == ErrReplaced {
		return ErrReplaced
	}
	return ErrLost
}

// answeredCheck notes that the page has answered a check.
func (g *page) answeredCheck(number int) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if number > g.checks {
		return fmt.Errorf("there was no check %d", number)
	}
	g.checked = max(g.checked, number)
	close(g.news)
	g.news = make(chan struct{})
	return nil
}

// receive handles a report.
func (g *page) receive(text []byte) error {
	var r report
	if err := json.Unmarshal(text, &r); err != nil {
		return errMessage(text, err)
	}
	if r.Checked > 0 {
		return g.answeredCheck(r.Checked)
	}
	g.mu.Lock()
	known, b := r.From > 0 && r.From <= g.started, g.bots[r.From]
	g.mu.Unlock()
	switch {
	case !known:
		return errMessage(text, fmt.Errorf("there is no bot %d", r.From))
	case b == nil: // it was stopped meanwhile
	case r.Answer != nil:
		b.answered(*r.Answer)
	case r.Line != nil:
		b.print(*r.Line)
	case r.Ended != nil && *r.Ended:
		b.over(launch.Exit{Code: 1})
	case r.Ended != nil:
		b.over(launch.Exit{})
	default:
		return errMessage(text, errors.New("it says nothing of the bot"))
	}
	return nil
}

// write sends a message. If that fails, the page is lost.
func (g *page) write(text []byte) error {
	g.writing.Lock()
	defer g.writing.Unlock()
	_ = g.conn.SetWriteDeadline(time.Now().Add(writeTime))
	err := g.conn.WriteText(text)
	if err != nil {
		_ = g.conn.Close() // ends serve
	}
	return err
}

// close tells the page why it is closed, ends its bots, and returns when nothing of it is left.
func (g *page) close(why error) {
	g.closing.Do(func() {
		g.cause = why
		g.end()
		code, reason := closeRefused, ""
		switch {
		case why == ErrReplaced:
			code = closeReplaced
		case why == errDenied:
			code = closeDenied
		case why == errShutdown:
			code = closeNormal
		}
		if why != nil {
			reason = why.Error()
		}
		_ = g.conn.Bye(code, reason[:min(len(reason), maxReason)])
		_ = g.conn.Close()
		g.mu.Lock()
		var bots []*bot
		for _, b := range g.bots {
			bots = append(bots, b)
		}
		g.mu.Unlock()
		for _, b := range bots {
			b.over(launch.Exit{Code: 1})
		}
		g.serving.Wait()
	})
}

// start starts a bot by a command that [Command] has made.
func (g *page) start(c launch.Command) (*process.Process, error) {
	output, err := launch.NewOutput(c.Log, c.Line)
	if err != nil {
		return nil, err
	}
	b := &bot{page: g, output: output, ended: c.Ended, done: make(chan struct{}), answers: make(chan string, maxAnswers)}
	input, theirs := net.Pipe()
	out, ours := net.Pipe()
	b.input, b.out = input, ours
	g.mu.Lock()
	if g.life.Err() != nil {
		g.mu.Unlock()
		output.Close()
		return nil, ErrLost
	}
	g.started++
	b.number = g.started
	g.bots[b.number] = b
	panics.Go(&g.serving, b.pass, panics.Logged(g.opts.Log, "Passing messages to a worker failed"))
	panics.Go(&g.serving, b.answer, panics.Logged(g.opts.Log, "Passing answers of a worker failed"))
	g.mu.Unlock()
	_ = g.write(encode(start{b.number, sourcePath(c.Argv[1], c.Argv[2]), c.Argv[2], c.Argv[3]})) // an error ends serve
	return &process.Process{Child: b, Stdio: &process.Stdio{In: theirs, Out: out}}, nil
}

// take waits until n workers are free, or until there are n of them, if the page has fewer.
func (g *page) take(ctx context.Context, n int) error {
	c := &claim{n: min(n, g.workers), given: make(chan struct{})}
	g.mu.Lock()
	g.waiting = append(g.waiting, c)
	g.serveClaims()
	g.mu.Unlock()
	var err error
	select {
	case <-c.given:
		return nil
	case <-ctx.Done():
		err = context.Cause(ctx)
	case <-g.life.Done():
		err = ErrNoPage
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if i := slices.Index(g.waiting, c); i >= 0 {
		g.waiting = slices.Delete(g.waiting, i, i+1)
	} else {
		g.free += c.n // they were just given
	}
	g.serveClaims()
	return err
}

// give gives workers back that take has waited for.
func (g *page) give(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.free += min(n, g.workers)
	g.serveClaims()
}

// serveClaims gives free workers to those that have waited longest. The caller holds mu.
func (g *page) serveClaims() {
	for len(g.waiting) > 0 && g.waiting[0].n <= g.free {
		g.free -= g.waiting[0].n
		close(g.waiting[0].given)
		g.waiting = g.waiting[1:]
	}
}
