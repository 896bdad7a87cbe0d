// Package cli resolves the settings and arguments that the commands share which play matches: the
// game and the program of its rules, the seats, and how bots start.
package cli

import (
	"context"

	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/launch/isolate"
	"github.com/hexarena/hexarena/server/seat"
)

// Isolation returns what isolates some bots, nil if the settings do not ask for it or there are no
// bots. The error says why the bots cannot be isolated.
func Isolation(ctx context.Context, v config.Values, bots []isolate.Bot) (*isolate.Runtime, error) {
	if len(bots) == 0 {
		return nil, nil
	}
	r, err := FindIsolation(ctx, v)
	if err == nil {
		err = CheckIsolation(ctx, v, r, bots)
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

// FindIsolation returns what isolates bots, nil if the settings do not ask for it. A runtime that
// cannot start a container is an error: otherwise each bot would fail, as if it were to blame.
func FindIsolation(ctx context.Context, v config.Values) (*isolate.Runtime, error) {
	if !v.Bool("isolate") {
		return nil, nil
	}
	r, err := isolate.Find(ctx, IsolateOptions(v))
	if err == nil {
		err = r.Try(ctx)
	}
	if err != nil {
		return nil, v.Mistake("isolate", "%w", err)
	}
	return r, nil
}

// IsolateOptions returns the image and the limits of isolated bots.
func IsolateOptions(v config.Values) isolate.Options {
	return isolate.Options{
		Image: v.Text("isolate-image"), Memory: v.Int("isolate-memory"), CPUs: v.Int("isolate-cpus"),
	}
}

// CheckIsolation returns why bots cannot be isolated by what FindIsolation has returned, nil if
// they can.
func CheckIsolation(
	ctx context.Context, v config.Values, r *isolate.Runtime, bots []isolate.Bot,
) error {
	if r == nil {
		return nil
	}
	if err := r.Check(ctx, bots); err != nil {
		return v.Mistake("isolate", "%w", err)
	}
	return nil
}

// Scripts returns the seats that a command knows, whose scripts run as the settings say. Unless
// they name what runs scripts, an isolated one runs with Node, which is in the image.
func Scripts(v config.Values, known seat.Known) seat.Known {
	known.JS, known.Memory = launch.JavaScripts[v.Text("js")], v.Int("js-memory")
	known.Isolated = v.Bool("isolate")
	if known.Isolated && known.JS == launch.JSAuto {
		known.JS = launch.JSNode
	}
	return known
}

// Bots returns the bots of some seats that run in containers if bots are isolated. listen reports
// whether those with a {port} are dialled.
func Bots(seats []seat.Spec, listen bool) (list []isolate.Bot) {
	for i := range seats {
		if s := &seats[i]; s.Kind == seat.Process && s.Place(true) == launch.InContainer {
			list = append(list, isolate.Bot{Argv: s.Argv, Stdio: s.Stdio, Listens: listen && s.UsesPort()})
		}
	}
	return list
}

// Rights returns a line on the rights that started bots have.
func Rights(r *isolate.Runtime) string {
	if r == nil {
		return "started bots " + launch.FullRights
	}
	return "started bots are isolated by " + r.String()
}
