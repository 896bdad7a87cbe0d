package hextictactoe

import (
	"encoding/json"
	"fmt"

	rules "github.com/hexarena/hexarena/engine/hextictactoe"
)

// action is an answer in the form of the rules, which ignore the evaluation; it is there
// for recordings.
type action struct {
	Pieces     []rules.Coord `json:"pieces"`
	Evaluation evaluation    `json:"evaluation"`
}

type evaluation struct {
	Heuristic float64 `json:"heuristic"`
	WinIn     int     `json:"win_in,omitempty"`
	Cut       bool    `json:"cut_off,omitempty"`
	Spent     Spent   `json:"-"` // it is shown beside the actions
}

// AppendActions appends the answer as an array of actions.
func (a *Answer) AppendActions(dst []byte) []byte {
	text, err := json.Marshal([]action{{a.Pieces, evaluation(a.Evaluation)}})
	if err != nil {
		// only NaN could fail, and evaluations are finite
		panic(fmt.Sprintf("an answer cannot be encoded: %v", err))
	}
	return append(dst, text...)
}

// AppendPieces appends the answer as AppendActions does, without the evaluation.
func (a *Answer) AppendPieces(dst []byte) []byte {
	text, err := json.Marshal([]struct {
		Pieces []rules.Coord `json:"pieces"`
	}{{a.Pieces}})
	if err != nil {
		panic(err) // cells are numbers
	}
	return append(dst, text...)
}

// AppendConsidered appends the array of considered moves, the best first: as many as fit
// into limit bytes.
func (a *Answer) AppendConsidered(dst []byte, limit int) []byte {
	limit += len(dst)
	dst = append(dst, '[')
	for i := range a.Considered {
		o := &a.Considered[i]
		text, err := json.Marshal(action{o.Pieces, evaluation(o.Evaluation)})
		if err != nil {
			panic(fmt.Sprintf("a move that cannot be written: %v", err)) // no NaN comes out of a bot
		}
		if len(dst)+len(",")+len(text)+len("]") > limit {
			break
		}
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, text...)
	}
	return append(dst, ']')
}
