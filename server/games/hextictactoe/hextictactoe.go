// Package hextictactoe describes hexagonal tic-tac-toe to hexarena: its options, its
// built-in bots, its notation, its pictures, and bots that judge games.
package hextictactoe

import (
	_ "embed"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	tictactoe "github.com/hexarena/hexarena/bots/hextictactoe"
	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/engine"
	rules "github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/botapi"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/games/picture"
)

// Name is the game's name.
const Name = "hextictactoe"

// title is what people call the game.
const title = "hexagonal tic-tac-toe"

// sides is the number of players there are.
const sides = 2

// brief is games.Game.Brief.
//
//go:embed brief.md
var brief string

// Game describes hexagonal tic-tac-toe.
func Game() *games.Game { return repeating(nil) }

// repeating describes the game with built-in players that repeat the answers of a past.
func repeating(past tictactoe.Past) *games.Game {
	g := &games.Game{
		Name: Name, Title: title,
		ServeHelp: `With --game ` + Name + ` two players play ` + title + `. POST /game/new at the
address of the page creates games between people and bots that speak the HTTTX Bot API, as on
Hivemaker's server; Hivemaker's desktop client expects that at port 8001.`,
		Example:  "--game " + Name + " threat http://localhost:8002 --tc 60+0.5",
		Rules:    []string{rules.Rules},
		Settings: settings(), New: newInstance,
		NewCup:   newCup,
		Replay:   replay,
		Recorded: recorded,
		Mix: func(seats int) []string {
			return slices.Repeat(
				[]string{tictactoe.Describe()[0].Name}, seats)
		},
		StarterSeats: "nearest",
		BotAPI:       true, Repeat: repeat,
		Draw: draw, DrawsWhole: true, Text: text, Brief: brief,
		FromClient: fromClient,
		Env:        env,
		Notation: &games.Notation{
			Format: "htttx", About: "a game of " + title + " in its notation",
			New: newTranscript, Parse: parseGames,
		},
		Judge: &games.Judge{Names: judgeNames(), Run: judge},
	}
	addPlayers(g, past)
	g.PlayHelp = `With --game ` + Name + ` two SEATs play ` + title + `, x first. Its built-in bots are
` + strings.Join(g.BuiltinNames(), ", ") + `. A command with {port} may log in, as in any
game, or listen at that port for the HTTTX Bot API; BOT_PORT is the server's port. Bots of that API can
also take open and wait seats: they dial ws://HOST:PORT/htttx/session at the server's port.`
	return g
}

// settings are those of the game. Both sides take their turns by its clock, so that the
// settings of the pace have no effect.
func settings() []config.Setting {
	turns, timeout := config.General("turns"), config.General("turn-timeout")
	turns.Help = "largest number of moves; then the game is a draw"
	turns.In = map[config.Command]config.Variant{
		config.Play: {Default: "200"}, config.Cup: {Default: "200"}, config.Env: {Default: "200"},
	}
	// people think that long
	timeout.With, timeout.Default, timeout.In = "", "1m", map[config.Command]config.Variant{
		config.Check: timeout.In[config.Check],
	}
	timeout.Help = "time limit for a move in a game without a clock; off or 0 for no limit"
	own := []config.Setting{
		turns, timeout,
		{
			Name: "tc", Kind: config.Text(), Commands: config.Serve | config.Play | config.Cup,
			Help: "time of each side, + what each move adds to it, in seconds, such as 60+0.5; empty for " +
				"no clock",
		},
		{
			Name: "view-distance", Kind: config.Integer(1, rules.MaxDistance), Default: "8",
			Commands: config.Play | config.Cup | config.Env,
			Help:     "largest distance of a piece from the others",
		},
		{
			Name: "win-distance", Kind: config.Integer(2, rules.MaxDistance), Default: "6",
			Commands: config.Play | config.Cup | config.Env,
			Help:     "number of pieces in a row that win",
		},
		{
			Name: "openings", Kind: config.Text(), Commands: config.Play | config.Cup,
			Help: "file of positions to begin with, or " + balanced + " for the 300 of the game, as in a " +
				"cup; each is played twice, with sides changed; empty for none",
		},
		{
			Name: "public", Kind: config.Bool(), Default: "false", Group: config.NetworkGroup,
			Commands: config.Serve,
			Help: "dial only bots on the public Internet, even if a request from this machine names " +
				"another address",
		},
	}
	own = append(own,
		config.Restrict(0, "pace", "tps", "delay-first-turn", "players", "special-players")...)
	return append(own, config.Restrict(config.Serve|config.Cup, "order")...)
}

func newInstance(v config.Values) (games.Instance, error) {
	var wrong []error
	o := rules.Defaults()
	o.TurnLimit = v.Int("turns")
	if distance := v.Int("view-distance"); distance != 0 {
		o.ViewDistance = distance
	}
	if distance := v.Int("win-distance"); distance != 0 {
		o.WinDistance = distance
	}
	var err error
	if o.Clock, err = clockOf(v.Text("tc")); err != nil {
		wrong = append(wrong, v.Mistake("tc", "%w", err))
	}
	positions := []*rules.Position{nil}
	if path := v.Text("openings"); path != "" {
		if positions, err = readOpenings(path); err != nil {
			return games.Instance{}, errors.Join(append(wrong, v.Mistake("openings", "%w", err))...)
		}
	}
	var list []games.Instance
	for n, position := range positions {
		o.Setup = position
		i, err := instanceOf(o, v.Duration("turn-timeout"))
		if err != nil {
			name := "openings"
			if position == nil {
				name = "win-distance"
			}
			wrong = append(wrong, v.Mistake(name, "game %d: %w", n+1, err))
		}
		list = append(list, i)
	}
	first := list[0]
	if first.Opening {
		first.Openings = list
	}
	return first, errors.Join(wrong...)
}

// instanceOf returns the game with these options, unless it cannot be started.
func instanceOf(o rules.Options, thinking time.Duration) (games.Instance, error) {
	setup, err := json.Marshal(o)
	if err != nil {
		return games.Instance{}, err
	}
	budget := botapi.BudgetOf(o.Clock, thinking)
	i := games.Instance{
		Map: Name, Setup: setup, Players: sides, Turns: o.TurnLimit + 1, Budget: &budget,
		Opening:    o.Setup != nil,
		New:        func() engine.Game { return rules.New(o) },
		AnswerSize: games.UsualAnswer,
	}
	_, err = i.New().Start(engine.Setup{Players: sides})
	return i, err
}

// clockOf returns the clock that a time control stands for; an empty one stands for none.
func clockOf(tc string) (rules.Clock, error) {
	if tc == "" {
		return rules.Defaults().Clock, nil
	}
	t, err := htttx.ParseTimeControl(tc)
	return rules.Clock{
		Kind: rules.Incremental, Base: max(1, t.Base.Milliseconds()),
		Increment: t.Increment.Milliseconds(),
	}, err
}

func replay(_ string, setup []byte) (engine.Game, error) {
	o, err := rules.ParseOptions(setup)
	return rules.New(o), err
}

// recorded has no limit for a move in a game without a clock: the recording does not say which it
// had.
func recorded(_ string, setup []byte) (games.Instance, error) {
	o, err := rules.ParseOptions(setup)
	if err != nil {
		return games.Instance{}, err
	}
	return instanceOf(o, 0)
}

func draw(m *games.Match, last []byte, o picture.Options) (picture.Drawing, error) {
	return picture.NewHextictactoe(last, m.Names, o)
}

// fromClient implements games.Game.FromClient: a state has the options of its match.
func fromClient(state []byte, _, _ int) (string, []byte, error) {
	o, err := rules.ParseOptions(state)
	if err != nil {
		return "", nil, err
	}
	var s struct {
		Board json.RawMessage `json:"board"`
	}
	if err := json.Unmarshal(state, &s); err != nil || s.Board == nil {
		return "", nil, errors.Join(err, errors.New("state: it has no board"))
	}
	setup, err := json.Marshal(o)
	return rules.Rules, setup, err
}
