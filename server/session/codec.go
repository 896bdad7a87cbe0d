package session

import (
	"sync"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/match"
)

// Codec turns frames into the metaprotocol's messages. Players and
// visualizations get two forms of them, each encoded once for all.
type Codec struct {
	player, visualization match.Form
}

// NewCodec makes the codec for the sessions of one server.
func NewCodec() *Codec {
	return &Codec{player: &form{}, visualization: &form{withSeats: true}}
}

// form is a match.Form. Only visualizations are told who plays.
type form struct {
	withSeats bool

	mu    sync.Mutex // guards the infos of the newest list of seats
	seats []match.SeatInfo
	infos []byte
}

// Append implements match.Form for TURN and GAME_ENDS; GAME_STARTS differs
// from seat to seat.
func (m *form) Append(dst []byte, f *match.Frame) ([]byte, error) {
	if f.Moment == match.Ended {
		return netorcai.AppendGameEnds(dst, int(f.Winner), f.State)
	}
	return netorcai.AppendTurn(dst, f.Turn, f.State, m.playerInfos(f.Table.Seats))
}

// playerInfos is what the form tells of who plays. Lists of seats are replaced
// when something changes and never changed in place, so the first element's
// address tells them apart.
func (m *form) playerInfos(seats []match.SeatInfo) []byte {
	if !m.withSeats || len(seats) == 0 {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.seats) == 0 || &m.seats[0] != &seats[0] {
		list := make([]netorcai.PlayerInfo, len(seats))
		for i, s := range seats {
			list[i] = netorcai.PlayerInfo{
				PlayerID: int(s.ID), Nickname: s.Nickname, RemoteAddress: s.Remote, IsConnected: s.Connected,
			}
		}
		m.seats, m.infos = seats, netorcai.AppendPlayersInfo(nil, list)
	}
	return m.infos
}

// gameStarts is the GAME_STARTS for one seat.
func (c *Codec) gameStarts(f *match.Frame, id engine.PlayerID, m match.Form) ([]byte, error) {
	t := &f.Table
	return netorcai.AppendGameStarts(make([]byte, 0, len(f.State)+512), netorcai.GameStarts{
		PlayerID:         int(id),
		NbPlayers:        t.Players,
		NbSpecialPlayers: t.Specials,
		NbTurnsMax:       t.Settings.Turns,
		BeforeFirstTurn:  t.Settings.DelayFirst,
		BetweenTurns:     t.Settings.DelayTurns,
		State:            f.State,
		PlayersInfo:      m.(*form).playerInfos(t.Seats),
	})
}
