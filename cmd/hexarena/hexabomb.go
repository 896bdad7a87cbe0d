package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"strconv"
	"time"

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

// newHexabomb returns the command line of the program hexabomb, where -h is a host and help
// has no short flag.
func newHexabomb() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "hexabomb MAP",
		Short: "Run the rules of hexabomb for a netorcai server",
		Long: `Run the rules of hexabomb on a map, as the game logic of one match of a netorcai
server: hexarena serve --game external, or the program netorcai.`,

		ValidArgsFunction: cobra.FixedCompletions(maps.Names(), cobra.ShellCompDirectiveDefault), // and files
	}
	f := cmd.Flags()
	host := f.StringP("hostname", "h", "localhost", "host that the server runs on")
	port := f.IntP("port", "p", 4242, "port that the server listens on")
	f.Bool("help", false, "help for hexabomb") // defined here so that cobra does not take -h
	config.AcceptPrefixes(f)
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return complain(cmd, flagError(cmd, err), exitHexabombUsage)
	})
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if n := len(args); n != 1 {
			return complain(cmd, fmt.Errorf("%d arguments given, want one MAP; usage: %s", n, cmd.UseLine()), exitHexabombUsage)
		}
		if *port < 1 || *port > 65535 {
			return complain(cmd, fmt.Errorf("port = %d: want an integer from 1 to 65535", *port), exitHexabombUsage)
		}
		m, err := loadLooseMap(args[0])
		if err != nil {
			return complain(cmd, err, exitFailure)
		}
		address := net.JoinHostPort(*host, strconv.Itoa(*port))
		return referee(cmd.Context(), address, hexabomb.New(m), cmd.OutOrStdout())
	}
	return cmd
}

// complain prints an error on standard output, as the programs netorcai and hexabomb do. The
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

// referee runs a game for one match of the server at addr, and prints its progress on out.
func referee(ctx context.Context, addr string, g engine.Game, out io.Writer) error {
	steps := logs.NewConsole(out) // never waits for the reader
	defer steps.Close()
	fmt.Fprintf(steps, "Connecting to %s\n", addr)
	login := netorcai.Login{Nickname: "hexabomb", Role: netorcai.RoleGameLogic}
	return connect(ctx, addr, login, func(c *netorcai.Client) error {
		fmt.Fprintln(steps, "Logged in; waiting for the match to start")
		err := c.Referee(ctx, &gameLogic{game: g, steps: steps})
		if err == nil {
			fmt.Fprintln(steps, "The match is over")
		}
		return err
	})
}

// gameLogic adapts a game to netorcai.GameLogic.
type gameLogic struct {
	game   engine.Game
	steps  io.Writer // for the progress
	inputs []engine.Input
	state  []byte
	turn   int
	turns  int
	told   time.Time // when a turn was last printed
}

// turnStep is the time between two printed turns: a fast match has thousands a second.
const turnStep = time.Second

// Init implements netorcai.GameLogic.
func (l *gameLogic) Init(m netorcai.DoInit) (netorcai.DoInitAck, error) {
	fmt.Fprintf(l.steps, "Match started: %d players, %d special players, %d turns\n", m.NbPlayers, m.NbSpecialPlayers, m.NbTurnsMax)
	l.turns, l.told = m.NbTurnsMax, time.Now()
	_, err := l.game.Start(engine.Setup{Players: m.NbPlayers, Specials: m.NbSpecialPlayers, Turns: m.NbTurnsMax})
	return netorcai.DoInitAck{State: l.game.AppendState(l.state[:0])}, err
}

// Turn implements netorcai.GameLogic.
func (l *gameLogic) Turn(players []netorcai.PlayerActions) (netorcai.DoTurnAck, error) {
	l.inputs = l.inputs[:0]
	for _, p := range players {
		id := engine.PlayerID(p.PlayerID)
		if int(id) != p.PlayerID {
			id = engine.NoPlayer // no player has an ID of more than 32 bits
		}
		l.inputs = append(l.inputs, engine.Input{Player: id, Turn: p.Turn, Actions: p.Actions, Valid: true})
	}
	r := l.game.Step(l.inputs)
	l.turn++
	if now := time.Now(); now.Sub(l.told) >= turnStep {
		l.told = now
		fmt.Fprintf(l.steps, "Turn %d of %d\n", l.turn, l.turns)
	}
	l.state = l.game.AppendState(l.state[:0])
	return netorcai.DoTurnAck{WinnerPlayerID: int(r.Winner), State: l.state}, nil
}
