package netorcai

import "github.com/hexarena/hexarena/protocol/jsonscan"

// GameEnds ends a match. It is sent to every client.
type GameEnds struct {
	WinnerPlayerID int // -1 if there is no winner
	State          jsonscan.Value
}

// AppendGameEnds appends a GAME_ENDS. The state must be a JSON object and is not changed.
func AppendGameEnds(dst []byte, winner int, state []byte) ([]byte, error) {
	start := len(dst)
	dst = append(BeginFrame(dst), `{"message_type":"GAME_ENDS","winner_player_id":`...)
	dst = appendInt(dst, winner)
	dst = append(dst, `,"game_state":`...)
	dst = append(dst, state...)
	return EndFrame(append(dst, '}'), start)
}

var gameEndsFields = []string{"message_type", "winner_player_id", "game_state"}

// ParseGameEnds parses a GAME_ENDS.
func ParseGameEnds(content []byte) (GameEnds, error) {
	f := readFields(content, gameEndsFields)
	f.messageType(typeGameEnds)
	m := GameEnds{WinnerPlayerID: f.integer(), State: f.object()}
	return m, f.err
}
