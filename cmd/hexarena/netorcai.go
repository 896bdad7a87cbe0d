package main

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/logs"
	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/games/external"
)

// netorcaiLoginTimeout is the time that a connection has to log in. netorcai itself has no limit.
const netorcaiLoginTimeout = 24 * time.Hour

func newNetorcai() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "netorcai",
		Short: "Run as the program netorcai",
		Long: `Host one match of a game whose rules connect as a client, as the program netorcai
does. It has no settings file and ignores the environment.`,
		DisableFlagParsing: true, // netorcai's syntax is different
		RunE: func(cmd *cobra.Command, args []string) error {
			line, err := config.ParseNetorcai(args)
			switch {
			case errors.As(err, new(*config.RefusedValue)):
				refuseValue(cmd.OutOrStdout(), line.Config, err)
				return exitError{exitFailure}
			case err != nil:
				fmt.Fprintf(cmd.OutOrStdout(), "%v\n\n%s", err, cmd.UsageString())
				return exitError{exitFailure}
			case line.Help:
				return cmd.Help()
			case line.Version:
				_, err := fmt.Fprintf(cmd.OutOrStdout(), "v%s-hexarena-%s\n", netorcai.Version, versionText())
				return err
			}
			line.Config.LoginTimeout = netorcaiLoginTimeout
			line.Config.Order = config.Arrival
			line.Config.Matches = config.Given(1)
			hosts, err := hostOn(config.Values{}, line.Config, external.Game(), games.Instance{})
			if err != nil {
				return err
			}
			hosts.plain = true
			return serve(cmd.Context(), line.Config, hosts, cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	config.NetorcaiFlags(cmd.Flags())
	return cmd
}

// refuseValue logs, as netorcai does, that a value on the command line is not accepted.
func refuseValue(stdout io.Writer, c config.Config, err error) {
	out := logs.NewConsole(stdout)
	defer out.Close()
	log := logs.New(out, c.LogLevel, c.JSONLogs, true)
	log.Error().Err(err).Msg("Invalid argument")
}
