package natsqueue

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/hexarena/hexarena/server/cup/remote"
)

// Pinned is the scheme of the address of an embedded server, whose certificate has the key that
// follows "#".
const Pinned = "tls"

// Address is where a worker finds its coordinator: the server's URLs, and the coordinator's key.
type Address struct {
	Servers string
	Key     ed25519.PublicKey
	pinned  bool
}

// ParseAddress reads an address as a cup prints it: one or several URLs, separated by commas, and
// after "#" the key.
func ParseAddress(text string) (Address, error) {
	servers, key, ok := strings.Cut(text, "#")
	if !ok {
		return Address{}, fmt.Errorf("%.200q has no # with a key after it: copy the whole line that the "+
			"cup prints, in quotes if the shell needs them", text)
	}
	a := Address{Servers: servers}
	var err error
	if a.Key, err = remote.ParseKey(key); err != nil {
		return a, err
	}
	for one := range strings.SplitSeq(servers, ",") {
		u, err := url.Parse(one)
		if err != nil || u.Host == "" {
			return a, fmt.Errorf("%.200q is no URL such as tls://worker:TOKEN@192.168.1.5:4333", one)
		}
		a.pinned = a.pinned || u.Scheme == Pinned && u.User.Username() == Names{}.User()
	}
	return a, nil
}

// Client is a worker's side of the queue.
type Client struct {
	names Names
	id    string
	dials *dialer
	conn  *nats.Conn
	js    jetstream.JetStream
}

// Dial connects to the servers of an address as the worker with an ID. A server that is away is
// tried again, for as long as the client is open: the error is one of the address.
func Dial(a Address, id string) (*Client, error) {
	if !ValidID(id) {
		return nil, fmt.Errorf("%.200q is no ID of a worker", id)
	}
	dialer, servers := &dialer{Dialer: net.Dialer{Timeout: dialTimeout}}, a.Servers
	if a.pinned {
		dialer.secure, servers = pinned(a.Key), strings.ReplaceAll(servers, Pinned+"://", "nats://")
	}
	options := append(usual(id), nats.CustomInboxPrefix(Inbox(id)), nats.SetCustomDialer(dialer))
	conn, err := nats.Connect(servers, options...)
	if err != nil {
		return nil, err
	}
	js, err := jetstream.New(conn)
	if err != nil {
		return nil, err
	}
	return &Client{names: NamesOf(a.Key), id: id, dials: dialer, conn: conn, js: js}, nil
}

// usual returns the options of all connections. A connection that breaks is opened again without a
// limit, and no message is kept meanwhile, since its sender tries again.
func usual(name string) []nats.Option {
	return []nats.Option{
		nats.Name(name), nats.MaxReconnects(-1), nats.ReconnectWait(500 * time.Millisecond),
		nats.ReconnectJitter(500*time.Millisecond, 500*time.Millisecond),
		nats.RetryOnFailedConnect(true), nats.ReconnectBufSize(-1), nats.Timeout(dialTimeout),
		nats.PingInterval(5 * time.Second), nats.MaxPingsOutstanding(2),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}),
		nats.IgnoreAuthErrorAbort(),
		nats.SetCustomDialer(&dialer{Dialer: net.Dialer{Timeout: dialTimeout}}),
	}
}

// dialTimeout is the time that a connection may take to be made, and then to log in.
const dialTimeout = 5 * time.Second

// dialer makes the connections of one client, which calls it again once the last one is of no use:
// nats.go leaves a connection open whose TLS handshake failed.
type dialer struct {
	net.Dialer
	// of an embedded server, with which connections begin with TLS; nil: NATS says when to begin
	// with it
	secure *tls.Config
	last   net.Conn

	mu  sync.Mutex
	err error // of the last TLS handshake, which nats.go does not tell
}

// failure returns why the last TLS handshake failed, nil if it did not.
func (d *dialer) failure() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.err
}

// Dial implements nats.CustomDialer.
func (d *dialer) Dial(network, address string) (net.Conn, error) {
	if d.last != nil {
		_ = d.last.Close()
	}
	conn, err := d.Dialer.Dial(network, address)
	d.last = conn
	if err != nil || d.secure == nil {
		return conn, err
	}
	secure := tls.Client(conn, d.secure)
	_ = conn.SetDeadline(time.Now().Add(dialTimeout))
	err = secure.Handshake()
	d.mu.Lock()
	d.err = err
	d.mu.Unlock()
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return secure, conn.SetDeadline(time.Time{})
}

// pinned returns a configuration that accepts the certificate with a key, and no other.
func pinned(key ed25519.PublicKey) *tls.Config {
	return &tls.Config{
		// no authority knows the certificate: VerifyConnection does
		MinVersion: tls.VersionTLS13, InsecureSkipVerify: true,
		VerifyConnection: func(s tls.ConnectionState) error {
			return verifyKey(s.PeerCertificates, key)
		},
	}
}

func verifyKey(certificates []*x509.Certificate, key ed25519.PublicKey) error {
	if len(certificates) > 0 {
		if got, ok := certificates[0].PublicKey.(ed25519.PublicKey); ok && got.Equal(key) {
			return nil
		}
	}
	return errors.New("the server has another key than the address of the worker: copy the whole " +
		"line that the cup prints")
}

// Close ends the connection.
func (c *Client) Close() { c.conn.Close() }

// Trouble returns why there is no connection, nil if there is one or none is known.
func (c *Client) Trouble() error {
	if c.conn.IsConnected() {
		return nil
	}
	return cmp.Or(c.dials.failure(), c.conn.LastError())
}

// Request implements remote.Client.
func (c *Client) Request(ctx context.Context, request []byte) ([]byte, error) {
	answer, err := c.conn.RequestWithContext(ctx, c.names.requests()+"."+c.id, request)
	if err != nil {
		return nil, err
	}
	return answer.Data, nil
}

// Publish implements remote.Client.
func (c *Client) Publish(ctx context.Context, results []byte) error {
	_, err := c.js.Publish(ctx, c.names.results()+"."+c.id, results)
	return err
}
