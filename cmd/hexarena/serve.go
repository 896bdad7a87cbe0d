package main

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/cli"
	"github.com/hexarena/hexarena/cmd/hexarena/internal/logs"
	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/machine/memlimit"
	"github.com/hexarena/hexarena/server/machine/netconn"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/web"
)

// serveScope holds the settings of serve.
var serveScope = config.Scope{Command: config.Serve, Games: gameList.Settings()}

func newServe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Host a match for bots that connect",
		Long: `Host one match for bots that connect with the netorcai metaprotocol 2.0.0.

It takes netorcai's options, and reads commands from standard input: start,
quit, print VARIABLE, set VARIABLE=VALUE. The settings also come from a YAML file
and the environment; hexarena config shows what is in force. Bots elsewhere join through the
page by "hexarena join URL SEAT", where URL is the page's address.

` + strings.TrimSpace(gameList.Help(func(g *games.Game) string { return g.ServeHelp })),
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			v, err := serveScope.Load(cmd.Flags(), os.Environ())
			if err != nil {
				return usage(err)
			}
			c := v.Config()
			ctx, done := cli.ServerContext(cmd.Context(), c.TLSCert)
			defer done(nil)
			hosts, err := hostOf(ctx, v)
			if err != nil {
				return usage(err)
			}
			hosts.moves = !v.Given("http")
			return serve(ctx, c, hosts, cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	defineSettings(cmd, serveScope)
	return cmd
}

// serve hosts the matches of a game.
func serve(
	ctx context.Context, c config.Config, g hosted, stdin io.Reader, stdout io.Writer,
) error {
	d, err := openConsole(c, stdin, stdout)
	if err != nil {
		return err
	}
	defer d.Close()
	log := logs.New(d.out, c.LogLevel, c.JSONLogs, g.plain)
	s, err := openSchedule(ctx, c, g, log)
	if err != nil {
		return tellNotOpen(err, g, log)
	}
	defer s.close()
	s.announce()              // the first line, before bots take their seats
	defer s.sidecar.Start()() // before the first match: ready is reported before the start of a match
	if err := s.next(s.settings()); err != nil {
		s.shutdown()
		return exitError{exitFailure} // the log says why
	}
	s.keeper.Tidy() // recordings of an earlier process, or of other settings
	return d.run(ctx, s)
}

// tellNotOpen logs why a schedule could not be opened, and returns the exit code for it. It returns
// errors in the settings as they are.
func tellNotOpen(err error, g hosted, log zerolog.Logger) error {
	var port *host.PortError
	if g.plain && errors.As(err, &port) {
		err = port.Err // of the system alone
	}
	line, what := log.Error().Err(err), "Cannot answer probes"
	switch {
	case isUsage(err):
		return err
	case port != nil || errors.As(err, &port):
		what = "Cannot listen incoming connections"
		if port.InUse() && !g.plain {
			what += ": the port is in use; stop the other server or pass --port"
		}
		if g.plain {
			line = line.Str("network", "tcp").Str("listen address",
				net.JoinHostPort(port.Bind, strconv.Itoa(port.Port)))
		}
	case errors.As(err, new(*host.PageError)):
		what = "Cannot show the match"
	}
	line.Msg(what)
	if g.plain {
		return exitError{exitFailure} // netorcai has one code for all failures
	}
	return exitError{listenCode(err)}
}

// logMemoryLimit logs what bounds the memory of the process and where the bound comes from.
func logMemoryLimit(log zerolog.Logger) {
	limit := memlimit.Apply()
	if limit.Bytes == 0 {
		log.Debug().Msg("No memory limit: neither GOMEMLIMIT nor the control group sets one")
		return
	}
	log.Debug().Int64("bytes", limit.Bytes).Str("from", limit.From).Msg("Memory limit")
}

// announce logs in one line where the server listens: scripts wait for that line, and expect
// no other. It warns if the page could not be opened.
func (s *schedule) announce() {
	line := s.log.Info().Int("port", s.host.Port())
	if page := s.host.Page(); page != nil {
		line = line.Str("page", page.URL())
	}
	if !s.game.plain { // netorcai's lines stay as they are
		line = line.Strs("addresses", web.Reachable(s.host.Addr()))
	}
	line.Msg("Listening incoming connections")
	if !s.game.plain {
		if s.tokens == nil {
			warnOfStrangers(s.host, s.config.Reconnect, s.log)
		} else {
			warnOfReaders(s.config.Tokens, s.log)
		}
		logMemoryLimit(s.log)
		if len(cli.Bots(s.game.each.Seats, false)) > 0 {
			s.log.Info().Msg("Bots: " + cli.Rights(s.game.each.Bots.Launch.Isolate))
		}
	}
	if err := s.host.PageErr(); err != nil {
		s.log.Warn().Err(err).Msg("Cannot show the match")
	}
}

// warnOfStrangers logs a warning if clients on other machines can take part: bots can connect
// through the page, too. It also explains what a shared address means for a player that
// reconnects within the given time.
func warnOfStrangers(h *host.Host, reconnect time.Duration, log zerolog.Logger) {
	switch {
	case !netconn.AddrPort(h.Addr()).Addr().IsLoopback():
		log.Warn().Msg("Anyone who can reach this port can play and watch: --tokens admits only those " +
			"on a list, --bind 127.0.0.1 keeps it to this machine")
	case h.Page() != nil && !netconn.AddrPort(h.Page().Addr()).Addr().IsLoopback():
		log.Warn().Msg("Anyone who can reach the page can play and watch: --tokens admits only those " +
			"on a list, --http 127.0.0.1:8080 keeps it to this machine")
	default:
		return
	}
	if reconnect > 0 {
		log.Warn().Stringer("reconnect", reconnect).
			Msg("Without tokens, a player that reconnects is known by its nickname and address alone: " +
				"behind a shared address, such as a school's, others can take its seat; --tokens " +
				"prevents that, --reconnect off gives no seat back")
	}
}

// logTidied returns a function that logs what a keeper deletes.
func logTidied(log zerolog.Logger) func(recording.Tidied) {
	return func(t recording.Tidied) {
		if t.Files > 0 {
			log.Info().Int("files", t.Files).Int64("bytes", t.Bytes).Msg(
				"Deleted the oldest recordings, as keep-recordings requires")
		}
		if t.Err != nil {
			log.Error().Err(t.Err).Msg("Cannot delete old recordings: delete some, or they fill the disk")
		}
	}
}

// next starts a match.
func (s *schedule) next(settings match.Settings) error {
	room, err := s.host.Start(s.ctx, s.spec(settings))
	if err == nil {
		s.room.Store(room)
	}
	return err
}

// play waits for the match that was started, and plays those that follow it, each with the
// settings that the operator left. It returns how the last one ended. A host that is being drained
// starts no other match, which is not an error.
func (s *schedule) play() error {
	for pause := firstPause; ; {
		r := s.room.Load().Wait()
		if n := s.config.Matches; n.Given && s.number >= n.Value || s.ctx.Err() != nil {
			return r.Err
		}
		if pause = s.failed(&r, pause); s.ctx.Err() != nil {
			return context.Cause(s.ctx)
		}
		switch err := s.next(r.Settings); err {
		case nil:
		case host.ErrDraining:
			return r.Err
		default:
			return err
		}
	}
}

// The pause after a match that ended before its first turn, which doubles with each such match: a
// game logic that cannot start costs the server little, and the log a line in half a minute.
const (
	firstPause = time.Second
	maxPause   = 30 * time.Second
)

// failed logs why a match was aborted, and waits for a pause if the match ended before its first
// turn. It returns the pause after the next match.
func (s *schedule) failed(r *host.Result, pause time.Duration) time.Duration {
	if r.Err != nil {
		logAborted(s.log, r.Err)
	}
	if r.Err == nil || r.Steps > 0 {
		return firstPause
	}
	select {
	case <-time.After(pause):
	case <-s.ctx.Done():
	}
	return min(2*pause, maxPause)
}
