package netorcai

import "github.com/hexarena/hexarena/protocol/jsonscan"

// GameEnds is the message that closes a match, to every client.
type GameEnds struct {
	WinnerPlayerID int // -1 when nobody won
	State          jsonscan.Value
}

// AppendGameEnds appends a GAME_ENDS. The state is a JSON object and goes in
// untouched.
func AppendGameEnds(dst []byte, winner int, state []byte) ([]byte, error) {
	start := len(dst)
	dst = append(BeginFrame(dst), `{"message_type":"GAME_ENDS","winner_player_id":`...)
	dst = appendInt(dst, winner)
	dst = append(dst, `,"game_state":`...)
	dst = append(dst, state...)
	return EndFrame(append(dst, '}'), start)
}

var gameEndsFields = []string{"message_type", "winner_player_id", "game_state"}

// ParseGameEnds reads a GAME_ENDS.
func ParseGameEnds(content []byte) (GameEnds, error) {
	f := readFields(content, gameEndsFields)
	f.messageType(typeGameEnds)
	m := GameEnds{WinnerPlayerID: f.integer(), State: f.object()}
	return m, f.err
}
