package web

import (
	"crypto/tls"
	"fmt"
	"os"
	"sync"

	"github.com/rs/zerolog"
)

// certificate is the certificate in two files, which are read again for the first connection after
// they have changed: programs that renew certificates replace the files.
type certificate struct {
	cert, key string // the files
	log       zerolog.Logger

	mu     sync.Mutex
	pair   *tls.Certificate
	stamps [2]stamp // of the files when they were read last
}

// stamp differs between two versions of a file.
type stamp struct {
	modified int64 // nanoseconds since 1970
	size     int64
}

// loadCertificate reads a certificate and its key.
func loadCertificate(cert, key string, log zerolog.Logger) (*certificate, error) {
	c := &certificate{cert: cert, key: key, log: log}
	c.stamps = c.look()
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return nil, fmt.Errorf("tls-cert = %q, tls-key = %q: %w", cert, key, err)
	}
	c.pair = &pair
	return c, nil
}

// look returns the stamps of the files, which are zero for a file that is missing.
func (c *certificate) look() (stamps [2]stamp) {
	for i, name := range []string{c.cert, c.key} {
		if info, err := os.Stat(name); err == nil {
			stamps[i] = stamp{info.ModTime().UnixNano(), info.Size()}
		}
	}
	return stamps
}

// get returns the certificate for a connection. A pair of files that does not fit together, such as
// a new certificate beside the key of the old one, is logged once, and the last good pair stays.
// Two stats cost a hundredth of a handshake.
func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.look()
	if now == c.stamps {
		return c.pair, nil
	}
	c.stamps = now
	pair, err := tls.LoadX509KeyPair(c.cert, c.key)
	if err != nil {
		c.log.Warn().Err(err).Str("tls-cert", c.cert).Str("tls-key", c.key).Msg(
			"The certificate cannot be read again: the one before stays")
		return c.pair, nil
	}
	c.pair = &pair
	c.log.Info().Str("tls-cert", c.cert).Msg("The certificate was read again")
	return c.pair, nil
}
