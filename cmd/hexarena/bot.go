package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/bots"
	"github.com/hexarena/hexarena/bots/hextictactoe"
	"github.com/hexarena/hexarena/protocol/netorcai"
)

func newBot() *cobra.Command {
	var about strings.Builder
	for _, d := range bots.Describe() {
		fmt.Fprintf(&about, "  %-10s %s\n", d.Name, d.Summary)
	}
	about.WriteString("\nFor hexagonal tic-tac-toe:\n\n")
	for _, d := range hextictactoe.Describe() {
		fmt.Fprintf(&about, "  %-10s %s\n", d.Name, d.Summary)
	}
	o := struct {
		host, port, nickname string
		special              bool
		seed                 uint64
	}{seed: rand.Uint64()}
	cmd := &cobra.Command{
		Use:       "bot STRATEGY",
		Short:     "Connect a built-in bot to a server",
		Long:      "Connect a built-in bot to a server and play one match. The strategies are:\n\n" + about.String(),
		Args:      cobra.ExactArgs(1),
		ValidArgs: bots.AllNames(),
		RunE: func(cmd *cobra.Command, args []string) error {
			strategy, err := bots.New(args[0], o.seed)
			if err != nil {
				return err
			}
			login := netorcai.Login{Nickname: o.nickname, Role: netorcai.RolePlayer}
			if login.Nickname == "" {
				login.Nickname = args[0]
			}
			if o.special {
				login.Role = netorcai.RoleSpecialPlayer
			}
			return playRemote(cmd.Context(), net.JoinHostPort(o.host, o.port), login, strategy)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.host, "host", "127.0.0.1", "host that the server runs on")
	f.StringVar(&o.port, "port", "4242", "port that the server listens on")
	f.StringVar(&o.nickname, "nickname", "", "nickname of 1 to 10 characters (default the strategy's name)")
	f.BoolVar(&o.special, "special", false, "log in as a special player")
	f.Uint64Var(&o.seed, "seed", o.seed, "seed of the bot's choices")
	f.Lookup("seed").DefValue = "random"
	return cmd
}

// playRemote plays one match at addr.
func playRemote(ctx context.Context, addr string, login netorcai.Login, s bots.Strategy) error {
	c, err := netorcai.Dial(ctx, addr, login)
	if err == nil {
		defer c.Close()
		err = c.Play(ctx, bots.ForClient(s))
	}
	if err != nil && errors.Is(ctx.Err(), context.Canceled) {
		return exitError{exitFailure} // Ctrl-C needs no explanation
	}
	return err
}
