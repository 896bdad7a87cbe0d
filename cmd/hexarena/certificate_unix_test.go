//go:build unix

package main

import (
	"encoding/json"
	"os"
	"strconv"
	"syscall"
	"testing"
)

// A certificate that was renewed serves the next connection, and SIGHUP does not end the server.
// Files that do not fit together leave the certificate as it is.
func TestCertificateIsRenewed(t *testing.T) {
	t.Parallel()
	cert, key := selfSigned(t)
	p := start(t, command(t, "serve", "--bind=127.0.0.1",
		"--port="+strconv.Itoa(freePort(t)), "--http=127.0.0.1:0", "--record=",
		"--json-logs", "--tls-cert="+cert, "--tls-key="+key))
	var line struct{ Page string }
	if err := json.Unmarshal([]byte(p.nextLine()), &line); err != nil {
		t.Fatal(err)
	}
	served := func(cert string) error {
		t.Helper()
		resp, err := trusting(t, cert).Get(line.Page + "healthz")
		if err == nil {
			err = resp.Body.Close()
		}
		return err
	}
	if err := served(cert); err != nil {
		t.Fatal(err)
	}
	newCert, newKey := selfSigned(t)
	replace := func(from, to string) {
		t.Helper()
		text, err := os.ReadFile(from)
		if err == nil {
			err = os.WriteFile(to+".new", text, 0o600)
		}
		if err == nil {
			err = os.Rename(to+".new", to)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	replace(newKey, key)
	replace(newCert, cert)
	if err := p.Cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	if err := served(newCert); err != nil {
		t.Errorf("the new certificate: %v", err)
	}
	replace(newCert, key) // no key
	if err := served(newCert); err != nil {
		t.Errorf("beside a key that does not fit: %v", err)
	}
	p.quit()
}
