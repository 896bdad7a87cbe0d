package cupcli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/cli"
	"github.com/hexarena/hexarena/cmd/hexarena/internal/logs"
	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/cup/remote"
	"github.com/hexarena/hexarena/server/cup/site"
	"github.com/hexarena/hexarena/server/export"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/machine/netconn"
	"github.com/hexarena/hexarena/server/machine/probe"
	"github.com/hexarena/hexarena/server/metrics"
	"github.com/hexarena/hexarena/server/web"
)

// Page holds the address at which a cup is shown in browsers, if it is.
type Page struct {
	HTTP   string // the address; empty: no page, unless it is opened
	Health string // an address that answers probes only, beside HTTP; empty: none
	Hosts  string // names of this machine that have a dot, separated by spaces
	Open   bool   // open it in a browser, and keep it until Ctrl-C

	cli.Program
}

// Wanted reports whether there is to be a page.
func (p *Page) Wanted() bool { return p.HTTP != "" || p.Open }

// Shown is a page that is shown.
type Shown struct {
	live       *site.Live
	counts     *metrics.Process
	stop       context.CancelFunc
	endPage    func()
	stopProbes func()
	open       bool
}

// Show shows the page of a cup, and returns when it can be reached. The caller must close it. If
// there is to be no page, it returns nil, which can be closed as well.
func (p *Page) Show(ctx context.Context, c *archive.Cup) (*Shown, error) {
	if !p.Wanted() {
		return nil, nil
	}
	ctx, stop := context.WithCancel(ctx)
	s := &Shown{
		live: site.OpenLive(ctx, c), counts: metrics.NewProcess(p.Version), stop: stop,
		stopProbes: func() {}, open: p.Open,
	}
	o := web.Options{
		Address: p.HTTP, Hosts: strings.Fields(p.Hosts),
		Recordings: web.NewFolder(c.RecordingsDir(), p.Games.Replay),
		Draw:       export.Drawing(c.RecordingsDir(), p.Games), Cup: s.live, Version: p.Version,
		Metrics: s.counts.Handler(), Log: logs.Warnings(p.Stderr),
	}
	if p.HTTP == "" {
		o.Address = web.DefaultAddress
	}
	page, end, err := host.OpenPage(o, p.HTTP == "")
	if err != nil {
		stop()
		return nil, fmt.Errorf("--http: %w; choose another address", err)
	}
	s.endPage = end
	s.counts.Viewers(page.Viewers)
	if p.Health != "" {
		_, s.stopProbes, err = probe.Start(probe.Options{
			Address: p.Health, Ready: page.Ready, Log: o.Log,
		})
		if err != nil {
			stop()
			end()
			return nil, fmt.Errorf("--health: %w; choose another address", err)
		}
	}
	fmt.Fprintln(p.Stderr, "watch at", page.URL())
	if !netconn.AddrPort(page.Addr()).Addr().IsLoopback() {
		fmt.Fprintln(p.Stderr,
			"anyone who can reach the page can watch; --http 127.0.0.1:8080 restricts it to this machine")
	}
	if p.Open {
		p.openBrowser(ctx, page.URL())
	}
	return s, nil
}

// failTime is the time that a browser may take to say that it cannot be opened. The page does not
// depend on it.
const failTime = 2 * time.Second

func (p *Page) openBrowser(ctx context.Context, url string) {
	failed := cli.OpenBrowser(url)
	patience := time.NewTimer(failTime)
	defer patience.Stop()
	select {
	case err := <-failed:
		fmt.Fprintf(p.Stderr, "no browser could be opened (%v); open the address above in one\n",
			tui.Plain(err.Error()))
	case <-patience.C:
	case <-ctx.Done():
	}
}

// Finish says that the cup is over. If the page was opened, it then waits for Ctrl-C.
func (s *Shown) Finish(ctx context.Context) {
	if s == nil {
		return
	}
	s.live.Finish()
	if s.open {
		<-ctx.Done()
	}
}

// count reports the workers in the metrics at the page.
func (s *Shown) count(c *remote.Coordinator) {
	if s != nil {
		s.counts.Workers(CountedBy(c))
	}
}

// CountedBy returns a function that returns what metrics report of the workers of a coordinator.
func CountedBy(c *remote.Coordinator) func() metrics.Workers {
	return func() metrics.Workers {
		now := c.Status()
		w := metrics.Workers{
			States: map[string]int{
				"alive": now.Alive, "silent": now.Silent, "left": now.Left, "refused": now.Refused,
			},
			Leases: now.Leases, Ended: map[string]int{}, Queued: now.Queued, Leased: now.Leased,
			Results: now.Results, Verified: now.Verified, Conflicts: now.Conflicts,
		}
		for end, n := range now.Ended {
			w.Ended[end.String()] = n
		}
		if n := len(now.Rates); n > 0 {
			w.Slowest, w.Median, w.Fastest = now.Rates[0], now.Rates[n/2], now.Rates[n-1]
		}
		return w
	}
}

// Close ends the page.
func (s *Shown) Close() {
	if s != nil {
		s.stopProbes()
		s.stop()
		s.endPage()
	}
}
