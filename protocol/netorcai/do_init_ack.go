package netorcai

import "github.com/hexarena/hexarena/protocol/jsonscan"

var doInitAckFields = []string{"message_type", "initial_game_state"}

// ParseDoInitAck reads a game logic's answer to DO_INIT and returns the state
// that all clients are to see, out of its envelope. The text of
// [DoInitAckReason] completes the error.
func ParseDoInitAck(content []byte) (state jsonscan.Value, err error) {
	f := readFields(content, doInitAckFields)
	f.messageType(typeDoInitAck)
	state = f.state()
	return state, f.err
}

// AppendDoInitAck appends a DO_INIT_ACK with the envelope that belongs around
// the state.
func AppendDoInitAck(dst, state []byte) ([]byte, error) {
	start := len(dst)
	dst = append(BeginFrame(dst), `{"message_type":"DO_INIT_ACK","initial_game_state":{"all_clients":`...)
	dst = append(dst, state...)
	return EndFrame(append(dst, "}}"...), start)
}
