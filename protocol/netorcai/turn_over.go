package netorcai

import "strconv"

// AppendTurnOver appends a TURN_OVER: the match does not wait for the answer to a TURN any longer.
func AppendTurnOver(dst []byte, turn int) []byte {
	start := len(dst)
	dst = append(BeginFrame(dst), `{"message_type":"TURN_OVER","turn_number":`...)
	dst = strconv.AppendInt(dst, int64(turn), 10)
	return endSmall(append(dst, '}'), start)
}

var turnOverFields = []string{"message_type", "turn_number"}

// ParseTurnOver parses a TURN_OVER and returns the TURN's number.
func ParseTurnOver(content []byte) (turn int, err error) {
	f := readFields(content, turnOverFields)
	f.messageType(typeTurnOver)
	turn = f.integer()
	return turn, f.err
}
