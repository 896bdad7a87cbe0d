package htttx

import "github.com/hexarena/hexarena/protocol/jsonscan"

// Status is how a game stands, in Hivemaker's words.
type Status string

// The states of a game.
const (
	InProgress Status = "in_progress"
	CrossWins  Status = "x_wins"
	CircleWins Status = "o_wins"
)

// BoardUpdate shows Hivemaker's spectators the board after a move.
type BoardUpdate struct {
	Board  jsonscan.Value
	ToMove Side // the side that did not move last, even after a win
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
	if m.ToMove, err = parseSide(lookup(obj, "to_move"), "to_move"); err != nil {
		return nil, err
	}
	status, err := needField(obj, "status", jsonscan.String)
	m.Status = Status(status.Text())
	return m, err
}
