package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/server"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/prompt"
)

// games are the games that serve can host.
var games = []string{"hexabomb"}

func newServe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Host a match for bots that connect",
		Long: `Host one match for bots that connect with the netorcai metaprotocol 2.0.0.

It takes netorcai's options, and reads commands from standard input: start,
quit, print VARIABLE, set VARIABLE=VALUE. The settings also come from a YAML file
and the environment; hexarena config shows what is in force.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			e, err := config.Load(cmd.Flags(), os.Environ(), games)
			if err != nil {
				return err
			}
			return serve(cmd.Context(), e.Config, cmd.InOrStdin(), cmd.OutOrStdout())
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

// serve hosts one match.
func serve(ctx context.Context, c config.Config, stdin io.Reader, stdout io.Writer) error {
	board, err := maps.Load(c.Map)
	if err != nil {
		return fmt.Errorf("map: %w", err)
	}
	players := c.MaxPlayers.Or(board.Seats())
	if err := checkMatch(c, board, players); err != nil {
		return err
	}
	out := newConsole(stdout)
	defer out.Close()
	log := newLog(out, c.LogLevel, c.JSONLogs)
	order, err := match.ParseOrder(string(c.Order))
	if err != nil {
		return err
	}
	srv, err := server.Listen(server.Options{
		Bind: c.Bind, Port: c.Port, LoginTimeout: c.LoginTimeout, Log: log,
		Match: match.Options{
			Settings: match.Settings{
				Turns: c.MaxTurns, Players: players, Specials: c.MaxSpecials, Visus: c.MaxVisus,
				DelayFirst: config.ToMillis(c.DelayFirstTurn), DelayTurns: config.ToMillis(c.DelayTurns),
			},
			Autostart: c.Autostart,
			Pace:      pace(c.Fast, c.TurnTimeout),
			Order:     order,
			Seed:      c.Seed.Or(rand.Uint64()),
			Referee:   match.Local(hexabomb.New(board)),
			Log:       log,
		},
	})
	if err != nil {
		log.Error().Err(err).Msg("Cannot listen incoming connections")
		return exitError{exitFailure}
	}
	log.Info().Int("port", srv.Addr().Port).Msg("Listening incoming connections")
	return host(ctx, srv, log, stdin, out, variables(board))
}

// checkMatch finds settings that do not go together. All that is wrong is told
// at once.
func checkMatch(c config.Config, board *hexabomb.Map, players int) error {
	var faults []error
	fault := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	if players > board.Seats() {
		fault("nb-players-max = %d: map %s has %d seats; lower it, leave it out, or choose another map", players, c.Map, board.Seats())
	}
	switch {
	case c.MaxSpecials > 1:
		fault("nb-splayers-max = %d: hexabomb is played with 0 or 1 special players", c.MaxSpecials)
	case c.MaxSpecials > 0 && len(board.Specials) == 0:
		fault("nb-splayers-max = %d: map %s has no place for a special player; set it to 0 or choose another map", c.MaxSpecials, c.Map)
	}
	if c.TurnTimeout > 0 && !c.Fast {
		fault("turn-timeout = %v: counts at the fast pace only; add --fast, or set delay-turns", c.TurnTimeout)
	}
	if c.HTTP != "" {
		fault("http = %q: this version serves no pages; leave it empty", c.HTTP)
	}
	if c.Record != "" {
		fault("record = %q: this version records nothing; leave it empty", c.Record)
	}
	return errors.Join(faults...)
}

// pace is the pace of a server's matches.
func pace(fast bool, limit time.Duration) func(match.Settings) match.Pace {
	return func(s match.Settings) match.Pace {
		if fast {
			return match.Fast(limit, 0)
		}
		return match.Timer(config.FromMillis(s.DelayFirst), config.FromMillis(s.DelayTurns))
	}
}

// Why a server stops early.
var (
	errShell  = errors.New("the operator quit")
	errSignal = errors.New("interrupted")
)

// host serves the match while the operator's commands are carried out. The log
// says why the server stops before anything else happens.
func host(ctx context.Context, srv *server.Server, log zerolog.Logger, stdin io.Reader, out io.Writer, vars []prompt.Variable) error {
	serving, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	defer stop(nil)
	defer context.AfterFunc(ctx, func() {
		log.Warn().Msg("SIGTERM received. Aborting.")
		stop(errSignal)
	})()
	p := prompt.Prompt{
		Match: srv.Match(), Variables: vars, Out: out,
		Quit: func() {
			log.Warn().Msg("Shell exited. Aborting.")
			stop(errShell)
		},
	}
	go p.Read(stdin) // ends with its input, which only the process's end may close
	ending := srv.Serve(serving)
	switch {
	case ending.Err == nil, errors.Is(ending.Err, errShell):
		return nil
	case !errors.Is(ending.Err, errSignal):
		log.Error().Err(ending.Err).Msg("Match aborted")
	}
	return exitError{exitFailure}
}

// variables are what the operator can print and set. A map's seats bound the
// number of players.
func variables(board *hexabomb.Map) []prompt.Variable {
	list := make([]prompt.Variable, 0, len(config.Variables))
	for _, v := range config.Variables {
		switch v.Name {
		case "nb-turns-max":
			list = append(list, variable(v, func(s *match.Settings) *int { return &s.Turns }))
		case "nb-players-max":
			v.Max = float64(board.Seats())
			list = append(list, variable(v, func(s *match.Settings) *int { return &s.Players }))
		case "nb-splayers-max":
			v.Max = float64(min(1, len(board.Specials)))
			list = append(list, variable(v, func(s *match.Settings) *int { return &s.Specials }))
		case "nb-visus-max":
			list = append(list, variable(v, func(s *match.Settings) *int { return &s.Visus }))
		case "delay-first-turn":
			list = append(list, variable(v, func(s *match.Settings) *float64 { return &s.DelayFirst }))
		case "delay-turns":
			list = append(list, variable(v, func(s *match.Settings) *float64 { return &s.DelayTurns }))
		}
	}
	return list
}

func variable[T int | float64](v config.Variable, field func(*match.Settings) *T) prompt.Variable {
	return prompt.Variable{
		Variable: v,
		Get:      func(s match.Settings) float64 { return float64(*field(&s)) },
		Set:      func(s *match.Settings, value float64) { *field(s) = T(value) },
	}
}
