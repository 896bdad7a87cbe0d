package netorcai

import (
	"strconv"

	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// DoTurnAck is a game logic's answer to DO_TURN.
type DoTurnAck struct {
	WinnerPlayerID int            // who leads after the turn; -1 for nobody
	State          jsonscan.Value // what all clients are to see, out of its envelope
}

var doTurnAckFields = []string{"message_type", "winner_player_id", "game_state"}

// ParseDoTurnAck reads a DO_TURN_ACK in a match of nbPlayers, the special ones
// included. The text of [DoTurnAckReason] completes the error.
func ParseDoTurnAck(content []byte, nbPlayers int) (DoTurnAck, error) {
	f := readFields(content, doTurnAckFields)
	f.messageType(typeDoTurnAck)
	var m DoTurnAck
	if m.WinnerPlayerID = f.integer(); m.WinnerPlayerID < -1 || m.WinnerPlayerID >= nbPlayers {
		f.fail("winner_player_id", "Invalid winner_player_id: Not in [-1, "+strconv.Itoa(nbPlayers)+"[")
	}
	m.State = f.state()
	return m, f.err
}

// AppendDoTurnAck appends a DO_TURN_ACK with the envelope that belongs around
// the state.
func AppendDoTurnAck(dst []byte, winner int, state []byte) ([]byte, error) {
	start := len(dst)
	dst = append(BeginFrame(dst), `{"message_type":"DO_TURN_ACK","winner_player_id":`...)
	dst = appendInt(dst, winner)
	dst = append(dst, `,"game_state":{"all_clients":`...)
	dst = append(dst, state...)
	return EndFrame(append(dst, "}}"...), start)
}
