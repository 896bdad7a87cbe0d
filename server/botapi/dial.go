package botapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/protocol/htttx"
)

// Timeouts of connecting to a bot.
const (
	fetchTimeout = 3 * time.Second // of its capabilities
	dialTimeout  = 10 * time.Second
)

// Dialer connects to bots that listen.
type Dialer struct {
	client *http.Client
	log    zerolog.Logger
}

// NewDialer returns a dialer. In public mode, it refuses addresses that are not on
// the public Internet: addresses then come from strangers, who must not reach hosts
// behind the server's firewall.
func NewDialer(public bool, log zerolog.Logger) *Dialer {
	return NewDialerOver(systemConnect(public), log)
}

// Connect connects to a network address, as [net.Dialer.DialContext] does.
type Connect func(ctx context.Context, network, address string) (net.Conn, error)

// NewDialerOver returns a dialer over another network than the system's.
func NewDialerOver(connect Connect, log zerolog.Logger) *Dialer {
	return &Dialer{client: newClient(connect), log: log}
}

// Dial connects to the bot at an address, in any of the forms that [htttx.CapabilitiesURL] reads.
// If the bot's capabilities cannot be read, Dial tries the default path with the base features.
func (d *Dialer) Dial(ctx context.Context, address string) (*Peer, error) {
	from, err := htttx.CapabilitiesURL(address)
	if err != nil {
		return nil, err
	}
	shown := htttx.ShownAddress(address)
	log := d.log.With().Str("bot", shown).Str("url", from.Redacted()).Logger()
	caps, at, err := d.fetch(ctx, from)
	if err == nil && caps.Socket == nil && caps.Stateless == nil {
		err = errors.New("it declares neither basic_websocket nor stateless v1-alpha")
	}
	if err != nil {
		log.Warn().Err(err).Msg("Cannot use the bot's capabilities; trying the default path")
		at, caps.Socket = from, &htttx.Socket{APIRoot: htttx.DefaultSocketRoot}
	}
	for _, w := range caps.Warnings {
		log.Warn().Str("name", displayName(caps.Meta.Name)).Msg("Inconsistent capabilities: " + w)
	}
	p := &Peer{Name: displayName(caps.Meta.Name), Address: shown, Caps: caps, capsURL: at}
	if p.Name == "" {
		p.Name = displayName(from.Host)
	}
	return d.connect(ctx, p, caps.Socket == nil)
}

// Redial connects again to a bot that this dialer has dialled, by stateless requests or over a
// WebSocket, either of which the bot has to support. It does not read the capabilities again.
func (d *Dialer) Redial(ctx context.Context, p *Peer, stateless bool) (*Peer, error) {
	return d.connect(ctx, &Peer{Name: p.Name, Address: p.Address, Caps: p.Caps, capsURL: p.capsURL},
		stateless)
}

func (d *Dialer) connect(ctx context.Context, p *Peer, stateless bool) (*Peer, error) {
	connect := d.dialSocket
	if stateless {
		connect = d.stateless
	}
	if err := connect(ctx, p); err != nil {
		return nil, fmt.Errorf("bot %s: %w", p.Address, err)
	}
	return p, nil
}

func (d *Dialer) dialSocket(ctx context.Context, p *Peer) error {
	p.socket = *p.Caps.Socket
	u, err := htttx.SocketURL(p.capsURL, p.socket.APIRoot)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	l, err := dialSocket(ctx, u.String(), d.client)
	if err != nil {
		return fmt.Errorf("cannot dial %s: %w", u.Redacted(), err)
	}
	p.transport = newSocket(l)
	return nil
}

func (d *Dialer) stateless(_ context.Context, p *Peer) error {
	u, err := htttx.TurnURL(p.capsURL, p.Caps.Stateless.APIRoot)
	if err != nil {
		return err
	}
	p.socket = htttx.Socket{MoveTimeLimit: p.Caps.Stateless.MoveTimeLimit}
	p.transport = newStateless(d.client, u.String())
	return nil
}

// Close closes idle connections. It does not affect peers.
func (d *Dialer) Close() { d.client.CloseIdleConnections() }

// fetch returns a bot's capabilities and the URL at which they were found, after
// redirects. Relative URLs in them refer to that URL.
func (d *Dialer) fetch(
	ctx context.Context, from *url.URL,
) (c htttx.Capabilities, at *url.URL, err error) {
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, from.String(), nil)
	if err != nil {
		return c, nil, err
	}
	resp, err := d.client.Do(req)
	if err != nil {
		if ctx.Err() == context.DeadlineExceeded {
			err = fmt.Errorf("no answer within %v", fetchTimeout)
		}
		return c, nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return c, nil, errors.New("the answer is " + resp.Status)
	}
	body, err := readBody(resp.Body)
	if err != nil {
		return c, nil, err
	}
	c, err = htttx.ParseCapabilities(body)
	return c, resp.Request.URL, err
}

// readBody reads a body of at most MaxMessage bytes.
func readBody(r io.Reader) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(r, MaxMessage+1))
	if err == nil && len(body) > MaxMessage {
		return nil, errTooLong
	}
	return body, err
}
