package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/cli"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/access/nickname"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/recording/rerun"
)

// botOptions are what the flags of bot say.
type botOptions struct {
	host, port, nickname, token string
	special, htttx, stay        bool
	seed                        uint64
}

func newBot() *cobra.Command {
	var o botOptions
	cmd := &cobra.Command{
		Use:   "bot STRATEGY",
		Short: "Connect a built-in bot to a server, or serve it",
		Long: "Connect a built-in bot to a server and play one match. With --htttx it waits to be\n" +
			"dialled instead, and plays " + strings.Join(served.Titles(),
			" or ") + " over the HTTTX Bot API with any server\n" +
			"that dials it, until Ctrl-C. The strategies are:\n\n" + describeBots(),
		Args:      cobra.ExactArgs(1),
		ValidArgs: gameList.BuiltinNames(),
		RunE: func(cmd *cobra.Command, args []string) error {
			list, err := repeating(os.Getenv(rerun.RepeatEnv))
			if err != nil {
				return err
			}
			if o.htttx && !cmd.Flags().Changed("port") {
				o.port = botPort
			}
			if _, err := strconv.ParseUint(o.port, 10, 16); err != nil {
				return usageErrorf("--port: %q is not a port: want 0 to 65535", o.port)
			}
			if o.htttx {
				return serveBot(cmd.Context(), cmd.OutOrStdout(), list, args[0],
					net.JoinHostPort(o.host, o.port), o.seed)
			}
			return o.play(cmd.Context(), list, args[0])
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.host, "host", "127.0.0.1",
		"host that the server runs on; with --htttx, address to listen on")
	f.StringVar(&o.port, "port", "4242", "port that the server listens on; with --htttx, port to "+
		"listen on (then default "+botPort+", 0 for any free port)")
	f.StringVar(&o.nickname, "nickname", "",
		"nickname of 1 to 10 characters (default the strategy's name)")
	f.StringVar(&o.token, "token", os.Getenv("BOT_TOKEN"),
		"token of this bot, if the server requires one (default $BOT_TOKEN)")
	f.Lookup("token").DefValue = ""
	f.BoolVar(&o.special, "special", false, "log in as a special player")
	f.BoolVar(&o.htttx, "htttx", false, "wait for servers that speak the HTTTX Bot API")
	f.BoolVar(&o.stay, "stay", false,
		"play all matches of the server over one connection, with the seeds that it sends")
	f.Uint64Var(&o.seed, "seed", botSeed(), "seed of the bot's random choices")
	f.Lookup("seed").DefValue = "$BOT_SEED, else random"
	return cmd
}

// play connects a strategy to a server, and plays its match, or all of them.
func (o *botOptions) play(ctx context.Context, list games.List, strategy string) error {
	bot, err := list.NewBuiltin(strategy, o.seed)
	if err != nil {
		return usage(err)
	}
	login, err := o.login(strategy)
	if err != nil {
		return err
	}
	address := net.JoinHostPort(o.host, o.port)
	return connect(ctx, address, login, func() {}, func(c *netorcai.Client) error {
		if !o.stay {
			return c.Play(ctx, bot)
		}
		return c.PlayAll(ctx, func(starts netorcai.GameStarts) (netorcai.Bot, error) {
			return list.NewBuiltin(strategy, starts.Seed)
		})
	})
}

// login returns what a strategy tells a server.
func (o *botOptions) login(strategy string) (netorcai.Login, error) {
	name, _, _ := strings.Cut(strategy, ":") // without the level, which may not fit
	login := netorcai.Login{
		Nickname: cmp.Or(o.nickname, name), Role: netorcai.RolePlayer, Token: o.token, Stay: o.stay,
	}
	if o.special {
		login.Role = netorcai.RoleSpecialPlayer
	}
	if !netorcai.ValidNickname(login.Nickname) {
		return login, usageErrorf(
			"--nickname: %q is not a nickname: want 1 to 10 characters without white space",
			login.Nickname)
	}
	if err := nickname.Check(login.Nickname); err != nil {
		return login, usageErrorf("--nickname: %w", err)
	}
	return login, nil
}

// botSeed returns the seed of a bot that hexarena has started, else a random one.
func botSeed() uint64 {
	if seed, err := strconv.ParseUint(os.Getenv("BOT_SEED"), 10, 64); err == nil {
		return seed
	}
	return rand.Uint64()
}

// connect connects to the server at addr, calls dialled, logs in and calls play.
func connect(
	ctx context.Context, addr string, login netorcai.Login, dialled func(),
	play func(*netorcai.Client) error,
) error {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", addr)
	if err != nil {
		err = fmt.Errorf("no server answers at %s: %s; start one with hexarena serve, or name "+
			"another by --host and --port", addr, reasonOf(err))
	} else {
		dialled()
		var c *netorcai.Client
		if c, err = netorcai.NewClient(ctx, conn, login); err == nil {
			defer c.Close()
			err = play(c)
		}
	}
	if err != nil && errors.Is(ctx.Err(), context.Canceled) {
		return exitError{exitFailure} // Ctrl-C needs no explanation
	}
	return err
}

// botPort is where servers of the HTTTX Bot API look for a bot.
const botPort = "8002"

// repeating returns all games, with built-in bots that repeat the recorded match in a file unless
// its name is empty.
func repeating(path string) (games.List, error) {
	if path == "" {
		return gameList, nil
	}
	list, err := cli.Repeating(gameList, path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", rerun.RepeatEnv, err)
	}
	return list, nil
}

// served are the games whose built-in bots servers of the HTTTX Bot API can dial.
var served = gameList.That(canServe)

func canServe(g *games.Game) bool { return g.ServeBot != nil }

// serveBot waits for servers that dial the bot, until ctx ends.
func serveBot(
	ctx context.Context, out io.Writer, list games.List, name, address string, seed uint64,
) error {
	served := list.That(canServe)
	i := slices.IndexFunc(served,
		func(g *games.Game) bool { return slices.Contains(g.BuiltinNames(), name) })
	if i < 0 {
		return usageErrorf("%s cannot be served over the HTTTX Bot API; with --htttx there are %s", name,
			strings.Join(served.BuiltinNames(), ", "))
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return fmt.Errorf("cannot listen on %s: %w", address, err)
	}
	fmt.Fprintf(out, "%s waits at http://%s/capabilities.json until Ctrl-C\n", name, l.Addr())
	return served[i].ServeBot(ctx, l, name, versionText(), seed)
}

// describeBots returns a list of the built-in bots of all games for the help.
func describeBots() string {
	var b strings.Builder
	for i, g := range gameList {
		if i > 0 && len(g.Builtins) > 0 {
			fmt.Fprintf(&b, "\nFor %s:\n\n", g.Title)
		}
		for _, one := range g.Builtins {
			fmt.Fprintf(&b, "  %-13s %s\n", one.Name, one.Summary)
		}
	}
	return b.String()
}
