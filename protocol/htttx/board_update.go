package htttx

import "github.com/hexarena/hexarena/protocol/jsonscan"

// Status is the status of a game, in Hivemaker's terms.
type Status string

// The statuses.
const (
	InProgress Status = "in_progress"
	CrossWins  Status = "x_wins"
	CircleWins Status = "o_wins"
)

// BoardUpdate shows spectators the board after a move, as Hivemaker does.
type BoardUpdate struct {
	Board  jsonscan.Value
	ToMove Side // the opponent of the side that moved last, even after a win
	Status Status
}

// Append implements Packet.
func (m BoardUpdate) Append(dst []byte) []byte {
	dst = append(appendType(dst, typeBoardUpdate), `,"board":`...)
	dst = append(dst, m.Board...)
	dst = appendSide(dst, `,"to_move":`, m.ToMove)
	dst = appendString(append(dst, `,"status":`...), string(m.Status))
	return append(dst, '}')
}

func parseBoardUpdate(obj jsonscan.Value) (Packet, error) {
	var m BoardUpdate
	var err error
	if m.Board, err = needBoard(obj); err != nil {
		return nil, err
	}
	if m.ToMove, err = parseSide(obj.Field("to_move"), "to_move"); err != nil {
		return nil, err
	}
	status, err := needField(obj, "status", jsonscan.String)
	m.Status = Status(status.Text())
	return m, err
}
