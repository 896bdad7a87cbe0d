package netorcai

import "github.com/hexarena/hexarena/protocol/jsonscan"

// Turn is the message that shows a client the state and asks it to act.
type Turn struct {
	Number      int // 0 for the first
	State       jsonscan.Value
	PlayersInfo jsonscan.Value // see ParsePlayersInfo
}

// AppendTurn appends a TURN. The state is a JSON object and goes in untouched;
// info is a JSON array, see [AppendPlayersInfo], and nil stands for an empty
// one. Some tools look for the number in the first 200 bytes only.
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

// ParseTurn reads a TURN.
func ParseTurn(content []byte) (Turn, error) {
	f := readFields(content, turnFields)
	f.messageType(typeTurn)
	m := Turn{Number: f.integer(), State: f.object(), PlayersInfo: f.array()}
	return m, f.err
}
