package netorcai

import (
	"strconv"

	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// DoTurnAck is a game logic's answer to DO_TURN.
type DoTurnAck struct {
	WinnerPlayerID int            // the leader after the turn, or -1
	State          jsonscan.Value // for all clients, without the envelope
}

var doTurnAckFields = []string{"message_type", "winner_player_id", "game_state"}

// ParseDoTurnAck parses a DO_TURN_ACK in a match of nbPlayers, special players included.
// Errors are completed by [DoTurnAckReason].
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

// AppendDoTurnAck appends a DO_TURN_ACK with the envelope around the state.
func AppendDoTurnAck(dst []byte, winner int, state []byte) ([]byte, error) {
	start := len(dst)
	dst = append(BeginFrame(dst), `{"message_type":"DO_TURN_ACK","winner_player_id":`...)
	dst = appendInt(dst, winner)
	dst = append(dst, `,"game_state":{"all_clients":`...)
	dst = append(dst, state...)
	return EndFrame(append(dst, "}}"...), start)
}
