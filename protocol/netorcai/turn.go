package netorcai

import "github.com/hexarena/hexarena/protocol/jsonscan"

// Turn shows a client the state and asks for its actions.
type Turn struct {
	Number      int // 0 for the first
	State       jsonscan.Value
	PlayersInfo jsonscan.Value // see ParsePlayersInfo
}

// AppendTurn appends a TURN. The state must be a JSON object and is not changed; info is a JSON
// array (see [AppendPlayersInfo]), nil for an empty one. The number comes early because some
// tools look for it only in the first 200 bytes.
func AppendTurn(dst []byte, turn int, state, info []byte) ([]byte, error) {
	start := len(dst)
	dst = append(BeginFrame(dst), `{"message_type":"TURN","turn_number":`...)
	dst = appendInt(dst, turn)
	dst = append(dst, `,"game_state":`...)
	dst = append(dst, state...)
	dst = append(dst, `,"players_info":`...)
	dst = appendRaw(dst, info, "[]")
	return EndFrame(append(dst, '}'), start)
}

var turnFields = []string{"message_type", "turn_number", "game_state", "players_info"}

// ParseTurn parses a TURN.
func ParseTurn(content []byte) (Turn, error) {
	f := readFields(content, turnFields)
	f.messageType(typeTurn)
	m := Turn{Number: f.integer(), State: f.object(), PlayersInfo: f.array()}
	return m, f.err
}
