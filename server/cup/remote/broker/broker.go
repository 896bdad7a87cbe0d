// Package broker runs a NATS server with JetStream in this process, for the workers of one cup. No
// test but those of cmd/hexarena links it.
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
	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/server/cup/remote/natsqueue"
	"github.com/hexarena/hexarena/server/machine/limits"
)

const (
	// maxStore bounds the server's data on the disk: the results, objects and recordings that
	// natsqueue bounds, and a quarter more for data that is being removed.
	maxStore = natsqueue.MaxStored + natsqueue.MaxStored/4
	// maxMemory bounds streams in memory, of which there are none but the state of consumers.
	maxMemory = 64 << 20
	// startTimeout is for the server to read what it has on the disk.
	startTimeout = 30 * time.Second
	// loginTimeout is the number of seconds a client has to log in after the TLS handshake.
	loginTimeout = 5
)

// Options say where a broker listens, and which token it accepts.
type Options struct {
	Address string             // host:port; port 0 is any free one
	Key     ed25519.PrivateKey // of the certificate, by which workers know the broker
	Token   string             // the workers' password
	Dir     string             // of its data, which is a cache
	Names   natsqueue.Names
	// Connections counts the connections with those of other ports of the process; nil: by itself.
	Connections *limits.Connections
}

// Broker is a NATS server. It implements natsqueue.Embedded.
type Broker struct {
	opts     server.Options
	password string // of the coordinator
	dir      string
	front    *front
	mu       sync.Mutex // guards server
	server   *server.Server
}

// Start starts a broker.
func Start(o Options) (*Broker, error) {
	certificate, err := selfSigned(o.Key)
	if err != nil {
		return nil, err
	}
	b := &Broker{dir: o.Dir, password: rand.Text()}
	b.opts = server.Options{
		ServerName: "hexarena", DontListen: true, NoSigs: true, NoLog: true,
		JetStream: true, StoreDir: o.Dir, SyncAlways: true, JetStreamMaxStore: maxStore,
		JetStreamMaxMemory: maxMemory,
		MaxPayload:         natsqueue.MaxPayload, AuthTimeout: loginTimeout,
		CustomClientAuthentication: &logins{b.password, o.Token, o.Names},
	}
	if err := b.start(); err != nil {
		return nil, err
	}
	limiter := o.Connections
	if limiter == nil {
		limiter = limits.NewConnections(limits.Descriptors(), zerolog.Nop())
	}
	secure := &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS13}
	if b.front, err = newFront(o.Address, secure, limiter, b.InProcessConn); err != nil {
		b.Stop()
		return nil, err
	}
	return b, nil
}

// start starts the server.
func (b *Broker) start() error {
	opts := b.opts // which the server changes
	s, err := server.NewServer(&opts)
	if err != nil {
		return fmt.Errorf("the broker for workers: %w", err)
	}
	s.Start()
	if !s.ReadyForConnections(startTimeout) {
		s.Shutdown()
		return fmt.Errorf("the broker for workers does not start within %v: is %s on a disk with space?",
			startTimeout, b.dir)
	}
	if !s.JetStreamEnabled() {
		s.Shutdown()
		return fmt.Errorf(
			"the broker for workers cannot use %s: is there space on the disk, and may it write there?",
			b.dir)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.server = s
	return nil
}

// Addr returns where the broker listens.
func (b *Broker) Addr() net.Addr { return b.front.listener.Addr() }

// Credentials returns the user and the password of this process.
func (b *Broker) Credentials() (user, password string) {
	return coordinator, b.password
}

// InProcessConn returns a connection to the server as it runs now. It implements
// nats.InProcessConnProvider.
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

// Renew restarts the server without its data. The port stays.
func (b *Broker) Renew() error {
	b.stop()
	if err := os.RemoveAll(b.dir); err != nil {
		return err
	}
	return b.start()
}

// Stop closes the port and stops the server.
func (b *Broker) Stop() {
	b.stop()
	if b.front != nil {
		b.front.close()
	}
}

// stop stops the server, which ends all connections to it.
func (b *Broker) stop() {
	b.mu.Lock()
	s := b.server
	b.server = nil
	b.mu.Unlock()
	if s != nil {
		s.Shutdown()
		s.WaitForShutdown()
	}
}

// selfSigned returns a certificate for a key, which workers compare and nothing else: it has no
// name, and does not expire.
func selfSigned(key ed25519.PrivateKey) (tls.Certificate, error) {
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "hexarena"},
		NotBefore:   time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC),
		NotAfter:    time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC),
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, err
}
