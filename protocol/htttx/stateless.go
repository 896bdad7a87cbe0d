package htttx

import (
	"time"

	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// TurnRequest is the body of a stateless request, a whole position.
type TurnRequest struct {
	ToMove    Side
	Cells     jsonscan.Value // array of pieces, as in a board
	Limit     time.Duration  // 0: none, or the bot did not declare move_time_limit
	RequestID *int64
}

// Append appends the body.
func (m TurnRequest) Append(dst []byte) []byte {
	dst = appendSide(dst, `{"board":{"to_move":`, m.ToMove)
	dst = append(dst, `,"cells":`...)
	dst = append(append(dst, m.Cells...), '}')
	dst = appendLimit(dst, `,"time_limit":`, m.Limit)
	return append(appendID(dst, m.RequestID), '}')
}

// ParseTurnRequest parses the body of a stateless request and the pieces on its board. The
// error is a *Fault.
func ParseTurnRequest(body []byte) (m TurnRequest, pieces []Piece, err error) {
	obj, err := parseObject(body)
	if err != nil {
		return m, nil, err
	}
	board, err := needField(obj, "board", jsonscan.Object)
	if err != nil {
		return m, nil, err
	}
	if m.ToMove, err = parseSide(board.Field("to_move"), "board.to_move"); err != nil {
		return m, nil, err
	}
	if pieces, err = boardPieces(board); err != nil {
		return m, nil, err
	}
	m.Cells = board.Field("cells")
	if m.Limit, err = parseLimit(obj, "time_limit"); err != nil {
		return m, nil, err
	}
	m.RequestID, err = requestID(obj)
	return m, pieces, err
}

// AppendTurnResponse appends m as the body of the answer to a stateless request.
func AppendTurnResponse(dst []byte, m MoveResponse) []byte {
	return m.appendFields(append(dst, '{'))
}

// ParseTurnResponse parses the body of the answer to a stateless request. The error is a
// *Fault.
func ParseTurnResponse(body []byte) (MoveResponse, error) {
	obj, err := parseFromBot(body)
	if err != nil {
		return MoveResponse{}, err
	}
	return moveResponse(obj)
}
