package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/cli"
	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/access/nickname"
	"github.com/hexarena/hexarena/server/join"
	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/seat"
)

func newJoin() *cobra.Command {
	var o struct {
		token, name, env, js string
		send                 bool
	}
	cmd := &cobra.Command{
		Use:   "join URL SEAT",
		Short: "Join a server from your own machine",
		Long: `Let a bot on this machine play the matches of a server elsewhere.

URL is the address of the server's page as the browser shows it, with the token if the server requires
one: http://192.168.1.5:4242/#token=TOKEN. The path has no meaning, except that ?match=ID chooses a
match. SEAT is a file, a command line in quotes, or stdio:COMMAND, as in hexarena play: bots are built
and get their kit in the same way.

The bot needs no change. It finds a server at 127.0.0.1:4242 or, if that port is taken, where BOT_HOST
and BOT_PORT in its environment and {host} and {port} in its command say. Its messages go over HTTP
through the port of the page, which is all that a firewall, a proxy or a container has to let through;
HTTP_PROXY and HTTPS_PROXY name a proxy. If the connection breaks, it is opened again for a minute, and
with a token for twelve hours, also when the server was stopped and is started again. The server keeps
the seat for 30 seconds unless told otherwise, for a bot with a token also while it has not noticed the
break. The bot does not notice.

The bot is started again for each match, unless it stays as those of hexarena new do, and when its file
changes: in a match, when that is over. Its output is shown, and after each match the result and the
actions that were refused. Ctrl-C ends it.

With --send, SEAT is a file or a folder that is sent to a hexarena event, where it plays for the team
while no bot of the team is connected, also when this machine is off. A bot that is compiled is built
first. The event then plays a test match with the bot, which is not shown. The command ends when the bot
has answered a turn of it; if the bot answers none, the command prints why.

The exit code is 0 when the server has no more matches, 2 for wrong flags, addresses or seats, 3 if the
server does not accept the token, 4 if no seat is free, and 1 otherwise, such as for a server that cannot
be reached.`,
		Example: `  hexarena join http://192.168.1.5:4242/ my_bot.py
  hexarena join https://arena.example.org/#token=TOKEN "./my_bot --port {port}"
  hexarena join 192.168.1.5:4242 my_bot.py --name ada
  hexarena join --send 192.168.1.5:4242 my_bot.py --token TOKEN`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			show := func(text string) {
				for line := range strings.Lines(text) {
					fmt.Fprintln(cmd.OutOrStdout(), tui.Plain(strings.TrimSuffix(line, "\n")))
				}
			}
			if o.send {
				options, err := sendOptions(args[0], args[1], o.token, o.name+o.env, show)
				if err != nil {
					return usage(err)
				}
				return joinCode(cmd, join.Send(cmd.Context(), options))
			}
			options, err := joinOptions(cmd.Context(), args[0], args[1], o.token, o.name, o.env, o.js)
			if err != nil {
				return usage(err)
			}
			options.Table = tui.TableText
			options.Print = show
			return joinCode(cmd, join.Run(cmd.Context(), options))
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.token, "token", os.Getenv("BOT_TOKEN"),
		"token of the bot, if the server requires one and URL does not have it (default $BOT_TOKEN)")
	f.Lookup("token").DefValue = ""
	f.BoolVar(&o.send, "send", false,
		"send the bot to an event, where it plays while no bot of the team is connected")
	f.StringVar(&o.name, "name", "",
		"nickname of 1 to 10 characters, in place of the one that the bot gives")
	f.StringVar(&o.js, "js", "auto", "what runs a bot in JavaScript: hexarena itself (builtin), "+
		"node, or auto: node where it is installed")
	f.StringVar(&o.env, "env", "", "environment variables for the bot, as in hexarena play")
	return cmd
}

// joinOptions returns what joins which server. The error holds all mistakes.
func joinOptions(
	ctx context.Context, address, argument, token, name, env, js string,
) (join.Options, error) {
	at, wrong := join.ParseAddress(address)
	o := join.Options{Address: at, Token: cmp.Or(at.Token, token), Nickname: name, Port: usualPort}
	if name != "" && !netorcai.ValidNickname(name) {
		wrong = errors.Join(wrong,
			fmt.Errorf("--name: %q is not a nickname: want 1 to 10 characters without white space", name))
	} else if err := nickname.Check(name); name != "" && err != nil {
		wrong = errors.Join(wrong, fmt.Errorf("--name: %w", err))
	}
	var err error
	if o.Env, err = launch.ParseEnv(env); err != nil {
		wrong = errors.Join(wrong, fmt.Errorf("--env: %w", err))
	}
	known := joiningSeats
	var ok bool
	if known.JS, ok = launch.JavaScripts[js]; !ok {
		wrong = errors.Join(wrong, fmt.Errorf("--js: %q: want auto, builtin or node", js))
	}
	seats, err := cli.Seats(ctx, []string{argument}, known)
	o.Seat = seats[0]
	return o, errors.Join(wrong, err)
}

// sendOptions returns the options of join --send. The error holds all mistakes.
func sendOptions(
	address, argument, token, others string, show func(string),
) (join.SendOptions, error) {
	at, wrong := join.ParseAddress(address)
	o := join.SendOptions{
		Address: at, Token: cmp.Or(at.Token, token), Argument: argument, Known: joiningSeats, Print: show,
	}
	if o.Token == "" {
		wrong = errors.Join(
			wrong,
			errors.New("--token: a bot is sent with the token of the team; give it by --token or in the "+
				"address, as #token=TOKEN"),
		)
	}
	if others != "" {
		wrong = errors.Join(wrong,
			errors.New("--name and --env have no effect with --send; leave them out"))
	}
	return o, wrong
}

// joiningSeats are the seats of bots that can join a server.
var joiningSeats = seat.Known{
	Game: "the server's game", Page: true,
	Builtin: func(name string, _ uint64) (netorcai.Bot, error) {
		return nil, errors.New(`a built-in bot joins as a command: "hexarena bot NAME --port {port}"`)
	},
	Refuse: func(s *seat.Spec) error {
		if s.Kind != seat.Process {
			return errors.New("join starts the bot itself: name a file or a command")
		}
		return nil
	},
}

// joinCode returns an error with the exit code for a server that refuses the bot, and other errors
// as they are. Ctrl-C needs no explanation.
func joinCode(cmd *cobra.Command, err error) error {
	code := exitFailure
	switch {
	case err == nil:
		return nil
	case cmd.Context().Err() != nil:
		return exitError{exitFailure}
	case errors.Is(err, join.ErrDenied):
		code = exitDenied
	case errors.Is(err, join.ErrNoSeat):
		code = exitNoSeat
	default:
		return err
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "hexarena: %s\n", indented(tui.PlainLines(err.Error())))
	return exitError{code}
}
