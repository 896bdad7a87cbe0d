package sim

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/server/botapi"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/match"
)

// duelWorlds is the number of worlds of which one has matches of hexagonal tic-tac-toe: two
// players, of whom one is awaited at a time, and who may speak the HTTTX Bot API.
const duelWorlds = 8

// challenge changes a plan to such matches.
func (p *plan) challenge(rng *rand.Rand) {
	p.duel, p.page = true, true // on whose server bots dial in
	p.players, p.delay, p.limit = 2, 0, 0
	p.rooms, p.matches = 1+rng.IntN(2), 1+rng.IntN(3)
	if p.rooms > 1 {
		p.trouble = Trouble{}
	}
	p.floor = between(rng, 1, time.Millisecond)
	p.linger = between(rng, time.Second, 5*time.Second) // a player may owe an answer at the end
	p.turns = 5 + rng.IntN(mostTurns-4)
	p.row = 3 + rng.IntN(4)
	p.thinking = between(rng, turnTime, 4*turnTime)
	p.clock = hextictactoe.Clock{Kind: hextictactoe.NoClock}
	switch base := p.thinking.Milliseconds(); rng.IntN(4) {
	case 0:
		p.clock = hextictactoe.Clock{Kind: hextictactoe.TurnClock, Base: base}
	case 1:
		p.clock = hextictactoe.Clock{Kind: hextictactoe.MatchClock, Base: base * int64(p.turns)}
	case 2:
		p.clock = hextictactoe.Clock{Kind: hextictactoe.Incremental, Base: base, Increment: base}
	}
	p.honest, p.others, p.viewers, p.partners = 0, nil, nil, nil
	for range 2*p.rooms + rng.IntN(2) {
		conduct := "honest"
		if chance(rng, 2) {
			conduct = []string{"slow", "garbled", "leaving", "silent"}[rng.IntN(4)]
		}
		switch packets := !chance(rng, 3); {
		case packets:
			p.partners = append(p.partners, conduct)
		case conduct == "honest":
			p.honest++
		default:
			p.others = append(p.others, conduct)
		}
	}
	for range rng.IntN(2) {
		p.viewers = append(p.viewers, []string{"attentive", "slow", "leaving"}[rng.IntN(3)])
	}
	p.builtins = nil
	if chance(rng, 3) {
		// others would think as long as they may
		p.builtins = []string{[]string{"nearest", "random"}[rng.IntN(2)]}
	}
	p.seatPeople(rng)
	p.seatListeners(rng)
	if chance(rng, requestWorlds) {
		p.requests = 1 + rng.IntN(mostRequests)
		p.trouble = Trouble{} // a complaint could be about any of several recordings
	}
}

// seatPeople puts people in place of some bots that dial in.
func (p *plan) seatPeople(rng *rand.Rand) {
	p.partners = slices.DeleteFunc(p.partners, func(conduct string) bool {
		person := chance(rng, 4)
		if person {
			p.people = append(p.people, conduct)
		}
		return person
	})
	if len(p.people) > 0 && chance(rng, 2) {
		p.personGrace = between(rng, time.Second, 10*time.Second)
	}
}

// seatListeners puts bots that the server dials on seats of each room, in place of some that dial
// in.
func (p *plan) seatListeners(rng *rand.Rand) {
	if !chance(rng, 3) {
		return
	}
	for range p.rooms * (1 + rng.IntN(2-len(p.builtins))) {
		p.listeners = append(p.listeners,
			[]string{"honest", "honest", "honest", "slow", "garbled", "leaving", "silent"}[rng.IntN(7)])
	}
	p.partners = p.partners[min(len(p.listeners), len(p.partners)):]
}

// duelOptions returns the options of a duel.
func (p *plan) duelOptions() hextictactoe.Options {
	o := hextictactoe.Defaults()
	o.WinDistance, o.TurnLimit, o.Clock = p.row, p.turns-1, p.clock
	return o
}

// rules returns the same as recordings keep it.
func (p *plan) rules() []byte {
	if p.setup != nil {
		return p.setup
	}
	text, err := json.Marshal(p.duelOptions())
	if err != nil {
		panic(err)
	}
	return text
}

// instance returns a duel to play.
func (p *plan) instance() games.Instance {
	return games.Instance{
		Setup: p.rules(), New: func() engine.Game { return hextictactoe.New(p.duelOptions()) },
	}
}

// tempo returns when the turns of a duel end.
func (p *plan) tempo() match.Pace {
	budget := botapi.BudgetOf(p.clock, p.thinking)
	return match.Clock(func(engine.PlayerID) match.Budget { return budget }, p.floor)
}

// piece is a cell that a side has taken.
type piece struct {
	Q    int    `json:"q"`
	R    int    `json:"r"`
	Side string `json:"p"`
}

// placed is a board with its pieces.
type placed struct {
	Cells []piece `json:"cells"`
}

// turn returns the number of the TURN with the board: each move has two pieces, and one piece is
// there before the first.
func (b placed) turn() int { return (len(b.Cells) - 1) / 2 }

// halfway reports whether the first piece of a move has been placed.
func (b placed) halfway() bool { return len(b.Cells)%2 == 0 }

// move returns a move, which is legal: two free cells beside other pieces.
func (b placed) move(rng *rand.Rand) (cells [2]piece) {
	for n := 0; n < 2; {
		at := b.Cells[rng.IntN(len(b.Cells))]
		c := hexgrid.Coord{Q: at.Q, R: at.R}.Step(hexgrid.Dirs[rng.IntN(len(hexgrid.Dirs))])
		taken := func(p piece) bool { return p.Q == c.Q && p.R == c.R }
		if !slices.ContainsFunc(b.Cells, taken) && !slices.ContainsFunc(cells[:n], taken) {
			cells[n] = piece{Q: c.Q, R: c.R}
			n++
		}
	}
	return cells
}

// pieces returns a move with these pieces.
func pieces(list ...piece) string {
	var cells []string
	for _, p := range list {
		cells = append(cells, fmt.Sprintf(`{"q":%d,"r":%d}`, p.Q, p.R))
	}
	return `{"pieces":[` + strings.Join(cells, ",") + `]}`
}

// shown is the state of a duel, as far as its players need it.
type shown struct {
	Board  placed `json:"board"`
	ToMove string `json:"to_move"`
}

// move returns the actions of a player of a duel.
func (s *shown) actions(rng *rand.Rand, player int) string {
	if player != slices.Index([]string{"x", "o"}, s.ToMove) {
		return "[]"
	}
	move := s.Board.move(rng)
	return "[" + pieces(move[:]...) + "]"
}
