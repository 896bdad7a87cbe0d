package games

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/protocol/netorcai"
)

// Builtin is a player that comes with hexarena.
type Builtin struct {
	Name    string
	Summary string // one line
	// New returns the player. The same states and seed give the same answers, unless the
	// time cuts its thinking off.
	New func(seed uint64) netorcai.Bot
}

// BuiltinNames returns the names of the game's built-in players.
func (g *Game) BuiltinNames() []string { return List{g}.BuiltinNames() }

// NewBuiltin returns the built-in player of that name. The error lists all names.
func (g *Game) NewBuiltin(name string, seed uint64) (netorcai.Bot, error) {
	return List{g}.NewBuiltin(name, seed)
}

// BuiltinNames returns the names of the built-in players of all games, each once.
func (l List) BuiltinNames() (names []string) {
	for _, g := range l {
		for i := range g.Builtins {
			if name := g.Builtins[i].Name; !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// NewBuiltin returns the built-in player of that name. If several games have one, the first
// state decides which of them plays.
func (l List) NewBuiltin(name string, seed uint64) (netorcai.Bot, error) {
	var candidates []netorcai.Bot
	for _, g := range l {
		for i := range g.Builtins {
			if b := &g.Builtins[i]; b.Name == name {
				candidates = append(candidates, b.New(seed))
			}
		}
	}
	switch len(candidates) {
	case 0:
		return nil, l.unknown(name)
	case 1:
		return candidates[0], nil
	}
	return &undecided{candidates: candidates}, nil
}

// unknown returns the error for a name that no built-in player has.
func (l List) unknown(name string) error {
	names := l.BuiltinNames()
	if len(names) == 0 {
		return fmt.Errorf("there is no built-in bot %q; this game has none", name)
	}
	meant := config.Suggest("; did you mean ", name, names)
	if meant != "" {
		meant += "?"
	}
	return fmt.Errorf("there is no built-in bot %q%s There are %s", name, cmp.Or(meant, "."),
		strings.Join(names, ", "))
}

// undecided is players of one name for several games.
type undecided struct {
	candidates []netorcai.Bot
	playing    netorcai.Bot // nil: no match has started
}

var errNotStarted = errors.New("no match has started")

// Start implements netorcai.Bot: the last player that accepts the state plays. The first one, of
// the game that is played unless another is chosen, is asked last, since it may accept any state.
func (u *undecided) Start(m netorcai.GameStarts) error {
	var refusals []error
	for _, one := range slices.Backward(u.candidates) {
		err := one.Start(m)
		if err == nil {
			u.playing = one
			return nil
		}
		refusals = append(refusals, err)
	}
	u.playing = nil
	return errors.Join(refusals...)
}

// Turn implements netorcai.Bot.
func (u *undecided) Turn(m netorcai.Turn) ([]byte, error) {
	if u.playing == nil {
		return nil, errNotStarted
	}
	return u.playing.Turn(m)
}

// End implements netorcai.Bot.
func (u *undecided) End(m netorcai.GameEnds) {
	if u.playing != nil {
		u.playing.End(m)
	}
}

// Debug implements netorcai.Debugger.
func (u *undecided) Debug() (d netorcai.Debug) {
	if one, ok := u.playing.(netorcai.Debugger); ok {
		d = one.Debug()
	}
	return d
}
