package main

import (
	"errors"
	"strconv"

	"github.com/spf13/pflag"

	"github.com/hexarena/hexarena/server/export"
	"github.com/hexarena/hexarena/server/match"
)

// turnUsage is the end of the help of flags that name a turn.
const turnUsage = `: the number of a TURN, "start" for the initial board, "end" for the last one`

// stepOfTurn is a flag that names a turn. It holds the step that led to the board of that turn.
type stepOfTurn int

// addTurn adds a flag that names a turn, and holds a step.
func addTurn(f *pflag.FlagSet, step *int, name string, usual int, about string) {
	*step = usual
	f.Var((*stepOfTurn)(step), name, about+turnUsage)
}

// Set implements pflag.Value. The end has the number −1 as well, as in earlier versions.
func (s *stepOfTurn) Set(text string) error {
	switch text {
	case match.StartName:
		*s = 0
		return nil
	case export.EndName, "-1":
		*s = export.LastTurn
		return nil
	}
	turn, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return errors.New(`want the number of a TURN, from 0, or "start" or "end"`)
	}
	*s = stepOfTurn(match.StepOf(int(turn)))
	return nil
}

// String implements pflag.Value.
func (s *stepOfTurn) String() string { return export.TurnArg(int(*s)) }

// Type implements pflag.Value.
func (*stepOfTurn) Type() string { return "turn" }
