// Package broker runs a NATS server with JetStream in this process, for the workers of one cup. No test but those of
// cmd/hexarena links it.
package broker

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/hexarena/hexarena/server/cup/remote/natsqueue"
)

const (
	// maxStore bounds the server's data on the disk: the results, objects and recordings that natsqueue bounds, and a quarter more
	// for data that is being removed.
	maxStore = natsqueue.MaxStored + natsqueue.MaxStored/4
	// maxMemory bounds streams in memory, of which there are none but the state of consumers.
	maxMemory = 64 << 20
	// maxConnections bounds the workers.
	maxConnections = 4096
	// startTimeout is for the server to read what it has on the disk.
	startTimeout = 30 * time.Second
)

// Options say where a broker listens, and which token it accepts.
type Options struct {
	Address string             // host:port; port 0 is any free one
	Key     ed25519.PrivateKey // of the certificate, by which workers know the broker
	Token   string             // the workers' password
	Dir     string             // of its data, which is a cache
	Names   natsqueue.Names
}

// Broker is a NATS server. It implements natsqueue.Embedded.
type Broker struct {
	opts    server.Options
	dir     string
	mu      sync.Mutex // guards server
	server  *server.Server
	address net.Addr
}

// Start starts a broker.
func Start(o Options) (*Broker, error) {
	host, port, err := net.SplitHostPort(o.Address)
	if err != nil {
		return nil, err
	}
	number, err := net.LookupPort("tcp", port)
	if err != nil {
		return nil, err
	}
	certificate, err := selfSigned(o.Key)
	if err != nil {
		return nil, err
	}
	b := &Broker{dir: o.Dir, opts: server.Options{
		ServerName: "hexarena", Host: host, Port: number, NoSigs: true, NoLog: true,
		JetStream: true, StoreDir: o.Dir, SyncAlways: true, JetStreamMaxStore: maxStore, JetStreamMaxMemory: maxMemory,
		MaxPayload: natsqueue.MaxPayload, MaxConn: maxConnections,
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS13}, TLS: true, TLSTimeout: 10,
		Users: []*server.User{{Username: coordinator, Password: rand.Text()}, {Username: o.Names.User(), Password: o.Token, Permissions: permissions(o.Names)}},
	}}
	if number == 0 {
		b.opts.Port = server.RANDOM_PORT
	}
	return b, b.start()
}

// coordinator is the user that may do everything, from within this process.
const coordinator = "coordinator"

// permissions returns the permissions of workers: they may send requests, results and recordings, and read objects.
func permissions(n natsqueue.Names) *server.Permissions {
	return &server.Permissions{
		Publish:   &server.SubjectPermission{Allow: n.WorkerSubjects()},
		Subscribe: &server.SubjectPermission{Allow: []string{"_INBOX.>"}},
	}
}

// start starts the server, on the same port as before.
func (b *Broker) start() error {
	opts := b.opts // which the server changes
	s, err := server.NewServer(&opts)
	if err != nil {
		return fmt.Errorf("the broker for workers: %w", err)
	}
	s.Start()
	if !s.ReadyForConnections(startTimeout) {
		s.Shutdown()
		return fmt.Errorf("the broker for workers does not start within %v: is %s free, and %s on a disk with space?", startTimeout, net.JoinHostPort(b.opts.Host, fmt.Sprint(b.opts.Port)), b.dir)
	}
	if !s.JetStreamEnabled() {
		s.Shutdown()
		return fmt.Errorf("the broker for workers cannot use %s: is there space on the disk, and may it write there?", b.dir)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.server, b.address = s, s.Addr()
	b.opts.Port = b.address.(*net.TCPAddr).Port
	return nil
}

// Addr returns where the broker listens.
func (b *Broker) Addr() net.Addr { return b.address }

// Credentials returns the user and the password of this process.
func (b *Broker) Credentials() (user, password string) {
	return coordinator, b.opts.Users[0].Password
}

// InProcessConn returns a connection to the server as it runs now. It implements nats.InProcessConnProvider.
func (b *Broker) InProcessConn() (net.Conn, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.server == nil {
		return nil, errors.New("the broker is being restarted")
	}
	return b.server.InProcessConn()
}

// Sound reports whether the server runs and has its data.
func (b *Broker) Sound() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	_, err := os.Stat(filepath.Join(b.dir, server.JetStreamStoreDir))
	return err == nil && b.server != nil && b.server.Running() && b.server.JetStreamEnabled()
}

// Renew restarts the server without its data, on the same port.
func (b *Broker) Renew() error {
	b.Stop()
	if err := os.RemoveAll(b.dir); err != nil {
		return err
	}
	return b.start()
}

// Stop stops the server.
func (b *Broker) Stop() {
	b.mu.Lock()
	s := b.server
	b.server = nil
	b.mu.Unlock()
	if s != nil {
		s.Shutdown()
		s.WaitForShutdown()
	}
}

// selfSigned returns a certificate for a key, which workers compare and nothing else: it has no name, and does not expire.
func selfSigned(key ed25519.PrivateKey) (tls.Certificate, error) {
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "hexarena"},
		NotBefore: time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC), NotAfter: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, err
}
