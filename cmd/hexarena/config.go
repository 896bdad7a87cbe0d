package main

import (
	"context"
	"errors"
	"io"
	"net"
	"os"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/play"
	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/host"
)

func newConfig() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Print or check the settings of serve or play",
		Long: `Print the settings that hexarena serve would run with, and where each comes
from: the defaults, a YAML file, the environment or a flag. hexarena config play does
so for hexarena play.

With --check, only mistakes in the settings are printed: the exit code is 2 if hexarena
serve would refuse them. The check reads the files that the settings name, makes the
folder for recordings, and listens on all addresses for a moment. An address that is in
use is not a mistake.`,
		Example: `  hexarena config --check --config event.yaml
  hexarena config --defaults > event.yaml
  hexarena config play`,
		Args: cobra.NoArgs,
	}
	defaults := cmd.Flags().Bool("defaults", false,
		"print the defaults of all settings with their documentation, as a settings file")
	addOutput(cmd) // before --json-logs, which --json would mean otherwise; play has such a setting
	inspect(cmd, serveScope,
		func(ctx context.Context, v config.Values, _ []string) error { return checkServe(ctx, v) })
	print := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *defaults {
			_, err := cmd.OutOrStdout().Write(config.Defaults(gameList.Settings()))
			return err
		}
		return print(cmd, args)
	}
	ofPlay := &cobra.Command{
		Use:   "play [SEAT…]",
		Short: "Print or check the settings of play",
		Long: `Print the settings that hexarena play would run with, and where each comes from. With
--check, only mistakes in the settings and in the seats are printed: the exit code is 2 if
hexarena play would refuse them.`,

		ValidArgsFunction: completeSeats,
	}
	inspect(ofPlay, playScope, func(ctx context.Context, v config.Values, seats []string) error {
		o := playOptions(ofPlay, v, nil, seats)
		o.Stdin, o.Stdout, o.Stderr = nil, io.Discard, io.Discard
		_, err := play.Prepare(ctx, o)
		return err
	})
	cmd.AddCommand(ofPlay)
	return cmd
}

// inspect makes a command print the settings of a scope, or check them.
func inspect(
	cmd *cobra.Command, s config.Scope, check func(context.Context, config.Values, []string) error,
) {
	only := cmd.Flags().Bool("check", false, "print only mistakes in the settings")
	defineSettings(cmd, s)
	out := addOutput(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		v, err := s.Load(cmd.Flags(), os.Environ())
		switch {
		case err != nil:
			return usage(err)
		case *only:
			return check(cmd.Context(), v, args)
		case out.json():
			return out.value(v.Shown())
		}
		return v.Print(cmd.OutOrStdout())
	}
}

// checkServe does what serve does before its first match, and returns the error with which serve
// would stop. An address that is in use is not a mistake in the settings: a free port replaces it.
func checkServe(ctx context.Context, v config.Values) error {
	g, err := hostOf(ctx, v)
	if err != nil {
		return usage(err)
	}
	g.moves = !v.Given("http")
	c := v.Config()
	for {
		s, err := openSchedule(ctx, c, g, zerolog.Nop())
		switch {
		case err == nil:
			s.stop(nil)
			s.shutdown()
			s.close()
			return nil
		case isUsage(err) || listenCode(err) == exitUsage:
			return usage(err)
		case !anyPort(&c, err):
			return err
		}
	}
}

// anyPort replaces the port of the address that err is about by 0, which stands for any free port.
// It reports whether that changes the address.
func anyPort(c *config.Config, err error) (changed bool) {
	before := *c
	switch {
	case errors.As(err, new(*host.PortError)):
		c.Port = 0
	case errors.As(err, new(*host.PageError)):
		c.HTTP = onAnyPort(c.HTTP)
	default:
		c.Health = onAnyPort(c.Health)
	}
	return *c != before
}

func onAnyPort(address string) string {
	name, _, err := net.SplitHostPort(address)
	if err != nil {
		return address // empty
	}
	return net.JoinHostPort(name, "0")
}
