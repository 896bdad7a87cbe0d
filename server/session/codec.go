package session

import (
	"cmp"
	"sync"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/match"
)

// The forms in which frames are encoded as the metaprotocol's messages, each once for all seats
// of a match.
var (
	playerForm        = &form{}
	visualizationForm = &form{withSeats: true}
)

// form is a match.Form. Only visualizations get the list of players.
type form struct {
	withSeats bool

	mu      sync.Mutex // guards the fields below
	version uint64     // the version of the table that infos were made from
	infos   []byte
}

// Append implements match.Form for TURN and GAME_ENDS; GAME_STARTS differs
// from seat to seat.
func (m *form) Append(dst []byte, f *match.Frame) ([]byte, error) {
	if f.Moment == match.Ended {
		return netorcai.AppendGameEnds(dst, int(f.Winner), f.State)
	}
	return netorcai.AppendTurn(dst, f.Turn, f.State, m.playerInfos(&f.Table))
}

// playerInfos returns the list of players in JSON, or nil if the form has none. It is
// encoded again only when the table's seats have changed.
func (m *form) playerInfos(t *match.Table) []byte {
	if !m.withSeats || len(t.Seats) == 0 {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.version != t.Version {
		list := make([]netorcai.PlayerInfo, len(t.Seats))
		for i, s := range t.Seats {
			list[i] = netorcai.PlayerInfo{
				PlayerID: int(s.ID), Nickname: s.Nickname, RemoteAddress: s.Remote, IsConnected: s.Connected,
			}
		}
		m.version, m.infos = t.Version, netorcai.AppendPlayersInfo(nil, list)
	}
	return m.infos
}

// gameStarts returns the GAME_STARTS for one seat. A client that stays also gets the match's
// number and a seed: its own, unless that is 0.
func (m *form) gameStarts(
	f *match.Frame, id engine.PlayerID, stays bool, seed uint64,
) ([]byte, error) {
	t := &f.Table
	starts := netorcai.GameStarts{
		PlayerID:         int(id),
		NbPlayers:        t.Players,
		NbSpecialPlayers: t.Specials,
		NbTurnsMax:       t.Settings.Turns,
		BeforeFirstTurn:  t.Settings.DelayFirst,
		BetweenTurns:     t.Settings.DelayTurns,
		State:            f.State,
		PlayersInfo:      m.playerInfos(t),
	}
	if stays {
		starts.Match, starts.Seed = t.Series.Number, cmp.Or(seed, t.Series.Seed(id))
	}
	return netorcai.AppendGameStarts(make([]byte, 0, len(f.State)+512), starts)
}
