package session

import (
	"runtime"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/machine/processors"
)

// ack is an acknowledgement of a game logic.
type ack struct {
	init  netorcai.DoInitAck
	turn  netorcai.DoTurnAck
	state []byte // of either, in the notation for clients
}

// parseAck parses the acknowledgement that is awaited in a match of that many players. fault is the
// reason to kick the game logic, if any. The state is appended to buf. One of 16 MiB takes a
// processor for a while, so that parseAck yields to other matches.
func parseAck(awaited logicState, content []byte, players int, buf []byte) (a ack, fault string) {
	if len(content) > largeMessage {
		processors.WakeMonitor()
	}
	if awaited == awaitDoInitAck {
		init, err := netorcai.ParseDoInitAck(content, players)
		if err != nil {
			return a, netorcai.DoInitAckReason(err)
		}
		a.init, a.state = init, netorcai.AppendPlain(buf, init.State, runtime.Gosched)
		a.init.State = a.state
		return a, ""
	}
	turn, err := netorcai.ParseDoTurnAck(content, players)
	if err != nil {
		return a, netorcai.DoTurnAckReason(err)
	}
	a.turn, a.state = turn, netorcai.AppendPlain(buf, turn.State, runtime.Gosched)
	a.turn.State = a.state
	return a, ""
}
