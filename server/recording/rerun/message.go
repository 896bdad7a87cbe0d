package rerun

import (
	"fmt"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/recording"
)

// AppendMessage appends the frame that a player was sent with the state after a turn:
// GAME_STARTS before the first turn, GAME_ENDS after the last, else a TURN.
func AppendMessage(dst []byte, p *recording.Replay, t *recording.Turn, player engine.PlayerID) ([]byte, error) {
	h := p.Reader().Header()
	switch {
	case t.Step == 0:
		return netorcai.AppendGameStarts(dst, netorcai.GameStarts{
			PlayerID: int(player), NbPlayers: h.Players, NbSpecialPlayers: h.Specials, NbTurnsMax: h.Turns,
			BeforeFirstTurn: h.DelayFirst, BetweenTurns: h.DelayTurns, State: p.State(),
		})
	case p.Result().Over || t.Step >= h.Turns:
		return netorcai.AppendGameEnds(dst, int(p.Result().Winner), p.State())
	}
	return netorcai.AppendTurn(dst, t.Step-1, p.State(), nil)
}

// CheckSeat returns an error if the recording has no player with that id.
func CheckSeat(h *recording.Header, player int) error {
	if player < 0 || player >= len(h.Seats) {
		return fmt.Errorf("%d is not in 0…%d", player, len(h.Seats)-1)
	}
	return nil
}
