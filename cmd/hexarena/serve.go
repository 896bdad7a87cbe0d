package main

import (
	"context"
	"io"
	"math/rand/v2"
	"os"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
)

func newServe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Host a match for bots that connect",
		Long: `Host one match for bots that connect with the netorcai metaprotocol 2.0.0.

It takes netorcai's options, and reads commands from standard input: start,
quit, print VARIABLE, set VARIABLE=VALUE. The settings also come from a YAML file
and the environment; hexarena config shows what is in force.

With --game external the rules are those of a game logic, in any language, that
connects as well.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			e, err := config.Load(cmd.Flags(), os.Environ(), games)
			if err != nil {
				return err
			}
			hosts, err := hostOf(e)
			if err != nil {
				return err
			}
			hosts.moves = e.Origins["http"] == "default"
			return serve(cmd.Context(), e.Config, hosts, cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	config.Flags(cmd.Flags())
	cmd.SetFlagErrorFunc(flagError)
	return cmd
}

// flagError words the flags' mistakes like those of settings.
func flagError(cmd *cobra.Command, err error) error { return config.FlagError(cmd.Flags(), err) }

func newConfig() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Print the settings of serve, and where each comes from",
		Long: `Print the settings that hexarena serve would run with, and where each comes
from: the defaults, a YAML file, the environment or a flag.`,
		Args: cobra.NoArgs,
	}
	defaults := cmd.Flags().Bool("defaults", false, "print the defaults with their documentation instead, as a settings file")
	config.Flags(cmd.Flags())
	cmd.SetFlagErrorFunc(flagError)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *defaults {
			_, err := cmd.OutOrStdout().Write(config.Defaults())
			return err
		}
		e, err := config.Load(cmd.Flags(), os.Environ(), games)
		if err != nil {
			return err
		}
		return e.Print(cmd.OutOrStdout())
	}
	return cmd
}

// serve hosts one match of a game.
func serve(ctx context.Context, c config.Config, g hosted, stdin io.Reader, stdout io.Writer) error {
	order, err := match.ParseOrder(string(c.Order))
	if err != nil {
		return err
	}
	d, err := openDesk(c, stdin, stdout)
	if err != nil {
		return err
	}
	defer d.Close()
	log := newLog(d.out, c.LogLevel, c.JSONLogs)
	o := serverOptions(c, g, order, log)
	if c.Record != "" {
		recorder, err := newServeRecorder(c, g, o.Match.Seed, log)
		if err != nil {
			return err
		}
		o.Match.Watchers = append(o.Match.Watchers, recorder)
	}
	var page *servePage
	if c.HTTP != "" {
		page = newServePage(c, g, &o, log)
	}
	sidecar, err := newSidecar(&o, log)
	if err != nil {
		return err
	}
	srv, err := server.Listen(o)
	if err != nil {
		log.Error().Err(err).Msg("Cannot listen incoming connections")
		return exitError{exitFailure}
	}
	leave, err := announce(srv, page, g.moves, log)
	if err != nil {
		return err
	}
	defer leave()
	defer sidecar.start()()
	return d.host(ctx, srv, log, variables(g.most))
}

func serverOptions(c config.Config, g hosted, order match.Order, log zerolog.Logger) server.Options {
	o := server.Options{
		Bind: c.Bind, Port: c.Port, LoginTimeout: c.LoginTimeout, IgnoreDebug: g.plain, Log: log,
		Match: match.Options{
			Settings: match.Settings{
				Turns: c.MaxTurns, Players: g.players, Specials: c.MaxSpecials, Visus: c.MaxVisus,
				DelayFirst: config.ToMillis(c.DelayFirstTurn), DelayTurns: config.ToMillis(c.DelayTurns),
			},
			Autostart: c.Autostart,
			Pace:      pace(c),
			Order:     order,
			Seed:      c.Seed.Or(rand.Uint64()),
			Log:       log,
		},
	}
	g.rule(&o)
	return o
}

// announce opens the page, if there is one, and says in one line where all is to
// be found: scripts wait for that line, and expect no other. A page that nobody
// asked for is a courtesy, and its lack no reason to stop.
func announce(srv *server.Server, page *servePage, moves bool, log zerolog.Logger) (leave func(), err error) {
	line := log.Info().Int("port", srv.Addr().Port)
	leave = func() {}
	if page != nil {
		var url string
		if url, leave, err = page.open(srv, moves); err == nil {
			line = line.Str("page", url)
		} else if !moves {
			log.Error().Err(err).Msg("Cannot show the match")
			return nil, exitError{exitFailure}
		}
	}
	line.Msg("Listening incoming connections")
	if err != nil {
		log.Warn().Err(err).Msg("Cannot show the match")
		leave = func() {}
	}
	return leave, nil
}

// newServeRecorder records a server's match. That something goes wrong with it
// is logged, and the match goes on.
func newServeRecorder(c config.Config, g hosted, seed uint64, log zerolog.Logger) (*recording.Recorder, error) {
	durable, err := recording.ParseDurability(c.Durable)
	if err != nil {
		return nil, err
	}
	o := recording.Options{
		Dir: c.Record, Durable: durable, Program: "hexarena " + versionText(),
		Game: g.game, Map: g.board, Seed: seed,
		Extra:    map[string]string{"order": string(c.Order), "turn_timeout": c.TurnTimeout.String()},
		Complain: func(err error) { log.Error().Err(err).Msg("Recording failed") },
	}
	if g.game != nil {
		o.MapName = c.Map
	}
	return recording.New(o), nil
}

// pace is the pace of a server's matches.
func pace(c config.Config) func(match.Settings) match.Pace {
	return func(s match.Settings) match.Pace {
		if c.Fast {
			return match.Fast(c.TurnTimeout, 0)
		}
		return match.Timer(config.FromMillis(s.DelayFirst), config.FromMillis(s.DelayTurns))
	}
}
