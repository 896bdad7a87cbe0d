package recording

import (
	"errors"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/match"
)

// Moves are what the players of a match did that was played elsewhere.
type Moves struct {
	Names  []string         // of the players, by id; none is a special one
	Turns  int              // to be played at the most
	Inputs [][]engine.Input // of each turn; the numbers of the TURNs are filled in
}

// ErrBrokenOff is why a recording ends whose moves lead to no end of the game.
var ErrBrokenOff = errors.New("the moves end here")

// Write records a match that was played elsewhere, and returns the path of the
// recording. o.Game, which has not been started, plays the moves by its rules.
func Write(o Options, m Moves) (path string, err error) {
	result, err := o.Game.Start(engine.Setup{Players: len(m.Names), Turns: m.Turns, Seed: o.Seed})
	if err != nil {
		return "", err
	}
	frame := &match.Frame{
		State: o.Game.AppendState(nil),
		Table: match.Table{Settings: match.Settings{Turns: m.Turns, Players: len(m.Names)}, Players: len(m.Names)},
	}
	for id, name := range m.Names {
		frame.Table.Seats = append(frame.Table.Seats, match.SeatInfo{
			Candidate: match.Candidate{Role: match.Player, Nickname: name}, ID: engine.PlayerID(id),
		})
	}
	r := New(o)
	r.Started(frame)
	steps := 0
	for _, inputs := range m.Inputs {
		if result.Over {
			break
		}
		steps++
		play := &match.Play{Step: steps, Frame: frame}
		for i := range inputs {
			inputs[i].Turn = steps - 2 // the first turn is played before there is any TURN
			play.Answers = append(play.Answers, match.Answer{Input: inputs[i]})
		}
		result = o.Game.Step(inputs)
		frame.State = o.Game.AppendState(frame.State[:0])
		play.Result = result
		r.Played(play)
	}
	end := &match.Ending{Steps: steps, Winner: result.Winner, Reason: result.Reason}
	if !result.Over && steps < m.Turns {
		end.Err = ErrBrokenOff
	}
	r.Ended(end)
	return r.Path(), r.Err()
}
