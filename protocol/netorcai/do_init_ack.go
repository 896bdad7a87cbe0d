package netorcai

import "github.com/hexarena/hexarena/protocol/jsonscan"

// DoInitAck is a game logic's answer to DO_INIT. All but the state is optional, and no part of
// netorcai's metaprotocol, whose servers ignore it.
type DoInitAck struct {
	State  jsonscan.Value // for all clients, without the envelope
	Rules  string         // name and version of the rules, for recordings; empty: not sent
	View   *View          // nil: not sent
	Scores []int64        // by player id; nil: not sent
	// Dropped says which of the optional keys could not be read and were dropped.
	Dropped error
}

var doInitAckFields = []string{"message_type", "initial_game_state", "rules", "view", "scores"}

// ParseDoInitAck parses a DO_INIT_ACK in a match of nbPlayers, special players included.
// Errors are completed by [DoInitAckReason].
func ParseDoInitAck(content []byte, nbPlayers int) (DoInitAck, error) {
	f := readFields(content, doInitAckFields)
	f.messageType(typeDoInitAck)
	m := DoInitAck{State: f.state()}
	var x extras
	m.Rules = x.rules(f.any())
	m.View = x.view(f.any())
	m.Scores = x.scores(f.any(), nbPlayers)
	m.Dropped = x.err
	return m, f.err
}

// AppendDoInitAck appends a DO_INIT_ACK with the envelope around the state, and what is set of
// the optional keys.
func AppendDoInitAck(dst []byte, m DoInitAck) ([]byte, error) {
	start := len(dst)
	w := jsonscan.Writer(
		append(BeginFrame(dst), `{"message_type":"DO_INIT_ACK","initial_game_state":{"all_clients":`...))
	w = append(append(w, m.State...), '}')
	if m.Rules != "" {
		w.String("rules", m.Rules)
	}
	if m.View != nil {
		w.JSON("view", m.View)
	}
	writeScores(&w, m.Scores)
	return EndFrame(append(w, '}'), start)
}

// writeScores appends the key scores, unless there are none.
func writeScores(w *jsonscan.Writer, scores []int64) {
	if scores == nil {
		return
	}
	w.Open("scores", '[')
	for _, n := range scores {
		w.Int("", n)
	}
	w.Close(']')
}
