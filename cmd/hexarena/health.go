package main

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
)

func newHealth() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "health [ADDRESS]",
		Short: "Check that a server is healthy",
		Long: `Request /healthz from a server. The exit code is 0 if it is healthy, otherwise 1, as
health checks of containers expect it.

ADDRESS is that of the server's --health or --http, with https:// before it if the page has
a certificate, which is not checked. The default is the address at which hexarena serve
would answer with the settings of the environment.`,
		Args: cobra.MaximumNArgs(1),
	}
	out := addOutput(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return askHealth(cmd.Context(), args[0], out)
		}
		v, err := serveScope.Load(pflag.NewFlagSet("", pflag.ContinueOnError), os.Environ())
		if err != nil {
			return err
		}
		c := v.Config()
		address := c.HTTP
		if c.TLSCert != "" {
			address = "https://" + address
		}
		return askHealth(cmd.Context(), cmp.Or(c.Health, address), out)
	}
	return cmd
}

// reasonOf returns why a connection failed, without the addresses and system calls that Go adds.
func reasonOf(err error) string {
	var call *os.SyscallError
	var lookup *net.DNSError
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("no answer within %v", healthTime)
	case errors.As(err, &lookup):
		return lookup.Err
	case errors.As(err, &call):
		return call.Err.Error()
	}
	return err.Error()
}

// healthTime bounds a health check.
const healthTime = 3 * time.Second

// askHealth prints what the server at an address reports about itself. The error says why it is not
// healthy.
func askHealth(ctx context.Context, address string, out *output) error {
	scheme, at, found := strings.Cut(address, "://")
	if !found {
		scheme, at = "http", address
	}
	host, port, err := net.SplitHostPort(strings.TrimSuffix(at, "/"))
	if err != nil {
		return fmt.Errorf("http = %q: there is no page to ask; give its ADDRESS, such as 127.0.0.1:8080",
			address)
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	ctx, cancel := context.WithTimeout(ctx, healthTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet,
		scheme+"://"+net.JoinHostPort(host, port)+"/healthz", nil)
	if err != nil {
		return err
	}
	// No proxy is used. The certificate is not checked: it is for the name that browsers use, no
	// secret is sent, and the answer is one word.
	client := &http.Client{
		Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}},
	}
	resp, err := client.Do(req)
	if failed := (*url.Error)(nil); errors.As(err, &failed) {
		return fmt.Errorf("no server answers at %s: %s; start one with hexarena serve, or give the "+
			"ADDRESS of its --health or --http", req.URL, reasonOf(failed.Err))
	}
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 4<<10))
	if err != nil {
		return err
	}
	text := strings.TrimSpace(string(body))
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s %s", req.URL, resp.Status, tui.Plain(text))
	}
	return out.print(struct {
		Address string `json:"address"`
		Status  string `json:"status"` // as the server reports it
	}{req.URL.Host, text}, "%s\n", tui.Plain(text))
}
