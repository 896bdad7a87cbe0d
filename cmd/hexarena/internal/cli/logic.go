package cli

import (
	"context"

	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/seat"
)

// logicSetting names the program of a game logic.
const logicSetting = "logic"

// Logic returns how the game logic of an instance is started, nil if the settings name none or the
// rules are in this program.
func Logic(ctx context.Context, v config.Values, i games.Instance) (*seat.Spec, error) {
	argument := v.Text(logicSetting)
	if i.New != nil || argument == "" {
		return nil, nil
	}
	logic, err := seat.ParseLogic(ctx, argument, Locator(ctx))
	if err != nil {
		return nil, v.Mistake(logicSetting, "%w", err)
	}
	return logic, nil
}

// NeededLogic is Logic for commands that no game logic can connect to: one has to be named.
func NeededLogic(ctx context.Context, v config.Values, i games.Instance) (*seat.Spec, error) {
	logic, err := Logic(ctx, v, i)
	if err == nil && logic == nil && i.New == nil {
		err = v.Mistake(logicSetting, "no program has the rules; name it, as in --logic logic.py")
	}
	return logic, err
}
