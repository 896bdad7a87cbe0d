package recording

import (
	"errors"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/match"
)

// Moves are the players' moves in a match that was played elsewhere.
type Moves struct {
	Names  []string         // players' names by id, without special players
	Turns  int              // most turns of the match
	Inputs [][]engine.Input // of each turn; Write sets the numbers of the TURNs
}

// Write records a match that was played elsewhere, and returns the recording's path. It replays the
// moves with the game, which must not have been started and whose rules the recording has.
func Write(o Options, game engine.Game, m Moves) (path string, err error) {
	o.Rules = game
	result, err := game.Start(engine.Setup{Players: len(m.Names), Turns: m.Turns, Seed: o.Seed})
	if err != nil {
		return "", err
	}
	frame := &match.Frame{
		State: game.AppendState(nil),
		Table: match.Table{
			Settings: match.Settings{Turns: m.Turns, Players: len(m.Names)}, Players: len(m.Names),
		},
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
			inputs[i].Turn = steps - 2 // the first turn is played before the first TURN
			play.Answers = append(play.Answers, match.Answer{Input: inputs[i]})
		}
		result = game.Step(inputs)
		frame.State = game.AppendState(frame.State[:0])
		play.Result = result
		r.Played(play)
	}
	end := &match.Ending{Steps: steps, Winner: result.Winner, Reason: result.Reason}
	if !result.Over && steps < m.Turns {
		end.Err = errors.New("the moves end here")
	}
	r.Ended(end)
	return r.Path(), r.Err()
}
