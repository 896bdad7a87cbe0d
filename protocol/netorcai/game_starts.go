package netorcai

import "github.com/hexarena/hexarena/protocol/jsonscan"

// GameStarts starts a match. It is sent to every client.
type GameStarts struct {
	PlayerID         int // -1 for a visualization
	NbPlayers        int // ordinary players
	NbSpecialPlayers int
	NbTurnsMax       int
	BeforeFirstTurn  float64 // milliseconds, finite
	BetweenTurns     float64 // milliseconds, finite
	State            jsonscan.Value
	PlayersInfo      jsonscan.Value // see AppendPlayersInfo; nil for an empty list
}

// AppendGameStarts appends a GAME_STARTS. The numbers come first because some tools look for
// them only in the first 200 bytes.
func AppendGameStarts(dst []byte, m GameStarts) ([]byte, error) {
	start := len(dst)
	dst = append(BeginFrame(dst), `{"message_type":"GAME_STARTS","player_id":`...)
	dst = appendInt(dst, m.PlayerID)
	dst = append(dst, `,"nb_players":`...)
	dst = appendInt(dst, m.NbPlayers)
	dst = append(dst, `,"nb_special_players":`...)
	dst = appendInt(dst, m.NbSpecialPlayers)
	dst = append(dst, `,"nb_turns_max":`...)
	dst = appendInt(dst, m.NbTurnsMax)
	dst = append(dst, `,"milliseconds_before_first_turn":`...)
	dst = appendFloat(dst, m.BeforeFirstTurn)
	dst = append(dst, `,"milliseconds_between_turns":`...)
	dst = appendFloat(dst, m.BetweenTurns)
	dst = append(dst, `,"initial_game_state":`...)
	dst = append(dst, m.State...)
	dst = append(dst, `,"players_info":`...)
	dst = appendRaw(dst, m.PlayersInfo, "[]")
	return EndFrame(append(dst, '}'), start)
}

var gameStartsFields = []string{
	"message_type", "player_id", "nb_players", "nb_special_players", "nb_turns_max",
	"milliseconds_before_first_turn", "milliseconds_between_turns", "initial_game_state", "players_info",
}

// ParseGameStarts parses a GAME_STARTS.
func ParseGameStarts(content []byte) (GameStarts, error) {
	f := readFields(content, gameStartsFields)
	f.messageType(typeGameStarts)
	m := GameStarts{
		PlayerID:         f.integer(),
		NbPlayers:        f.integer(),
		NbSpecialPlayers: f.integer(),
		NbTurnsMax:       f.integer(),
		BeforeFirstTurn:  f.number(),
		BetweenTurns:     f.number(),
		State:            f.object(),
		PlayersInfo:      f.array(),
	}
	return m, f.err
}
