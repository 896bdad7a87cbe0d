package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/logs"
	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/protocol/netorcai"
)

// exitHexabombUsage is the exit code of the program hexabomb for a wrong command line.
const exitHexabombUsage = 255

// editions are the functions that make games, by the values of the flag --rules.
var editions = map[string]func(*hexabomb.Board) *hexabomb.Game{
	"1.1":   (*hexabomb.Board).NewGame,
	"draft": (*hexabomb.Board).NewDraftGame,
}

// newHexabomb returns the command line of the program hexabomb, where -h is a host and help
// has no short flag.
func newHexabomb() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "hexabomb MAP",
		Short: "Run the rules of hexabomb for a netorcai server",
		Long: `Run the rules of hexabomb on a map, as the game logic of one match of a netorcai
server: hexarena serve --game external, or the program netorcai.`,

		// and files
		ValidArgsFunction: cobra.FixedCompletions(maps.Names(), cobra.ShellCompDirectiveDefault),
	}
	f := cmd.Flags()
	host, port, rules := onceText{text: "127.0.0.1"}, onceText{text: "4242"}, onceText{text: "1.1"}
	f.VarP(&host, "hostname", "h", "host that the server runs on")
	f.VarP(&port, "port", "p", "port that the server listens on")
	f.Var(&rules, "rules", "version of the rules, 1.1 or draft: those before version 1.0")
	f.Bool("help", false, "help for hexabomb") // defined here so that cobra does not take -h
	config.AcceptPrefixes(f)
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return complain(cmd, flagError(cmd, err), exitHexabombUsage)
	})
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if n := len(args); n != 1 {
			return complain(cmd, fmt.Errorf("%d arguments given, want one MAP; usage: %s", n, cmd.UseLine()),
				exitHexabombUsage)
		}
		if n, err := strconv.ParseUint(port.text, 10, 16); err != nil || n == 0 {
			return complain(cmd, fmt.Errorf("port = %q: want an integer from 1 to 65535", port.text),
				exitFailure)
		}
		newGame := editions[rules.text]
		if newGame == nil {
			err := fmt.Errorf("rules = %q: want 1.1 or draft", rules.text)
			return complain(cmd, err, exitHexabombUsage)
		}
		steps := logs.NewConsole(forLog(cmd.OutOrStdout())) // never waits for the reader
		defer steps.Close()
		ignored := logs.NewConsole(cmd.ErrOrStderr())
		defer ignored.Close()
		address := net.JoinHostPort(host.text, port.text)
		err := referee(cmd.Context(), args[0], newGame, address, steps, ignored)
		if err == nil || errors.As(err, new(exitError)) {
			return err
		}
		fmt.Fprintf(steps, "\n%s: %v\n", cmd.Name(), err)
		return exitError{exitFailure}
	}
	return cmd
}

// onceText is the text of a flag that may be given once.
type onceText struct {
	text  string
	given bool
}

func (o *onceText) String() string { return o.text }

func (o *onceText) Type() string { return "string" }

func (o *onceText) Set(text string) error {
	if o.given {
		return errors.New("the option is given twice")
	}
	o.text, o.given = text, true
	return nil
}

// complain prints an error on standard output, as the program hexabomb does. The
// returned error only sets the exit code.
func complain(cmd *cobra.Command, err error, code int) error {
	fmt.Fprintf(cmd.OutOrStdout(), "%s: %v\n", cmd.Name(), err)
	return exitError{code}
}

// loadLooseMap is like maps.Load, and accepts all files that the program hexabomb accepts.
func loadLooseMap(nameOrFile string) (*hexabomb.Map, error) {
	data, err := maps.Read(nameOrFile)
	if err != nil {
		return nil, fmt.Errorf("map: %w", err)
	}
	m, err := hexabomb.ParseMap(hexabomb.Loosen(data))
	if err != nil {
		return nil, fmt.Errorf("map: map %s: %w", nameOrFile, err)
	}
	return m, nil
}

// referee runs the rules on a map for one match of the server at addr. It prints its steps as the
// original does, for scripts that wait for them, and a line for each action without effect.
func referee(
	ctx context.Context, file string, newGame func(*hexabomb.Board) *hexabomb.Game, addr string,
	steps, ignored io.Writer,
) error {
	fmt.Fprintf(steps, "Loading map %s...", file)
	m, err := loadLooseMap(file)
	if err != nil {
		return err
	}
	fmt.Fprintf(steps, " done\nConnecting to netorcai (%s)...", addr)
	dialled := func() { fmt.Fprint(steps, " done\nLogging in as a game logic...") }
	login := netorcai.Login{Nickname: "hexabomb", Role: netorcai.RoleGameLogic, AnyServer: true}
	return connect(ctx, addr, login, dialled, func(c *netorcai.Client) error {
		fmt.Fprint(steps, " done\nWaiting for DO_INIT...")
		return c.Referee(ctx,
			&gameLogic{game: newGame(hexabomb.Compile(m)), steps: steps, ignored: ignored})
	})
}

// gameLogic adapts a game to netorcai.GameLogic.
type gameLogic struct {
	game    engine.Game
	steps   io.Writer // for the progress
	ignored io.Writer // for actions without effect
	inputs  []engine.Input
	state   []byte
	started bool
	turn    int
	turns   int
}

// Init implements netorcai.GameLogic.
func (l *gameLogic) Init(m netorcai.DoInit) (netorcai.DoInitAck, error) {
	l.turns, l.started = m.NbTurnsMax, true
	_, err := l.game.Start(
		engine.Setup{Players: m.NbPlayers, Specials: m.NbSpecialPlayers, Turns: m.NbTurnsMax})
	if err == nil {
		fmt.Fprint(l.steps, " done\nWaiting for DO_TURN 0...")
	}
	return netorcai.DoInitAck{State: l.game.AppendState(l.state[:0])}, err
}

// Turn implements netorcai.GameLogic.
func (l *gameLogic) Turn(players []netorcai.PlayerActions) (netorcai.DoTurnAck, error) {
	if !l.started {
		return netorcai.DoTurnAck{}, errors.New("DO_TURN came before DO_INIT")
	}
	l.inputs = l.inputs[:0]
	for _, p := range players {
		id := engine.PlayerID(p.PlayerID)
		if int(id) != p.PlayerID {
			id = engine.NoPlayer // no player has an ID of more than 32 bits
		}
		l.inputs = append(l.inputs,
			engine.Input{Player: id, Turn: p.Turn, Actions: p.Actions, Valid: true})
	}
	r := l.game.Step(l.inputs)
	for _, e := range r.Refused {
		fmt.Fprintf(l.ignored, "[info] turn %d, player %d, action %d: Ignoring a character action: %s\n",
			l.turn, e.Player, e.Action, e.Reason)
	}
	l.turn++
	l.state = l.game.AppendState(l.state[:0])
	ack := netorcai.DoTurnAck{WinnerPlayerID: int(r.Winner), State: l.state}
	if l.turn >= l.turns {
		fmt.Fprint(l.steps, " done\n")
		return ack, netorcai.ErrLastTurn
	}
	fmt.Fprintf(l.steps, " done\nWaiting for DO_TURN %d...", l.turn)
	return ack, nil
}
