package main

import (
	"errors"
	"strconv"

	"github.com/spf13/pflag"

	"github.com/hexarena/hexarena/server/export"
	"github.com/hexarena/hexarena/server/match"
)

// addTurn adds a flag that names a turn, and sets step to the step that led to its board. The end
// has the number −1 as well, as in earlier versions.
func addTurn(f *pflag.FlagSet, step *int, name string, usual int, about string) {
	*step = usual
	about += ": the number of a TURN, \"start\" for the initial board, \"end\" for the last one"
	f.Func(name, about, func(text string) error {
		turn, err := strconv.ParseUint(text, 10, 31)
		switch {
		case err == nil:
			*step = match.StepOf(int(turn))
		case text == match.StartName:
			*step = 0
		case text == export.EndName, text == "-1":
			*step = export.LastTurn
		default:
			return errors.New(`want the number of a TURN, from 0, or "start" or "end"`)
		}
		return nil
	})
	f.Lookup(name).DefValue = export.TurnArg(usual)
}
