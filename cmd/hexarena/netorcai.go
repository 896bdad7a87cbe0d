package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

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
			case err != nil:
				return complain(cmd, err, exitFailure)
			case line.Help:
				return cmd.Help()
			case line.Version:
				_, err := fmt.Fprintf(cmd.OutOrStdout(), "v%s-hexarena-%s\n", netorcai.Version, versionText())
				return err
			}
			line.Config.LoginTimeout = netorcaiLoginTimeout
			line.Config.Order = config.Arrival
			line.Config.Matches = config.Given(1)
			hosts := hostOn(external.Game(), games.Instance{}, line.Config)
			hosts.plain = true
			return serve(cmd.Context(), line.Config, hosts, cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	config.NetorcaiFlags(cmd.Flags())
	return cmd
}
