// Package games describes the games of hexarena to the code around their rules:
// commands, hosting, recordings, pictures. A [Game] is such a description, an entry for
// short; each package below this one holds one. A part that a game lacks is nil in its entry:
// the code that asks for it refuses the request or leaves it out.
//
// Entries hold no state and start no goroutine. They can be used from several goroutines at once.
package games

import (
	"time"

	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/games/picture"
	"github.com/hexarena/hexarena/server/match"
)

// Game describes one game.
type Game struct {
	Name  string // as settings, recordings and the page have it, such as "hexabomb"
	Title string // in a sentence, such as "hexagonal tic-tac-toe"

	// PlayHelp and ServeHelp are paragraphs for the help of the commands, in lines of up to
	// 90 characters, and Example is a command line of play; empty: there is nothing to say.
	PlayHelp, ServeHelp, Example string

	// FromClient returns the rules and the setup of a match, as Replay takes them, from the initial
	// state that its clients received. The game of Replay is an engine.Restorer. It is nil if clients
	// cannot know these.
	FromClient func(state []byte, players, specials int) (rules string, setup []byte, err error)

	// Candidates returns actions that a player may think of, as JSON, possible or not. It is nil if
	// there are too many.
	Candidates func(state []byte, player engine.PlayerID) []string

	// Brief is the rules in Markdown, in at most 60 lines, for programs that write bots or play;
	// empty: the rules are elsewhere.
	Brief string

	// Rules are the names and versions of the rules that Replay knows, as
	// engine.Game has them, the newest first. A game whose rules are elsewhere has none.
	Rules []string

	// Settings are the game's own settings, and the general ones that have another default
	// or range with it, or no effect: see config.Restrict.
	Settings []config.Setting

	// NewCup returns the settings of a new cup, some of which the game adds unless they are given. It
	// is nil if the game adds none.
	NewCup func(config.Values) config.Values

	// New returns the game as the settings have it. The error holds all mistakes.
	New func(config.Values) (Instance, error)

	// Replay returns a game that has not been started, from the rules and the Instance.Setup of a
	// recording. It is called for the Rules above only; nil without rules.
	Replay func(rules string, setup []byte) (engine.Game, error)

	// Recorded returns the instance of a match that was recorded, from its Instance.Map and
	// Instance.Setup, so that another match can go on from one of its turns. nil: the instance
	// has nothing but what Replay returns.
	Recorded func(name string, setup []byte) (Instance, error)

	// Builtins are the players that come with hexarena, the best first.
	Builtins []Builtin

	// Unlucky are the reasons of refusals that no player can avoid, because the actions of all are
	// applied together.
	Unlucky []string

	// Rare returns states like one of a match, in which a player is in a situation that is rare in
	// play; nil if there are none.
	Rare func(state []byte, player engine.PlayerID) ([]Rare, error)

	// Mix returns the names of the built-in players that take that many seats when no
	// player is named. It is nil if there are no built-in players.
	Mix func(seats int) []string

	// Special is the name of the built-in player for the special player's seat; empty if
	// the game has no such seat.
	Special string

	// StarterSeats are the seats beside a starter bot of package kits in a first match, as in
	// "random random".
	StarterSeats string

	// BotAPI reports whether the packets of the HTTTX Bot API carry the game. All games
	// can be played over the metaprotocol of netorcai.
	BotAPI bool

	// ServeBot lets servers of the HTTTX Bot API dial a built-in player, until the
	// context ends. It is nil if BotAPI is false.
	ServeBot ServeBot

	// Repeat returns the game with built-in players that repeat those answers of the recorded match in
	// a file that depended on time. It is nil if none of them uses a clock.
	Repeat func(path string) (*Game, error)

	// Draw returns a drawing of a recorded match, for pictures and animations. With
	// DrawsWhole, it is given the last state as well: of a board without end, that says how
	// much there is to show. The error is about the options.
	Draw       func(m *Match, last []byte, o picture.Options) (picture.Drawing, error)
	DrawsWhole bool

	// Terminal returns how a match looks on a text terminal. It is nil if the game cannot
	// be shown there.
	Terminal func(*Match) (Terminal, error)

	// Text returns a state as a grid of text and what the grid leaves out, in lines that end with a
	// line feed. Equal states give equal text. It is nil if states of the game have no such form.
	Text func(m *Match, state []byte) (string, error)

	Notation *Notation
	Judge    *Judge

	// Env returns the states and actions of a match as arrays, for programs that learn. The game has
	// started. It is nil if only lines of JSON can play the game.
	Env func(engine.Game) (*Env, error)
}

// Again returns the instance of a match of some rules that was recorded, from its Instance.Map and
// Instance.Setup.
func (g *Game) Again(rules, name string, setup []byte) (Instance, error) {
	if g.Recorded != nil {
		return g.Recorded(name, setup)
	}
	if _, err := g.Replay(rules, setup); err != nil {
		return Instance{}, err
	}
	return Instance{Map: name, Setup: setup, AnswerSize: UsualAnswer, New: func() engine.Game {
		game, err := g.Replay(rules, setup)
		if err != nil {
			panic(err) // it was replayed before
		}
		return game
	}}, nil
}

// OtherRules returns the name of an instance's rules, or "" if they are the game's newest ones or
// those of another program.
func (g *Game) OtherRules(i *Instance) string {
	if i.New == nil {
		return ""
	}
	if name := i.New().Rules(); name != g.Rules[0] {
		return name
	}
	return ""
}

// Maps returns the names of the maps that come with the game; nil: it has no maps.
func (g *Game) Maps() []string {
	for _, s := range g.Settings {
		if s.Name == "map" {
			return s.Kind.Words
		}
	}
	return nil
}

// Rare is a state that a player seldom meets.
type Rare struct {
	About string // what is so in it, such as "all characters are dead"
	State []byte
}

// Instance is a game with its settings: what a match is played with.
type Instance struct {
	Map     string   // name of the map; of a game without maps, the game's
	MapInfo *MapInfo // nil: the game has no maps
	Board   []byte   // JSON of the map for the page; nil: none
	Setup   []byte   // JSON from which Game.Replay makes the game again; nil: none

	Players  int // most ordinary players; 0: as many as the settings allow
	Specials int // most special players

	// Turns is the number of turns a match has, if not as many as the setting says.
	Turns int

	// SpecialBots are the names of the built-in players that take the seats of special
	// players in a local match.
	SpecialBots []string

	// New returns a game that has not been started. It is nil if the rules are elsewhere.
	New func() engine.Game

	// At returns the instance in which the players start at these places of the map, in the order
	// of their ids, and in which there is room for no more. It is nil if the game has no places.
	At func(places []int) Instance

	// Budget is the time of each player, in a game in which one is awaited at a time; nil
	// if the settings of the match say when a turn ends.
	Budget *match.Budget

	// Openings are instances that begin from different positions, each to be played once
	// with every order of the seats. If it is not nil, this instance equals the first one.
	Openings []Instance
	Opening  bool // the game does not begin from the usual position

	// AnswerSize is the number of bytes of an answer that are read, unless the settings say
	// otherwise: enough for any answer that makes sense.
	AnswerSize int
}

// UsualAnswer is the Instance.AnswerSize of a game whose answers are small: what bots send is below
// 2 KiB, and what hostile ones send has to be read, judged and recorded as well.
const UsualAnswer = 16 << 10

// MapInfo identifies the map of a match.
type MapInfo struct {
	Name   string `json:"name"`
	Digest string `json:"digest"` // of its content
	Cells  int    `json:"cells"`
	Seats  int    `json:"seats"` // for ordinary players
}

// Match holds what drawings and transcripts need of a match beside its states.
type Match struct {
	Setup []byte // Instance.Setup
	Map   string // Instance.Map
	Rules string // their name and version, as a game logic may have given them
	// how a game logic said that its states are drawn, a netorcai.View as JSON; nil: it did not
	View     []byte
	Names    []string // of the players, by id
	Specials int      // special players: ids 0 to Specials-1
	Turns    int      // to be played at the most
	Started  time.Time
}

// UsageError is an error in what a user asked for: trying again does not help.
type UsageError struct{ Err error }

// Unwrap returns the error without its kind.
func (e UsageError) Unwrap() error { return e.Err }

func (e UsageError) Error() string { return e.Err.Error() }
