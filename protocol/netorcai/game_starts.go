package netorcai

import (
	"strconv"

	"github.com/hexarena/hexarena/protocol/jsonscan"
)

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

	// Match and Seed are for clients that stay between matches, see Login.Stay.
	Match int    // the number of the match in its series, from 1; 0: not sent
	Seed  uint64 // at most MaxSeed, for the bot's random numbers; sent with Match
}

// MaxSeed is the largest seed in a message: the largest number up to which all integers are
// numbers of JavaScript.
const MaxSeed = 1<<53 - 1

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
	dst = appendSeed(dst, m.Match, m.Seed)
	return EndFrame(append(dst, '}'), start)
}

// appendSeed appends the number of a match and a seed, unless the number is 0.
func appendSeed(dst []byte, match int, seed uint64) []byte {
	if match == 0 {
		return dst
	}
	dst = appendInt(append(dst, `,"match":`...), match)
	return strconv.AppendUint(append(dst, `,"seed":`...), seed, 10)
}

var gameStartsFields = []string{
	"message_type", "player_id", "nb_players", "nb_special_players", "nb_turns_max",
	"milliseconds_before_first_turn", "milliseconds_between_turns", "initial_game_state",
	"players_info", "match", "seed",
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
		Match:            int(f.optionalNumber()),
		Seed:             f.optionalNumber(),
	}
	return m, f.err
}
