package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/games/env"
)

// envScope holds the settings of env.
var envScope = config.Scope{Command: config.Env, Games: gameList.Settings()}

func newEnv() *cobra.Command {
	asJSON, envs, shared := false, 1, ""
	cmd := &cobra.Command{
		Use:   "env",
		Short: "Play for programs that learn or look ahead: they say what each player does",
		Long: `Play without clock and network for a program that starts this one and says what each player does:
to train a bot, or to try what an answer leads to. docs/learning.md tells more. The Python module
hexarena_env.py, which hexarena new --learn writes, shares memory with it. Others use --json.

` + env.Help,
		Example: `  echo '{"reset":{}}' | hexarena env --json --map pebble`,
		Args:    cobra.NoArgs,
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "answer requests in JSON, one a line")
	cmd.Flags().StringVar(&shared, "shared", "",
		"file of memory that hexarena_env.py shares with this program")
	cmd.Flags().IntVar(&envs, "envs", envs, "matches in the shared memory")
	cmd.MarkFlagsMutuallyExclusive("json", "shared")
	defineSettings(cmd, envScope)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		v, err := envScope.Load(cmd.Flags(), os.Environ())
		if err != nil {
			return usage(err)
		}
		if !asJSON && shared == "" {
			return usageErrorf("missing --json: hexarena help env tells what it does")
		}
		w, err := env.NewWorld(gameList, v)
		if err != nil {
			return usage(err)
		}
		if shared != "" {
			return env.Arrays(w, envs, shared, cmd.InOrStdin(), cmd.OutOrStdout())
		}
		return env.Lines(w, cmd.InOrStdin(), cmd.OutOrStdout())
	}
	return cmd
}
