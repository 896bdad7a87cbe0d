package htttx

import (
	"strconv"
	"time"

	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// MoveRequest asks for a move. Hivemaker includes the board, which its own bots prefer to
// Previous.
type MoveRequest struct {
	Side      Side
	Previous  []Move         // since the last request or setup, in order
	Board     jsonscan.Value // Hivemaker's addition; nil if absent
	Limit     time.Duration  // 0: none, or the bot did not declare move_time_limit
	RequestID *int64         // nil: the bot did not declare request_id
}

// Append implements Packet.
func (m MoveRequest) Append(dst []byte) []byte {
	dst = appendSide(appendType(dst, typeMoveRequest), `,"side":`, m.Side)
	dst = append(dst, `,"previous":[`...)
	for i, p := range m.Previous {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendSide(dst, `{"side":`, p.Side), ',')
		dst = append(appendPieces(dst, p.Pieces), '}')
	}
	dst = append(dst, ']')
	if m.Board != nil {
		dst = append(append(dst, `,"board":`...), m.Board...)
	}
	dst = appendLimit(dst, `,"move_time_limit":`, m.Limit)
	return append(appendID(dst, m.RequestID), '}')
}

func parseMoveRequest(obj jsonscan.Value) (Packet, error) {
	var m MoveRequest
	var err error
	if m.Side, err = parseSide(obj.Field("side"), "side"); err != nil {
		return nil, err
	}
	if m.Previous, err = parsePrevious(obj); err != nil {
		return nil, err
	}
	if optional(obj, "board") != nil {
		if m.Board, err = needBoard(obj); err != nil {
			return nil, err
		}
	}
	if m.Limit, err = parseLimit(obj, "move_time_limit"); err != nil {
		return nil, err
	}
	m.RequestID, err = requestID(obj)
	return m, err
}

func parsePrevious(obj jsonscan.Value) ([]Move, error) {
	list, err := needField(obj, "previous", jsonscan.Array)
	if err != nil {
		return nil, err
	}
	var moves []Move
	for i, v := range list.Elements() {
		path := "previous[" + strconv.Itoa(i) + "]"
		if err := need(v, path, jsonscan.Object); err != nil {
			return nil, err
		}
		side, err := parseSide(v.Field("side"), path+".side")
		if err != nil {
			return nil, err
		}
		pieces, err := parsePieces(v.Field("pieces"), path+".pieces")
		if err != nil {
			return nil, err
		}
		moves = append(moves, Move{side, pieces})
	}
	return moves, nil
}

// EvalRequest asks a bot that declared evaluation to evaluate the position.
type EvalRequest struct {
	Side  Side          // the side to move
	Limit time.Duration // 0: none, or the bot did not declare evaluation_time_limit
}

// Append implements Packet.
func (m EvalRequest) Append(dst []byte) []byte {
	dst = appendSide(appendType(dst, typeEvalRequest), `,"side":`, m.Side)
	return append(appendLimit(dst, `,"evaluation_time_limit":`, m.Limit), '}')
}

func parseEvalRequest(obj jsonscan.Value) (Packet, error) {
	var m EvalRequest
	var err error
	if m.Side, err = parseSide(obj.Field("side"), "side"); err != nil {
		return nil, err
	}
	m.Limit, err = parseLimit(obj, "evaluation_time_limit")
	return m, err
}

// Interrupt tells a bot that declared interruptible to abandon the request; the request and
// its Previous are void.
type Interrupt struct{ RequestID *int64 }

// Append implements Packet.
func (m Interrupt) Append(dst []byte) []byte {
	return append(appendID(appendType(dst, typeInterrupt), m.RequestID), '}')
}

func parseInterrupt(obj jsonscan.Value) (Packet, error) {
	id, err := requestID(obj)
	return Interrupt{id}, err
}
