package htttx

import (
	"math"
	"strconv"

	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// Evaluation is a bot's evaluation of a position; in a MoveOption, of the position after
// the move.
type Evaluation struct {
	// positive if cross is ahead; nominally from -1 to 1
	Heuristic *float64 `json:"heuristic,omitempty"`
	// moves of both sides until cross wins, 1 being the next; negative: until circle wins
	WinIn *int32 `json:"win_in,omitempty"`
	// our extension: a time limit ended the search, so that repeating it may give another result
	CutOff bool `json:"-"`
	// our extension: the nodes of a search that a time limit ended, in the order that the bot needs
	// to repeat it; nil: it told none
	Nodes []int32 `json:"-"`
}

// mostNodes is the largest number of numbers in Evaluation.Nodes: threat has three.
const mostNodes = 8

// Append appends the evaluation without values that are not finite.
func (e Evaluation) Append(dst []byte) []byte {
	dst = append(dst, '{')
	if h := e.Heuristic; h != nil && !math.IsNaN(*h) && !math.IsInf(*h, 0) {
		dst = append(dst, `"heuristic":`...)
		dst = append(strconv.AppendFloat(dst, *h, 'g', -1, 64), ',')
	}
	if e.WinIn != nil {
		dst = append(dst, `"win_in":`...)
		dst = append(strconv.AppendInt(dst, int64(*e.WinIn), 10), ',')
	}
	if e.CutOff {
		dst = append(dst, `"cut_off":true,`...)
	}
	if len(e.Nodes) > 0 {
		dst = append(e.AppendNodes(dst), ',')
	}
	if last := len(dst) - 1; dst[last] == ',' {
		dst = dst[:last]
	}
	return append(dst, '}')
}

// AppendNodes appends the nodes as a member of an object. There must be some.
func (e *Evaluation) AppendNodes(dst []byte) []byte {
	dst = append(dst, `"nodes":`...)
	for i, n := range e.Nodes {
		dst = append(dst, "[,"[min(i, 1)])
		dst = strconv.AppendInt(dst, int64(n), 10)
	}
	return append(dst, ']')
}

func parseEvaluation(v jsonscan.Value, path string) (e Evaluation, err error) {
	if err := need(v, path, jsonscan.Object); err != nil {
		return e, err
	}
	if h := optional(v, "heuristic"); h != nil {
		if err := need(h, path+".heuristic", jsonscan.Number); err != nil {
			return e, err
		}
		f, _ := h.Float()
		e.Heuristic = &f
	}
	if w := optional(v, "win_in"); w != nil {
		n, err := integer(w, path+".win_in")
		if err != nil {
			return e, err
		}
		e.WinIn = &n
	}
	e.CutOff = string(v.Field("cut_off")) == "true"
	e.Nodes = parseNodes(v.Field("nodes"))
	return e, nil
}

// parseNodes returns the numbers of an array. It returns nil for another value, and for more than
// mostNodes numbers.
func parseNodes(v jsonscan.Value) (nodes []int32) {
	if v.Kind() != jsonscan.Array {
		return nil
	}
	for _, one := range v.Elements() {
		n, ok := one.Int32()
		if !ok || len(nodes) == mostNodes {
			return nil
		}
		nodes = append(nodes, n)
	}
	return nodes
}

// EvalResponse is the answer to an EvalRequest.
type EvalResponse struct{ Evaluation Evaluation }

// Append implements Packet.
func (m EvalResponse) Append(dst []byte) []byte {
	dst = append(appendType(dst, typeEvalResponse), `,"evaluation":`...)
	return append(m.Evaluation.Append(dst), '}')
}

func parseEvalResponse(obj jsonscan.Value) (Packet, error) {
	e, err := parseEvaluation(obj.Field("evaluation"), "evaluation")
	return EvalResponse{e}, err
}
