package netorcai

import "github.com/hexarena/hexarena/protocol/jsonscan"

// PlayerInfo is the information about one player that visualizations receive.
type PlayerInfo struct {
	PlayerID      int
	Nickname      string
	RemoteAddress string // host:port
	IsConnected   bool
}

// AppendPlayersInfo appends the value of players_info, which is a JSON array and not a whole
// message. The players must be sorted by ID.
func AppendPlayersInfo(dst []byte, players []PlayerInfo) []byte {
	dst = append(dst, '[')
	for i, p := range players {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, `{"player_id":`...)
		dst = appendInt(dst, p.PlayerID)
		dst = append(dst, `,"nickname":`...)
		dst = appendString(dst, p.Nickname)
		dst = append(dst, `,"remote_address":`...)
		dst = appendString(dst, p.RemoteAddress)
		if p.IsConnected {
			dst = append(dst, `,"is_connected":true}`...)
		} else {
			dst = append(dst, `,"is_connected":false}`...)
		}
	}
	return append(dst, ']')
}

var playerInfoFields = []string{"player_id", "nickname", "remote_address", "is_connected"}

// ParsePlayersInfo parses the players_info of a [GameStarts] or a [Turn]. The list that players
// receive is empty.
func ParsePlayersInfo(list []byte) ([]PlayerInfo, error) {
	v, err := jsonscan.Parse(list)
	if err != nil || v.Kind() != jsonscan.Array {
		return nil, &FieldError{"players_info", "Non-array value for field 'players_info'"}
	}
	var players []PlayerInfo
	for _, e := range v.Elements() {
		f := readFields(e, playerInfoFields)
		p := PlayerInfo{
			PlayerID: f.integer(), Nickname: f.text(), RemoteAddress: f.text(), IsConnected: f.boolean(),
		}
		if f.err != nil {
			return nil, f.err
		}
		players = append(players, p)
	}
	return players, nil
}
