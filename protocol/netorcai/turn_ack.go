package netorcai

import (
	"fmt"

	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// TurnAck is a client's answer to a TURN.
type TurnAck struct {
	Turn    int            // the number of that TURN
	Actions jsonscan.Value // an array with any elements
	Debug   jsonscan.Value // anything, or nil; see [CheckDebug]
}

var turnAckFields = []string{"message_type", "turn_number", "actions", "debug"}

// ParseTurnAck parses a TURN_ACK that must have the number wantTurn: that of the newest TURN
// sent to the client, -1 before the first. It does not check whether the client was asked at
// all. Errors are completed by [TurnAckReason]. It allocates nothing for the usual notation, in
// which keys and type have no escapes.
func ParseTurnAck(content []byte, wantTurn int) (TurnAck, error) {
	f := readFields(content, turnAckFields)
	f.messageType(typeTurnAck)
	var m TurnAck
	if m.Turn = f.integer(); m.Turn != wantTurn && f.err == nil {
		f.fail("turn_number",
			fmt.Sprintf("Invalid value (turn_number=%d): expecting %d", m.Turn, wantTurn))
	}
	m.Actions = f.array()
	m.Debug = f.any()
	return m, f.err
}

// AppendTurnAck appends a TURN_ACK. The actions are a JSON array, nil for an empty one; debug is
// a JSON object, nil for none.
func AppendTurnAck(dst []byte, turn int, actions, debug []byte) ([]byte, error) {
	start := len(dst)
	dst = append(BeginFrame(dst), `{"message_type":"TURN_ACK","turn_number":`...)
	dst = appendInt(dst, turn)
	dst = append(dst, `,"actions":`...)
	dst = appendRaw(dst, actions, "[]")
	if len(debug) > 0 {
		dst = append(append(dst, `,"debug":`...), debug...)
	}
	return EndFrame(append(dst, '}'), start)
}
