// Package gamelogic reads the setting that names the program of a game logic.
package gamelogic

import (
	"context"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/checkouts"
	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/seat"
)

// setting is the name of the setting.
const setting = "logic"

// Of returns how the game logic of an instance is started, nil if the settings name none or the
// rules are in this program.
func Of(ctx context.Context, v config.Values, i games.Instance) (*seat.Spec, error) {
	argument := v.Text(setting)
	if i.New != nil || argument == "" {
		return nil, nil
	}
	logic, err := seat.ParseLogic(ctx, argument, checkouts.AsOf(ctx))
	if err != nil {
		return nil, v.Mistake(setting, "%w", err)
	}
	return logic, nil
}

// Needed is Of for commands that no game logic can connect to: one has to be named.
func Needed(ctx context.Context, v config.Values, i games.Instance) (*seat.Spec, error) {
	logic, err := Of(ctx, v, i)
	if err == nil && logic == nil && i.New == nil {
		err = v.Mistake(setting, "no program has the rules; name it, as in --logic logic.py")
	}
	return logic, err
}
