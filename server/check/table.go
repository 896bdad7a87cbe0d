package check

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/games"
)

// places says as whom a bot plays a scripted match.
type places struct {
	id                engine.PlayerID // NoPlayer: it looks on
	players, specials int
}

// table plays the game of one scripted match: the bot's answers and those of built-in opponents
// lead to the states that the bot is shown. It belongs to one goroutine.
type table struct {
	places
	game      engine.Game
	result    engine.Result
	turns     int
	turn      int // number of the TURN that is due
	state     []byte
	initial   []byte
	opponents map[engine.PlayerID]netorcai.Bot
	// plays for the bot before it is asked; nil: there are no built-in players
	stand    netorcai.Bot
	unlucky  []string       // reasons of refusals that cannot be avoided
	refused  map[string]int // actions of the bot, by reason, without these
	first    string         // why the first of them was refused, as far as the game explains it
	accepted int            // answers with actions of which none was refused
}

// newTable sets a match up. The built-in player that thinks least plays the other seats.
func newTable(g *games.Game, i *games.Instance, at places, turns int, seed uint64) (*table, error) {
	t := &table{
		places: at, game: i.New(), turns: turns, opponents: map[engine.PlayerID]netorcai.Bot{},
		unlucky: g.Unlucky, refused: map[string]int{},
	}
	var err error
	t.result, err = t.game.Start(engine.Setup{
		Players: at.players, Specials: at.specials, Turns: turns, Seed: seed,
	})
	if err != nil {
		return nil, fmt.Errorf("a match of %d players: %w", at.players, err)
	}
	t.initial = t.game.AppendState(nil)
	for id := range engine.PlayerID(at.players + at.specials) {
		if len(g.Builtins) == 0 {
			break
		}
		bot := g.Builtins[len(g.Builtins)-1].New(seed + uint64(id))
		if err := bot.Start(t.starts(id)); err != nil {
			return nil, fmt.Errorf("a built-in bot: %w", err)
		}
		if id == at.id {
			t.stand = bot
		} else {
			t.opponents[id] = bot
		}
	}
	t.step(nil)
	return t, nil
}

// starts returns the beginning of the match as a player is told it.
func (t *table) starts(id engine.PlayerID) netorcai.GameStarts {
	return netorcai.GameStarts{
		PlayerID: int(id), NbPlayers: t.players, NbSpecialPlayers: t.specials, NbTurnsMax: t.turns,
		BeforeFirstTurn: 50, BetweenTurns: 50, State: t.initial,
	}
}

func (t *table) step(inputs []engine.Input) {
	t.result = t.game.Step(inputs)
	t.state = t.game.AppendState(nil)
}

// over reports whether no TURN follows.
func (t *table) over() bool { return t.result.Over || t.turn >= t.turns-1 }

// skip plays some moves of built-in players alone, also for the bot.
func (t *table) skip(moves int) error {
	for range moves {
		if t.result.Await.Has(t.id) {
			answer, err := t.stand.Turn(netorcai.Turn{Number: t.turn, State: t.state})
			if err != nil {
				return fmt.Errorf("a built-in bot: %w", err)
			}
			if err := t.answer(slices.Clone(answer)); err != nil {
				return err
			}
			continue
		}
		if err := t.answer(nil); err != nil {
			return err
		}
	}
	return nil
}

// answer plays the bot's answer to the turn that is due, and those of its opponents.
func (t *table) answer(actions []byte) error {
	var inputs []engine.Input
	if t.id != engine.NoPlayer && (t.result.Await.Has(t.id) || len(t.opponents) == 0) {
		inputs = append(inputs, engine.Input{Player: t.id, Turn: t.turn, Actions: actions})
	}
	for id := range engine.PlayerID(t.players + t.specials) {
		if bot := t.opponents[id]; bot != nil && t.result.Await.Has(id) {
			answer, err := bot.Turn(netorcai.Turn{Number: t.turn, State: t.state})
			if err != nil {
				return fmt.Errorf("a built-in bot: %w", err)
			}
			inputs = append(inputs, engine.Input{Player: id, Turn: t.turn, Actions: slices.Clone(answer)})
		}
	}
	t.step(inputs)
	t.turn++
	good := len(actions) > len("[{}]")
	for i := range t.result.Refused {
		if r := &t.result.Refused[i]; r.Player == t.id && !slices.Contains(t.unlucky, r.Reason) {
			t.refused[r.Reason]++
			t.explain(&inputs[r.Input], r)
			good = false
		}
	}
	if t.result.Over && t.result.Winner != t.id && strings.HasPrefix(t.result.Reason, forfeit) {
		t.refused[t.result.Reason]++
	}
	if good {
		t.accepted++
	}
	return nil
}

// explain notes why an action of the bot was refused.
func (t *table) explain(in *engine.Input, r *engine.Refusal) {
	game, ok := t.game.(engine.Explainer)
	if !ok || t.first != "" {
		return
	}
	if why := game.Explain(in, r); why != "" {
		t.first = r.Reason + ", in TURN " + strconv.Itoa(in.Turn) + ", "
		if r.Action >= 0 {
			t.first += "action " + strconv.Itoa(r.Action) + ": "
		}
		t.first += why
	}
}

// refusals returns the reasons for which actions of the bot were refused, and the first of them.
func (t *table) refusals() string { return refusals(t.refused, t.first) }

// forfeit begins the reason for which a match is over when a player broke the rules.
const forfeit = "forfeit"

// refusals returns the reasons for which actions of the bot were refused, the most frequent first,
// such as "dead (3 times)", and why the first was, which may be ""; "" if none was.
func refusals(counts map[string]int, first string) string {
	var reasons []string
	for reason := range counts {
		reasons = append(reasons, reason)
	}
	slices.SortFunc(reasons, func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b))
	})
	for i, reason := range reasons {
		if n := counts[reason]; n > 1 {
			reasons[i] = fmt.Sprintf("%s (%d times)", reason, n)
		}
	}
	what := strings.Join(reasons, ", ")
	if what != "" && first != "" {
		what += "; the first, " + first
	}
	return what
}
