package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/protocol/netorcai"
)

// newHexabomb is the command line of the program hexabomb: -h is a host there,
// and help has no short flag.
func newHexabomb() *cobra.Command {
	var (
		host string
		port int
	)
	cmd := &cobra.Command{
		Use:   "hexabomb MAP",
		Short: "Run the rules of hexabomb for a netorcai server",
		Long: `Run the rules of hexabomb on a map, as the game logic of one match of a netorcai
server: hexarena serve --game external, or the program netorcai.`,
		Args:          cobra.ExactArgs(1),
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if port < 1 || port > 65535 {
				return fmt.Errorf("port = %d: want an integer from 1 to 65535", port)
			}
			m, err := maps.Load(args[0])
			if err != nil {
				return fmt.Errorf("map: %w", err)
			}
			return referee(cmd.Context(), net.JoinHostPort(host, strconv.Itoa(port)), hexabomb.New(m))
		},
	}
	f := cmd.Flags()
	f.StringVarP(&host, "hostname", "h", "localhost", "host that the server runs on")
	f.IntVarP(&port, "port", "p", 4242, "port that the server listens on")
	f.Bool("help", false, "help for hexabomb") // defined here so that cobra does not take -h
	return cmd
}

// referee runs a game for one match of the server at addr.
func referee(ctx context.Context, addr string, g engine.Game) error {
	c, err := netorcai.Dial(ctx, addr, netorcai.Login{Nickname: "hexabomb", Role: netorcai.RoleGameLogic})
	if err == nil {
		defer c.Close()
		err = c.Referee(ctx, &gameLogic{game: g})
	}
	if err != nil && errors.Is(ctx.Err(), context.Canceled) {
		return exitError{exitFailure} // Ctrl-C needs no explanation
	}
	return err
}

// gameLogic puts a game behind the wire.
type gameLogic struct {
	game   engine.Game
	inputs []engine.Input
	state  []byte
}

// Init implements netorcai.GameLogic.
func (l *gameLogic) Init(m netorcai.DoInit) ([]byte, error) {
	_, err := l.game.Start(engine.Setup{Players: m.NbPlayers, Specials: m.NbSpecialPlayers, Turns: m.NbTurnsMax})
	return l.game.AppendState(l.state[:0]), err
}

// Turn implements netorcai.GameLogic.
func (l *gameLogic) Turn(players []netorcai.PlayerActions) (winner int, state []byte, err error) {
	l.inputs = l.inputs[:0]
	for _, p := range players {
		id := engine.PlayerID(p.PlayerID)
		if int(id) != p.PlayerID {
			id = engine.Nobody // no player has an id of more than 32 bits
		}
		l.inputs = append(l.inputs, engine.Input{Player: id, Turn: p.Turn, Actions: p.Actions, Valid: true})
	}
	r := l.game.Step(l.inputs)
	l.state = l.game.AppendState(l.state[:0])
	return int(r.Winner), l.state, nil
}
