package netorcai_test

import (
	"context"
	"fmt"
	"net"

	"github.com/hexarena/hexarena/protocol/netorcai"
)

// walker is a bot whose only character moves to the right in every turn.
type walker struct{}

func (walker) Start(m netorcai.GameStarts) error {
	fmt.Printf("player %d of %d, state %s\n", m.PlayerID, m.NbPlayers, m.State)
	return nil
}

func (walker) Turn(m netorcai.Turn) (actions []byte, err error) {
	fmt.Printf("turn %d, state %s\n", m.Number, m.State)
	return []byte(`[{"id":0,"movement":"move","direction":"x+"}]`), nil
}

func (walker) End(m netorcai.GameEnds) {
	fmt.Printf("player %d has won, state %s\n", m.WinnerPlayerID, m.State)
}

// A bot plays one match. A real bot connects with Dial, for example to the address in the
// environment variables BOT_HOST and BOT_PORT; here the server is at the other end of a
// connection in memory.
func ExampleClient_Play() {
	conn, server := net.Pipe()
	go serveMatch(server)

	ctx := context.Background()
	c, err := netorcai.NewClient(ctx, conn,
		netorcai.Login{Nickname: "walker", Role: netorcai.RolePlayer})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close()
	if err := c.Play(ctx, walker{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// player 0 of 1, state {"at":0}
	// turn 0, state {"at":0}
	// server: turn 0 is answered by [{"id":0,"movement":"move","direction":"x+"}]
	// turn 1, state {"at":1}
	// server: turn 1 is answered by [{"id":0,"movement":"move","direction":"x+"}]
	// player 0 has won, state {"at":2}
}

// serveMatch is the server's side of a match of two turns with one player. It ignores
// errors: a client that disconnects ends the example.
func serveMatch(conn net.Conn) {
	defer conn.Close()
	send := func(frame []byte, _ error) { _, _ = conn.Write(frame) }
	receive := func(limit int) []byte {
		content, _ := netorcai.ReadFrame(conn, nil, limit)
		return content
	}
	_, _ = netorcai.ParseLogin(receive(netorcai.FirstLimit))
	send(netorcai.AppendLoginAck(nil), nil)
	send(
		netorcai.AppendGameStarts(nil,
			netorcai.GameStarts{NbPlayers: 1, NbTurnsMax: 3, State: []byte(`{"at":0}`)}),
	)
	for turn := range 2 {
		send(netorcai.AppendTurn(nil, turn, fmt.Appendf(nil, `{"at":%d}`, turn), nil))
		answer, _ := netorcai.ParseTurnAck(receive(netorcai.Limit), turn)
		fmt.Printf("server: turn %d is answered by %s\n", turn, answer.Actions)
	}
	send(netorcai.AppendGameEnds(nil, 0, []byte(`{"at":2}`)))
	send(netorcai.AppendKick(nil, netorcai.KickFinished), nil)
}
