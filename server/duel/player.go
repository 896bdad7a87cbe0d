package duel

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/hexarena/hexarena/server/botapi"
	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/seat"
)

const (
	heedTime = time.Second           // for a bot to end by itself when it is told to
	pollTime = 50 * time.Millisecond // between looks whether a bot is there
	host     = "127.0.0.1"           // where started bots are to listen
)

// player is who plays a seat.
type player struct {
	seat.Spec
	mind botapi.Mind     // of a built-in player
	proc *launch.Process // of a bot that was started
	url  string
}

// reach makes a peer for one game.
func (p *player) reach(ctx context.Context, d *botapi.Dialer) (*botapi.Peer, error) {
	if p.mind != nil {
		return botapi.Local(p.Label, p.mind), nil
	}
	url := p.URL
	if p.proc != nil {
		url = p.url
	}
	return d.Dial(ctx, url)
}

// start starts a bot that is to listen on a free port, and waits until it does.
func (p *player) start(ctx context.Context, index int, o Options) error {
	port, err := freePort()
	if err != nil {
		return err
	}
	places := strings.NewReplacer("{host}", host, "{port}", port)
	argv := make([]string, 0, len(p.Argv))
	for _, word := range p.Argv {
		argv = append(argv, places.Replace(word))
	}
	c := launch.Command{
		Argv: argv,
		Env:  []string{"BOT_HOST=" + host, "BOT_PORT=" + port, "PYTHONUNBUFFERED=1"},
	}
	if o.Logs != "" {
		if err := os.MkdirAll(o.Logs, 0o755); err != nil {
			return err
		}
		c.Log = filepath.Join(o.Logs, fmt.Sprintf("%d-%s.log", index+1, fileName(p.Label)))
	}
	if p.proc, err = launch.Start(c); err != nil {
		return err
	}
	p.url = "http://" + net.JoinHostPort(host, port)
	return p.await(ctx, o.StartTimeout)
}

// freePort is a port that was free a moment ago. The bot has to bind it itself,
// so that somebody else could be faster; nobody is likely to.
func freePort() (string, error) {
	l, err := net.Listen("tcp", net.JoinHostPort(host, "0"))
	if err != nil {
		return "", err
	}
	defer func() { _ = l.Close() }()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port), nil
}

func fileName(label string) string {
	return strings.Map(func(r rune) rune {
		if r == '.' || r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '_'
	}, label)
}

// await waits until the bot serves its capabilities, or anything at all.
func (p *player) await(ctx context.Context, patience time.Duration) error {
	within, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	client := &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	tick := time.NewTicker(pollTime)
	defer tick.Stop()
	for {
		req, err := http.NewRequestWithContext(within, http.MethodGet, p.url+"/capabilities.json", nil)
		if err != nil {
			return err
		}
		if resp, err := client.Do(req); err == nil {
			return resp.Body.Close()
		}
		select {
		case <-tick.C:
		case <-p.proc.Done():
			return errors.New(p.ended() + " before it could be reached")
		case <-within.Done():
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			return fmt.Errorf("%s/capabilities.json cannot be had after %v; does the command take its port from {port} or BOT_PORT?", p.url, patience)
		}
	}
}

// ended says how the bot ended, and what it said last.
func (p *player) ended() string {
	text := "it ended (" + p.proc.Exit().String() + ")"
	if tail := p.proc.Tail(); len(tail) > 0 {
		text += ", saying: " + tail[len(tail)-1] + ","
	}
	return text
}
