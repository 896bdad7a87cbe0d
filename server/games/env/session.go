package env

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/games"
)

// Session answers requests about a match, one at a time, as [Help] describes them.
type Session struct {
	world  *World
	setup  engine.Setup // of the last GAME_STARTS
	now    *position
	saved  map[string]*position
	inputs []engine.Input
	out    []byte
}

// NewSession returns a session in which no match has begun.
func NewSession(w *World) *Session {
	return &Session{world: w, setup: w.Setup, saved: map[string]*position{}}
}

// Answer returns the answer to a request, which is valid until the next one.
func (s *Session) Answer(request []byte) ([]byte, error) {
	s.out = s.out[:0]
	err := s.answer(request)
	return s.out, err
}

// Board returns the position as text; "" if the game has no such form, or no match has begun.
func (s *Session) Board() (string, error) {
	if s.now == nil || s.world.Game.Text == nil {
		return "", nil
	}
	m := &games.Match{
		Setup: s.world.Instance.Setup, Rules: s.now.game.Rules(), Specials: s.setup.Specials,
		Turns: s.setup.Turns,
	}
	for id := range s.now.players() {
		m.Names = append(m.Names, fmt.Sprint("player ", id))
	}
	return s.world.Game.Text(m, s.now.game.AppendState(nil))
}

// Legal returns the actions that a player may take now, as JSON, each alone. The error is for games
// with too many.
func (s *Session) Legal(player int) (list []string, err error) {
	if s.world.Game.Candidates == nil {
		return nil, errors.New("the game " + s.world.Game.Name + " has too many legal actions to list; " +
			"give the actions that you think of")
	}
	if err := s.awaits(player); err != nil {
		return nil, err
	}
	id := engine.PlayerID(player)
	for _, action := range s.world.Game.Candidates(s.now.game.AppendState(nil), id) {
		why, err := s.Fault(player, "["+action+"]")
		if err != nil {
			return nil, err
		}
		if why == "" {
			list = append(list, action)
		}
	}
	return list, nil
}

// Fault returns why a player cannot take actions now; "" if it can.
func (s *Session) Fault(player int, actions string) (string, error) {
	if err := s.awaits(player); err != nil {
		return "", err
	}
	r, ok := s.now.game.(engine.Restorer)
	if !ok {
		return "", errors.New("the game " + s.world.Game.Name + " cannot be copied")
	}
	return Fault(s.world.Game, r, engine.Input{
		Player: engine.PlayerID(player), Turn: s.now.turn(), Actions: []byte(actions), Valid: true,
	}), nil
}

// awaits returns an error if the match does not wait for a player.
func (s *Session) awaits(player int) error {
	switch {
	case s.now == nil:
		return errNotBegun
	case s.now.over():
		return errOver
	case player < 0 || player >= s.now.players() || !s.now.result.Await.Has(engine.PlayerID(player)):
		return fmt.Errorf("the match does not wait for a player %d", player)
	}
	return nil
}

// Fault returns why an answer is not possible in a position, as far as that depends on its player
// alone; "" if it is. The position does not change.
func Fault(g *games.Game, now engine.Restorer, in engine.Input) string {
	game := now.Copy()
	result := game.Step([]engine.Input{in})
	var faults []string
	for i := range result.Refused {
		r := &result.Refused[i]
		if r.Player != in.Player || slices.Contains(g.Unlucky, r.Reason) {
			continue
		}
		why := fmt.Sprintf("action %d: %s", r.Action, r.Reason)
		if e, ok := game.(engine.Explainer); ok {
			if more := e.Explain(&in, r); more != "" {
				why += " (" + more + ")"
			}
		}
		faults = append(faults, why)
	}
	if result.Over && result.Winner != in.Player && result.Winner != engine.NoPlayer &&
		len(faults) == 0 {
		faults = append(faults, result.Reason)
	}
	return strings.Join(faults, "; ")
}
