package main

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/logs"
	"github.com/hexarena/hexarena/cmd/hexarena/internal/signals"
	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/connlimit"
	"github.com/hexarena/hexarena/server/join"
	"github.com/hexarena/hexarena/server/metrics"
	"github.com/hexarena/hexarena/server/probe"
	"github.com/hexarena/hexarena/server/relay"
	"github.com/hexarena/hexarena/server/web"
)

// Defaults and limits of a relay.
const (
	relayViewers    = 6000 // connections to the page, as with serve
	maxRelayViewers = 1_000_000
	relayLocal      = 16 // connections from this machine beyond these: probes, and a browser
	maxMatchMiB     = 1 << 14
	tokenVariable   = "HEXARENA_RELAY_TOKEN"
)

// relayOptions are the flags of relay.
type relayOptions struct {
	http, hosts, health, cert, key string
	token                          string
	viewers, matchMiB              int
	json                           bool
}

func newRelay() *cobra.Command {
	var o relayOptions
	cmd := &cobra.Command{
		Use:   "relay URL",
		Short: "Show the matches of another server to more viewers",
		Long: `Show the matches of another server to more viewers.

URL is the address of the server's page. The relay subscribes to its matches once, however many
viewers it has, and serves them the same page at its own address. A relay can also subscribe to
another relay. Viewers see the matches and, as the server answers it, all else that can be read there;
bots and people join at the server, and its operator works there.

If the server is away, the relay tells its viewers, keeps what it has, and connects again until the
server answers. If the server has --tokens, the relay needs a token for a visualization or the
operator's: give it in ` + tokenVariable + `, which other users of the machine cannot read.

The exit code is 0 when it is stopped, 2 for wrong flags or an address that cannot be listened on, and
1 if its port is in use.`,
		Example: `  hexarena relay http://192.168.1.5:4242/ --http :8080
  hexarena relay https://arena.example.org/ --http :443 --tls-cert cert.pem --tls-key key.pem`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return runRelay(cmd, args[0], o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.http, "http", web.DefaultAddress, "address of the relay's page; :8080 for all interfaces")
	f.StringVar(&o.hosts, "page-hosts", "", "names of this machine that have a dot, separated by spaces, if a proxy on it forwards requests")
	f.StringVar(&o.health, "health", "", "address that answers /healthz and /readyz for supervisors; empty: none of its own")
	f.StringVar(&o.cert, "tls-cert", "", "file with a certificate, for HTTPS")
	f.StringVar(&o.key, "tls-key", "", "file with its key")
	f.StringVar(&o.token, "token", os.Getenv(tokenVariable), "token that the server requires of relays (default $"+tokenVariable+")")
	f.IntVar(&o.viewers, "max-page-connections", relayViewers, "connections of viewers at a time")
	f.IntVar(&o.matchMiB, "match-memory", 0, "MiB of the history of each match, of which the oldest turns are dropped; 0: 256, or an eighth of the memory limit")
	f.BoolVar(&o.json, "json-logs", false, "write the log as JSON")
	return cmd
}

// check returns an error for values that are out of range.
func (o *relayOptions) check() error {
	switch {
	case o.viewers < 1 || o.viewers > maxRelayViewers:
		return fmt.Errorf("--max-page-connections %d: want 1 to %d", o.viewers, maxRelayViewers)
	case o.matchMiB < 0 || o.matchMiB > maxMatchMiB:
		return fmt.Errorf("--match-memory %d: want 0 to %d MiB", o.matchMiB, maxMatchMiB)
	case (o.cert == "") != (o.key == ""):
		return errors.New("--tls-cert and --tls-key belong together: give both or neither")
	}
	for flag, address := range map[string]string{"http": o.http, "health": o.health} {
		if _, _, err := net.SplitHostPort(address); err != nil && (address != "" || flag == "http") {
			return fmt.Errorf("--%s %q: want an address such as 127.0.0.1:8080 or :8080", flag, address)
		}
	}
	return nil
}

// runRelay relays until it is stopped.
func runRelay(cmd *cobra.Command, url string, o relayOptions) error {
	address, err := join.ParseAddress(url)
	if err := cmp.Or(err, o.check()); err != nil {
		return usage(err)
	}
	ctx, done := signals.Context(cmd.Context())
	defer done(nil)
	out := logs.NewConsole(cmd.OutOrStdout())
	defer out.Close()
	log := logs.New(out, config.Verbose, o.json, false)
	counts := metrics.New(versionText())
	connections := connlimit.New(connlimit.Descriptors(), log)
	r, err := relay.Open(relay.Options{
		Server: address.String(), Token: cmp.Or(o.token, address.Token), MatchBytes: o.matchMiB << 20, Log: log,
		Web: web.Options{
			Address: o.http, Hosts: strings.Fields(o.hosts), Certificate: o.cert, Key: o.key, Version: versionText(),
			Port:    connections.Port(connlimit.Limits{Connections: o.viewers, PerAddress: o.viewers, Local: relayLocal, Shared: true}),
			Metrics: counts.Handler(), Refused: counts.Refused,
		},
	})
	if err != nil {
		log.Error().Err(err).Msg("Cannot show the matches")
		return exitError{listenCode(err)}
	}
	counts.Viewers(r.Page().Viewers)
	if o.health != "" {
		_, stop, err := probe.Start(probe.Options{Address: o.health, Ready: r.Ready, Log: log})
		if err != nil {
			r.Close()
			log.Error().Err(err).Msg("Cannot answer probes")
			return exitError{listenCode(err)}
		}
		defer stop()
	}
	log.Info().Str("page", r.Page().URL()).Str("server", address.String()).Msg("Relaying")
	r.Run(ctx)
	return nil
}
