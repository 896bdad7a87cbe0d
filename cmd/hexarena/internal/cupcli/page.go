package cupcli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/browser"
	"github.com/hexarena/hexarena/cmd/hexarena/internal/logs"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/cup/scoreboard"
	"github.com/hexarena/hexarena/server/export"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/netconn"
	"github.com/hexarena/hexarena/server/web"
)

// Page holds the address at which a cup is shown in browsers, if it is.
type Page struct {
	HTTP  string // the address; empty: no page, unless it is opened
	Hosts string // names of this machine that have a dot, separated by spaces
	Open  bool   // open it in a browser, and keep it until Ctrl-C

	Games   games.List
	Version string // of the program
	Stderr  io.Writer
}

// Wanted reports whether there is to be a page.
func (p *Page) Wanted() bool { return p.HTTP != "" || p.Open }

// Shown is a page that is shown.
type Shown struct {
	live    *scoreboard.Live
	stop    context.CancelFunc
	endPage func()
	open    bool
}

// Show shows the page of a cup, and returns when it can be reached. The caller must close it. If there is to be
// no page, it returns nil, which can be closed as well.
func (p *Page) Show(ctx context.Context, c *archive.Cup) (*Shown, error) {
	if !p.Wanted() {
		return nil, nil
	}
	ctx, stop := context.WithCancel(ctx)
	s := &Shown{live: scoreboard.Open(ctx, c), stop: stop, open: p.Open}
	o := web.Options{
		Address: p.HTTP, Hosts: strings.Fields(p.Hosts), Recordings: web.NewFolder(c.RecordingsDir(), p.Games.Replay), Draw: export.Drawing(c.RecordingsDir(), p.Games), Cup: s.live, Version: p.Version, Log: logs.Warnings(p.Stderr),
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
	fmt.Fprintln(p.Stderr, "watch at", page.URL())
	if !netconn.AddrPort(page.Addr()).Addr().IsLoopback() {
		fmt.Fprintln(p.Stderr, "anyone who can reach the page can watch; --http 127.0.0.1:8080 restricts it to this machine")
	}
	if p.Open {
		p.openBrowser(ctx, page.URL())
	}
	return s, nil
}

// failTime is how long a browser may take to say that it cannot be opened. The page does not depend on it.
const failTime = 2 * time.Second

func (p *Page) openBrowser(ctx context.Context, url string) {
	failed := browser.Open(url)
	patience := time.NewTimer(failTime)
	defer patience.Stop()
	select {
	case err := <-failed:
		fmt.Fprintf(p.Stderr, "no browser could be opened (%v); open the address above in one\n", err)
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

// Close ends the page.
func (s *Shown) Close() {
	if s != nil {
		s.stop()
		s.endPage()
	}
}
