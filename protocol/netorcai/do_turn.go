package netorcai

import "github.com/hexarena/hexarena/protocol/jsonscan"

// PlayerActions is what one player sent for a turn.
type PlayerActions struct {
	PlayerID int
	Turn     int            // the number of the TURN answered
	Actions  jsonscan.Value // an array, as ParseTurnAck returns it
}

// AppendDoTurn appends a DO_TURN, which asks a game logic to play one turn with the players'
// actions in their order of arrival.
//
// Players must not be able to break a game logic whose JSON parser is incomplete: actions are
// written by [AppendPlain].
func AppendDoTurn(dst []byte, players []PlayerActions) ([]byte, error) {
	start := len(dst)
	dst = append(BeginFrame(dst), `{"message_type":"DO_TURN","player_actions":[`...)
	for i, p := range players {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, `{"player_id":`...)
		dst = appendInt(dst, p.PlayerID)
		dst = append(dst, `,"turn_number":`...)
		dst = appendInt(dst, p.Turn)
		dst = append(dst, `,"actions":`...)
		dst = AppendPlain(dst, p.Actions, nil)
		dst = append(dst, '}')
	}
	return EndFrame(append(dst, "]}"...), start)
}

var (
	doTurnFields        = []string{"message_type", "player_actions"}
	playerActionsFields = []string{"player_id", "turn_number", "actions"}
)

// ParseDoTurn parses a DO_TURN.
func ParseDoTurn(content []byte) ([]PlayerActions, error) {
	f := readFields(content, doTurnFields)
	f.messageType(typeDoTurn)
	list := f.array()
	if f.err != nil {
		return nil, f.err
	}
	var players []PlayerActions
	for _, e := range list.Elements() {
		f := readFields(e, playerActionsFields)
		p := PlayerActions{PlayerID: f.integer(), Turn: f.integer(), Actions: f.array()}
		if f.err != nil {
			return nil, f.err
		}
		players = append(players, p)
	}
	return players, nil
}
