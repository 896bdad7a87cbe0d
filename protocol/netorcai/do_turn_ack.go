package netorcai

import (
	"strconv"

	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// DoTurnAck is a game logic's answer to DO_TURN. Scores and Reasons are optional, and no part of
// netorcai's metaprotocol, whose servers ignore them.
type DoTurnAck struct {
	WinnerPlayerID int            // the leader after the turn, or -1
	State          jsonscan.Value // for all clients, without the envelope
	Scores         []int64        // by player id; nil: not sent
	Reasons        []Reason       // of the actions that had no effect
	// Dropped says which of the optional keys could not be read and were dropped.
	Dropped error
}

var doTurnAckFields = []string{
	"message_type", "winner_player_id", "game_state", "scores", "reasons",
}

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
	var x extras
	m.Scores = x.scores(f.any(), nbPlayers)
	m.Reasons = x.reasons(f.any(), nbPlayers)
	m.Dropped = x.err
	return m, f.err
}

// AppendDoTurnAck appends a DO_TURN_ACK with the envelope around the state, and what is set of
// the optional keys.
func AppendDoTurnAck(dst []byte, m DoTurnAck) ([]byte, error) {
	start := len(dst)
	w := jsonscan.Writer(
		append(BeginFrame(dst), `{"message_type":"DO_TURN_ACK","winner_player_id":`...))
	w = append(appendInt(w, m.WinnerPlayerID), `,"game_state":{"all_clients":`...)
	w = append(append(w, m.State...), '}')
	writeScores(&w, m.Scores)
	if m.Reasons != nil {
		w.Open("reasons", '[')
		for _, r := range m.Reasons {
			w.Open("", '{')
			w.Int("player", int64(r.PlayerID))
			w.String("text", r.Text)
			w.Int("action", int64(r.Action))
			w.Close('}')
		}
		w.Close(']')
	}
	return EndFrame(append(w, '}'), start)
}
