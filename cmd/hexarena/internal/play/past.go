package play

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/export"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/match"
)

// Recorded are the settings that a match has from the recording that it goes on from.
var Recorded = []string{
	"game", "map", "rules", "turns", "seed", "order", "sudden-death", "tc", "view-distance",
	"win-distance", "openings",
	"logic", "game-timeout",
}

// takeRecorded takes the settings of the recorded match.
func (o *options) takeRecorded() error {
	h := &o.Past.Header
	g := o.Games.OfRules(h.Rules)
	if g == nil {
		return fmt.Errorf("%s: a match of the rules %s cannot be played on", o.Past.Path, h.RulesName())
	}
	o.Game, o.Seed, o.MaxTurns, o.suddenDeath = g.Name, config.Optional[uint64]{
		Value: h.Seed, Given: true,
	}, h.Turns, h.Specials > 0
	if order := h.Options["order"]; order != "" {
		o.Order = config.Order(order)
	}
	return nil
}

// playerOf returns the player id that the seat at an index has. Special players, whose seats come
// last, have the first ids.
func (p *runner) playerOf(seat int) int {
	specials := p.Past.Header.Specials
	if p.seats[seat].Special {
		return seat - (len(p.seats) - specials)
	}
	return specials + seat
}

// reseed gives each bot the seed that the recorded player in its place had, so that the same bots
// play the same match.
func (p *runner) reseed() {
	for i := range p.seats {
		if id := p.playerOf(i); id >= 0 && id < len(p.Past.Header.Seats) {
			p.seats[i].Seed = p.Past.Header.Seats[id].Seed
		}
	}
}

// builtins returns the built-in bots that take the seats for which no bot was given: those that had
// them in the recorded match, and in place of other players those of the game.
func (p *runner) builtins() []string {
	names := p.game.Mix(p.instance.Players)
	if p.Past == nil {
		return names
	}
	for id, s := range p.Past.Header.Seats {
		i := id - p.Past.Header.Specials
		name, _, _ := strings.Cut(s.Label, "#") // "random#2" is the second random
		if i >= 0 && i < len(names) && len(s.Command) == 0 &&
			slices.Contains(p.game.BuiltinNames(), name) {
			names[i] = name
		}
	}
	return names
}

// newInstance returns the game with its settings, or that of the recorded match.
func (p *runner) newInstance() (games.Instance, error) {
	if p.Past == nil {
		return p.game.New(p.Values)
	}
	h := &p.Past.Header
	i, err := p.game.Again(h.Rules, h.MapName, h.Map)
	i.Players, i.Turns = h.Players, h.Turns
	if h.Specials > 0 {
		i.SpecialBots = []string{p.game.Special}
	}
	return i, err
}

// left is what a player has left of a budget when its first answer counts. Without a clock, the
// setting says how long a move may take.
func (p *runner) left(b match.Budget, id engine.PlayerID) match.Budget {
	if p.Past == nil {
		return b
	}
	if b.Time == 0 {
		b.Time = p.TurnTimeout
	}
	return p.Past.Left(b, id)
}

// playOn returns the command that plays on from the recording again.
func (p *runner) playOn() string {
	words := []string{"hexarena", "replay", "play", p.Past.Path, "--from", export.TurnArg(p.Past.From)}
	for _, id := range slices.Sorted(maps.Keys(p.Past.Answers)) {
		words = append(words, "--answer", fmt.Sprintf("%d=%s", id, p.Past.Answers[id].Actions))
	}
	return p.withSeats(append(words, p.Values.Arguments(append(notRepeated, Recorded...)...)...))
}

// tellPast prints whose places the players take.
func (p *runner) tellPast() {
	if p.Past == nil || p.asJSON {
		return
	}
	h := &p.Past.Header
	for _, id := range slices.Sorted(maps.Keys(p.Past.Answers)) {
		fmt.Fprintf(p.Stderr, "in %s, player %d (%s) does by hand %s\n",
			match.NameShown(p.Past.From), id,
			tui.Plain(h.Seats[id].Name()), tui.Plain(string(p.Past.Answers[id].Actions)))
	}
	for i := range p.seats {
		if id := p.playerOf(i); !p.seats[i].Special {
			fmt.Fprintf(p.Stderr, "from %s on, %s plays for player %d (%s)\n",
				match.NameShown(p.Past.Match().Turns),
				p.seats[i].Label, id, tui.Plain(h.Seats[id].Name()))
		}
	}
}
