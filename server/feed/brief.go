package feed

import (
	"cmp"
	"slices"

	"github.com/hexarena/hexarena/engine"
)

// Brief is what a list of matches tells of one.
type Brief struct {
	ID      string   `json:"id"`
	Game    string   `json:"game"`
	Map     string   `json:"map"`
	Phase   Phase    `json:"phase"`
	Turn    int      `json:"turn"`    // the newest that was played
	Turns   int      `json:"turns"`   // at the most; 0 before the start
	Players []Player `json:"players"` // by player id; before the start, by login
	Result  *Result  `json:"result"`  // nil until the match is over
	// Recording is the file name of its recording; empty if it has none, or none yet.
	Recording string `json:"recording"`

	Addresses []string `json:"addresses"` // where bots connect
}

// Player is one who plays, or is there to play.
type Player struct {
	Name    string `json:"name"` // the label or, without one, the nickname
	Special bool   `json:"special"`
	Rank    int    `json:"rank"`  // from 1, ties share one; 0: none, or not yet
	Score   int64  `json:"score"` // the figure that ranks; 0 until the match is over
}

// Result is how a match ended.
type Result struct {
	Winner engine.PlayerID `json:"winner"` // -1: nobody
	Reason string          `json:"reason"` // of a game that ended before its last turn
	Error  string          `json:"error"`  // why the match did not come to its end
}

// Brief tells in short what the match is and how far.
func (f *Feed) Brief() Brief {
	f.mu.Lock()
	defer f.mu.Unlock()
	b := f.brief
	b.Phase, b.Turn, b.Addresses = f.phase, f.newestTurn(), f.lobby.shown.Addresses
	if !f.started() {
		b.Players = f.lobby.players()
	}
	return b
}

// Size is about how many bytes the history takes.
func (f *Feed) Size() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.history.size
}

// playersOf are those who take the seats.
func playersOf(seats []Seat) []Player {
	list := make([]Player, len(seats))
	for i, s := range seats {
		list[i] = Player{Name: cmp.Or(s.Label, s.Nickname), Special: s.Special}
	}
	return list
}

// players are those of the lobby who will play.
func (l *lobby) players() []Player {
	list := []Player{}
	for _, g := range l.shown.Present {
		if g.Role != "visualization" {
			list = append(list, Player{Name: g.Nickname, Special: g.Role != "player"})
		}
	}
	return list
}

// ranked are the players at the end, which of a match that was aborted ranks
// nobody. Of a game that keeps no accounts, only the winner is known.
func ranked(players []Player, e *End) []Player {
	list := slices.Clone(players)
	if e.Error != "" {
		return list
	}
	var order []*Player
	for id := range list {
		p := &list[id]
		switch {
		case id < len(e.Tally) && len(e.Tally[id]) > 0:
			p.Score = e.Tally[id][0].Value
		case e.Winner == engine.PlayerID(id):
			p.Score = 1
		}
		if !p.Special {
			order = append(order, p)
		}
	}
	slices.SortStableFunc(order, func(a, b *Player) int { return cmp.Compare(b.Score, a.Score) })
	for i, p := range order {
		p.Rank = i + 1
		if i > 0 && p.Score == order[i-1].Score {
			p.Rank = order[i-1].Rank
		}
	}
	return list
}
