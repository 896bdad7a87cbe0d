package rounds

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/hexarena/hexarena/server/event"
	"github.com/hexarena/hexarena/server/event/state"
	"github.com/hexarena/hexarena/server/games"
)

// Setup is the board and the pace of rounds.
type Setup struct {
	Map         string
	Turns       int
	TurnTimeout time.Duration // for an answer

	board games.Instance
	floor time.Duration // of a turn, so that people can follow; 0: none
}

// Bounds of a setup, so that a slip of the operator does not stop the day.
const (
	maxTurns       = 1000
	maxTurnTimeout = time.Minute
)

// Setup returns how the next round is played.
func (r *Rounds) Setup() Setup {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.setup
}

// Maps returns the names of the boards that can be chosen.
func (r *Rounds) Maps() []string { return slices.Sorted(maps.Keys(r.opts.Boards)) }

// Change sets the board and the pace of later rounds, until the program ends. Zero fields stay as
// they are.
func (r *Rounds) Change(to Setup) error {
	now := r.Setup()
	to.Map, to.Turns = cmp.Or(to.Map, now.Map), cmp.Or(to.Turns, now.Turns)
	to.TurnTimeout = cmp.Or(to.TurnTimeout, now.TurnTimeout)
	to.board = now.board
	var wrong []error
	if to.Map != now.Map {
		board, known := r.opts.Boards[to.Map]
		if !known {
			wrong = append(
				wrong,
				fmt.Errorf("there is no map %.40q with enough seats: choose %s", to.Map,
					strings.Join(r.Maps(), ", ")),
			)
		}
		to.board = board
	}
	if to.Turns < 1 || to.Turns > maxTurns {
		wrong = append(wrong, fmt.Errorf("%d turns: want 1 to %d", to.Turns, maxTurns))
	}
	if to.TurnTimeout < time.Millisecond || to.TurnTimeout > maxTurnTimeout {
		wrong = append(wrong, fmt.Errorf("%v for a turn: want 1ms to %v", to.TurnTimeout, maxTurnTimeout))
	}
	if err := errors.Join(wrong...); err != nil {
		return err
	}
	text := fmt.Sprintf("map %s, %d turns, %v for an answer", to.Map, to.Turns, to.TurnTimeout)
	if err := r.event.Note(&state.SetupChanged{Text: text}); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.setup = to
	return nil
}

// Kick disconnects the bots of a team, which may come back.
func (r *Rounds) Kick(team int) error {
	err := r.event.Do(func(s *state.State) (state.Act, error) { return s.Teams.Kick(team) })
	if err == nil {
		r.arena.kick(event.Key(team))
	}
	return err
}

// PlayAgain voids a match. It is played again between two rounds, even if rounds are paused, as soon
// as its teams are ready. A final plays a match of its own again; the note tells the operator when.
func (r *Rounds) PlayAgain(match int) (note string, err error) {
	err = r.event.Do(func(s *state.State) (state.Act, error) { return s.PlayAgain(match) })
	ofFinal := event.Ask(r.event, func(s *state.State) bool { return s.Results.OfFinal(match) })
	if err == nil && ofFinal {
		note = fmt.Sprintf("Match %d is void: unless it was taken back, the final plays it again "+
			"once rounds go on", match+1)
	}
	return note, err
}
