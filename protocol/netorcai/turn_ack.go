package netorcai

import (
	"fmt"

	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// TurnAck is a client's answer to a TURN.
type TurnAck struct {
	Turn    int            // the number of that TURN
	Actions jsonscan.Value // an array of anything at all
	Debug   jsonscan.Value // anything; nil if there is none. [CheckDebug] judges it
}

var turnAckFields = []string{"message_type", "turn_number", "actions", "debug"}

// ParseTurnAck reads a TURN_ACK that must carry the number wantTurn: that of
// the newest TURN sent to the client, -1 before the first. Whether the client
// was to answer at all is checked after this, and is not known here. The text
// of [TurnAckReason] completes the error. In the usual shape, keys and type
// without escapes, nothing is allocated.
func ParseTurnAck(content []byte, wantTurn int) (TurnAck, error) {
	f := readFields(content, turnAckFields)
	f.messageType(typeTurnAck)
	var m TurnAck
	if m.Turn = f.integer(); m.Turn != wantTurn && f.err == nil {
		f.fail("turn_number", fmt.Sprintf("Invalid value (turn_number=%d): expecting %d", m.Turn, wantTurn))
	}
	m.Actions = f.array()
	m.Debug = f.any()
	return m, f.err
}

// AppendTurnAck appends a TURN_ACK. The actions are a JSON array, nil for an
// empty one, and debug a JSON object, nil for none.
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
