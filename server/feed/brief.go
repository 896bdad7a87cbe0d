package feed

import (
	"cmp"
	"slices"

	"github.com/hexarena/hexarena/engine"
)

// Brief is what a list of matches shows of one match.
type Brief struct {
	ID      string   `json:"id"`
	Game    string   `json:"game"`
	Map     string   `json:"map"`
	Phase   Phase    `json:"phase"`
	Turn    int      `json:"turn"`    // the newest turn
	Turns   int      `json:"turns"`   // most turns that can be played; 0 before the start
	Players []Player `json:"players"` // by player id; before the start, by login
	Result  *Result  `json:"result"`  // nil until the match is over
	// Recording is the file name of the recording, empty if the match has none, or none yet.
	Recording string `json:"recording"`

	Addresses []string `json:"addresses"` // where bots connect

	Labels map[string]string `json:"labels,omitempty"` // what the match belongs to
}

// Player is a player, or a client that waits to play.
type Player struct {
	Name    string `json:"name"` // the label, or the nickname if there is no label
	Special bool   `json:"special"`
	Rank    int    `json:"rank"`  // from 1, shared by ties; 0: unranked, or not known yet
	Score   int64  `json:"score"` // the figure that ranks; 0 until the match is over
}

// Result is how a match ended.
type Result struct {
	Winner engine.PlayerID `json:"winner"` // -1: no player
	Reason string          `json:"reason"` // set by a game that ended before its last turn
	Error  string          `json:"error"`  // why the match was not played to its end
}

// Brief returns a short description of the match and how far it is.
func (f *Feed) Brief() Brief {
	f.mu.Lock()
	defer f.mu.Unlock()
	b := f.brief
	b.Phase, b.Turn, b.Addresses = f.phase, f.newestTurn(), f.lobby.Addresses
	if !f.started() {
		b.Players = f.lobby.players()
	}
	return b
}

// SetUnrecorded sets why the match cannot be recorded at the moment; nil: it can.
func (f *Feed) SetUnrecorded(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.lost = ""; err != nil {
		f.lost = err.Error()
	}
}

// Unrecorded returns why the match is not recorded, although it is to be, or an empty string.
func (f *Feed) Unrecorded() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.lost
}

// Size returns the approximate size of the history in bytes.
func (f *Feed) Size() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.history.size
}

// playersOf returns the players in the given seats.
func playersOf(seats []Seat) []Player {
	list := make([]Player, len(seats))
	for i, s := range seats {
		list[i] = Player{Name: cmp.Or(s.Label, s.Nickname), Special: s.Special}
	}
	return list
}

// players returns the clients in the lobby that will play.
func (l *lobby) players() []Player {
	list := []Player{}
	for _, g := range l.Present {
		if g.Role != "visualization" {
			list = append(list, Player{Name: g.Nickname, Special: g.Role != "player"})
		}
	}
	return list
}

// ranked returns the players with their ranks at the end. An aborted match has no ranks.
// Of a game without tallies only the winner is known.
func ranked(players []Player, e *End) []Player {
	list := slices.Clone(players)
	if e.Error != "" {
		return list
	}
	for id := range list {
		switch {
		case id < len(e.Tally) && len(e.Tally[id]) > 0:
			list[id].Score = e.Tally[id][0].Value
		case e.Winner == engine.PlayerID(id):
			list[id].Score = 1
		}
	}
	for id := range list {
		p := &list[id]
		if p.Special {
			continue
		}
		p.Rank = 1
		for _, other := range list {
			if !other.Special && other.Score > p.Score {
				p.Rank++
			}
		}
	}
	return list
}
