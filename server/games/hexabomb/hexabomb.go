// Package hexabomb describes hexabomb to hexarena: its maps, its built-in bots and its pictures.
package hexabomb

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/hexarena/hexarena/bots"
	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/games/picture"
)

// Name is the game's name.
const Name = "hexabomb"

// special is the bot that plays the special player of sudden death.
const special = "hunter"

// brief is games.Game.Brief.
//
//go:embed brief.md
var brief string

// Game describes hexabomb.
func Game() *games.Game {
	g := &games.Game{
		Name: Name, Title: Name,
		Rules:    []string{hexabomb.Rules, hexabomb.DraftRules},
		Settings: settings(), New: newInstance,
		Replay:       replay,
		Recorded:     recorded,
		Unlucky:      []string{hexabomb.Blocked},
		Rare:         rare,
		Mix:          mix,
		Special:      special,
		StarterSeats: "painter random random",
		Draw:         draw,
		Terminal:     newTerminal,
		Env:          env,
		Text:         text,
		Brief:        brief,
		FromClient:   fromClient,
		Candidates:   candidates,
	}
	for _, d := range bots.Describe() {
		g.Builtins = append(g.Builtins,
			games.Builtin{Name: d.Name, Summary: d.Summary, New: bots.Clients(d.Name, bots.New)})
	}
	return g
}

// rare returns the state with the characters of a player dead, with all of them, and with no cell
// to walk to.
func rare(state []byte, player engine.PlayerID) (list []games.Rare, err error) {
	for _, situation := range []struct {
		about  string
		change func(*hexabomb.State)
	}{
		{"its characters are dead", func(s *hexabomb.State) { kill(s, hexabomb.ColorOf(player)) }},
		{"all characters are dead", func(s *hexabomb.State) { kill(s, 0) }},
		{"all cells have one colour and a bomb is on each", func(s *hexabomb.State) {
			for i := range s.Cells {
				s.Cells[i].Color = hexabomb.ColorOf(player)
				s.Bombs = append(s.Bombs,
					hexabomb.Bomb{Color: hexabomb.ColorOf(player), Range: 2, Delay: 2, Coord: s.Cells[i].Coord})
			}
		}},
	} {
		s, err := hexabomb.ParseState(state)
		if err != nil {
			return nil, err
		}
		situation.change(s)
		text, err := json.Marshal(s)
		if err != nil {
			return nil, err
		}
		list = append(list, games.Rare{About: situation.about, State: text})
	}
	return list, nil
}

// kill marks the characters of a colour as dead, or all if it is 0.
func kill(s *hexabomb.State, color hexabomb.Color) {
	for i := range s.Characters {
		if c := &s.Characters[i]; color == 0 || c.Color == color {
			c.Alive, c.ReviveDelay = false, 2
			if c.BombCount != nil {
				*c.BombCount = 0
			}
		}
	}
}

// mix alternates a bot that plays well with one that does not.
func mix(seats int) (names []string) {
	for i := range seats {
		names = append(names, [...]string{"painter", "random"}[i%2])
	}
	return names
}

func newInstance(v config.Values) (games.Instance, error) {
	name := v.Text("map")
	board, err := maps.Load(name)
	if err != nil {
		return games.Instance{}, v.Mistake("map", "%w", err)
	}
	i := instanceOn(name, board.Digest(), board, v.Text("rules") == draftRules)
	if v.Bool("sudden-death") {
		i.SpecialBots = []string{special}
	}
	return i, check(v, name, board)
}

// instanceOn returns the game on a map, or on one with the starting places of some players of the
// map with that name and digest.
func instanceOn(name, digest string, board *hexabomb.Map, draft bool) games.Instance {
	compiled := hexabomb.Compile(board)
	text := board.AppendJSON(nil)
	i := games.Instance{
		Map: name, Board: text, Setup: text,
		MapInfo: &games.MapInfo{
			Name: name, Digest: digest, Cells: len(board.Cells), Seats: board.Seats(),
		},
		Players:    board.Seats(),
		Specials:   min(1, len(board.Specials)), // the rules know no more than one
		New:        func() engine.Game { return compiled.NewGame() },
		AnswerSize: answerSize(board),
		At: func(places []int) games.Instance {
			chosen := *board
			chosen.Starts = make([][]hexgrid.Coord, len(places))
			for i, place := range places {
				chosen.Starts[i] = board.Starts[place]
			}
			return instanceOn(name, digest, &chosen, draft)
		},
	}
	if draft {
		i.New = func() engine.Game { return compiled.NewDraftGame() }
		i.Setup = append([]byte(draftSetup), text[len("{"):]...)
		i.Specials = 0
	}
	return i
}

// The values of the setting rules.
const (
	currentRules = "1.1"
	draftRules   = "draft"
)

// draftSetup begins the setup of a game by the draft rules, which goes on as the map's JSON. So the
// setups of all games differ.
const draftSetup = `{"rules":"` + hexabomb.DraftRules + `",`

// check returns what is wrong with the settings for a map.
func check(v config.Values, name string, board *hexabomb.Map) error {
	var wrong []error
	if v.Int("players") > board.Seats() {
		wrong = append(
			wrong,
			v.Mistake("players", "map %s has %d seats; lower it, leave it out, or choose another map", name,
				board.Seats()),
		)
	}
	const noSpecial = "the draft rules have no special player; leave it out, or leave --rules out"
	draft := v.Text("rules") == draftRules
	switch specials := v.Int("special-players"); {
	case specials > 0 && draft:
		wrong = append(wrong, v.Mistake("special-players", noSpecial))
	case specials > 1:
		wrong = append(wrong,
			v.Mistake("special-players", "%s is played with 0 or 1 special players", Name))
	case specials > 0 && len(board.Specials) == 0:
		wrong = append(
			wrong,
			v.Mistake("special-players",
				"map %s has no place for a special player; set it to 0 or choose another map", name),
		)
	}
	switch {
	case !v.Bool("sudden-death"):
	case draft:
		wrong = append(wrong, v.Mistake("sudden-death", noSpecial))
	case len(board.Specials) == 0:
		wrong = append(wrong,
			v.Mistake("sudden-death", "map %q has no place for a special player; choose another map", name))
	}
	return errors.Join(wrong...)
}

func settings() []config.Setting {
	board := config.Name("the name of a shipped map or a file")
	board.Words = maps.Names()
	return []config.Setting{
		{
			Name: "map", Kind: board, Default: maps.Default,
			Commands: config.Serve | config.Play | config.Check | config.Event | config.Env,
			Help:     "name of a shipped map, or a map file",
			In:       map[config.Command]config.Variant{config.Event: {Default: maps.Event}},
		},
		{
			Name: "maps", Kind: config.Text(), Default: maps.Default, Commands: config.Cup,
			Help: "names of shipped maps, or map files, separated by commas",
		},
		{
			Name: "rules", Kind: config.Choice(currentRules, draftRules), Default: currentRules,
			Commands: config.Serve | config.Play | config.Cup | config.Check | config.Event | config.Env,
			Help:     "version of the rules; draft: those before version 1.0, as docs/rules.md has them",
		},
		{
			Name: "sudden-death", Kind: config.Bool(), Default: "false",
			Commands: config.Play | config.Env,
			Help:     "dead characters stay dead, and a hunter joins as special player",
			In: map[config.Command]config.Variant{
				config.Env: {Help: "dead characters stay dead, and the player 0 is a hunter"},
			},
		},
	}
}

func replay(rules string, setup []byte) (engine.Game, error) {
	board, err := hexabomb.ParseMap(setup)
	if err != nil {
		return nil, fmt.Errorf("map: %w", err)
	}
	if rules == hexabomb.DraftRules {
		return hexabomb.Compile(board).NewDraftGame(), nil
	}
	return hexabomb.New(board), nil
}

func recorded(name string, setup []byte) (games.Instance, error) {
	board, err := hexabomb.ParseMap(setup)
	if err != nil {
		return games.Instance{}, fmt.Errorf("map: %w", err)
	}
	var rules struct{ Rules string }
	if err := json.Unmarshal(setup, &rules); err != nil {
		return games.Instance{}, err
	}
	return instanceOn(name, board.Digest(), board, rules.Rules == hexabomb.DraftRules), nil
}

func draw(m *games.Match, _ []byte, o picture.Options) (picture.Drawing, error) {
	board, err := hexabomb.ParseMap(m.Setup)
	if err != nil {
		return nil, err
	}
	return picture.NewHexabomb(board,
		picture.Match{Names: m.Names, Specials: m.Specials, Turns: m.Turns}, o)
}

// How large an answer may be, in bytes, unless max-message-size says otherwise.
const (
	// actionSize is for one action, with unknown keys, white space and
	// escapes: the longest that is needed has 86 bytes.
	actionSize = 256
	// envelopeSize is for the message around the actions.
	envelopeSize = 1 << 10
)

// answerSize returns how large an answer may be on a map: one action for each of a
// player's characters always fits, beside the longest debug.
func answerSize(m *hexabomb.Map) int {
	characters := len(m.Specials)
	for _, start := range m.Starts {
		characters = max(characters, len(start))
	}
	return max(games.UsualAnswer, envelopeSize+netorcai.DebugLimit+characters*actionSize)
}
