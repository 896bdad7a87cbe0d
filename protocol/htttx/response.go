package htttx

import (
	"strconv"

	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// MaxConsiderations is the number of considered moves that are read; the best come first.
const MaxConsiderations = 32

// MoveOption is a move that a bot has chosen or considered.
type MoveOption struct {
	Pieces     []Cell // one or two
	Evaluation *Evaluation
}

// MoveResponse is a bot's move. Invalid evaluations and considered moves do not affect the
// game: they are left out and listed in Ignored.
type MoveResponse struct {
	Move           MoveOption
	Considerations []MoveOption // best first
	RequestID      *int64
	Ignored        []string // what was left out, and why
}

// Append implements Packet.
func (m MoveResponse) Append(dst []byte) []byte {
	return m.appendFields(append(appendType(dst, typeMoveResponse), ','))
}

func (m MoveResponse) appendFields(dst []byte) []byte {
	dst = m.Move.Append(append(dst, `"move":`...))
	if len(m.Considerations) > 0 {
		dst = append(dst, `,"considerations":[`...)
		for i, c := range m.Considerations {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = c.Append(dst)
		}
		dst = append(dst, ']')
	}
	return append(appendID(dst, m.RequestID), '}')
}

// Append appends the move and its evaluation.
func (o MoveOption) Append(dst []byte) []byte {
	dst = appendPieces(append(dst, '{'), o.Pieces)
	if o.Evaluation != nil {
		dst = o.Evaluation.Append(append(dst, `,"evaluation":`...))
	}
	return append(dst, '}')
}

func parseMoveResponse(obj jsonscan.Value) (Packet, error) { return moveResponse(obj) }

// moveResponse parses what a move_response and the answer to a stateless request have in
// common.
func moveResponse(obj jsonscan.Value) (m MoveResponse, err error) {
	move, err := needField(obj, "move", jsonscan.Object)
	if err != nil {
		return m, err
	}
	if m.Move.Pieces, err = parsePieces(move.Field("pieces"), "move.pieces"); err != nil {
		return m, err
	}
	m.Move.Evaluation = m.evaluation(move, "move")
	m.considerations(obj)
	m.RequestID, err = requestID(obj)
	return m, err
}

func (m *MoveResponse) considerations(obj jsonscan.Value) {
	list := optional(obj, "considerations")
	if list == nil {
		return
	}
	if err := need(list, "considerations", jsonscan.Array); err != nil {
		m.ignore(err)
		return
	}
	for i, v := range list.Elements() {
		if i == MaxConsiderations {
			return
		}
		path := "considerations[" + strconv.Itoa(i) + "]"
		pieces, err := parsePieces(v.Field("pieces"), path+".pieces")
		if err != nil {
			m.ignore(err)
			continue
		}
		m.Considerations = append(m.Considerations, MoveOption{pieces, m.evaluation(v, path)})
	}
}

// evaluation returns the field evaluation of obj, nil if it is missing or invalid.
func (m *MoveResponse) evaluation(obj jsonscan.Value, path string) *Evaluation {
	v := optional(obj, "evaluation")
	if v == nil {
		return nil
	}
	e, err := parseEvaluation(v, path+".evaluation")
	if err != nil {
		m.ignore(err)
		return nil
	}
	return &e
}

func (m *MoveResponse) ignore(err error) { m.Ignored = append(m.Ignored, err.Error()) }
