package netorcai

import "github.com/hexarena/hexarena/protocol/jsonscan"

var doInitAckFields = []string{"message_type", "initial_game_state"}

// ParseDoInitAck parses a game logic's answer to DO_INIT and returns the state for all
// clients without its envelope. Errors are completed by [DoInitAckReason].
func ParseDoInitAck(content []byte) (state jsonscan.Value, err error) {
	f := readFields(content, doInitAckFields)
	f.messageType(typeDoInitAck)
	state = f.state()
	return state, f.err
}

// AppendDoInitAck appends a DO_INIT_ACK with the envelope around the state.
func AppendDoInitAck(dst, state []byte) ([]byte, error) {
	start := len(dst)
	dst = append(BeginFrame(dst), `{"message_type":"DO_INIT_ACK","initial_game_state":{"all_clients":`...)
	dst = append(dst, state...)
	return EndFrame(append(dst, "}}"...), start)
}
