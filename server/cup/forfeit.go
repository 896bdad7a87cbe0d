package cup

import (
	"errors"

	"github.com/hexarena/hexarena/protocol/netorcai"
)

// MaxFailures is the number of consecutive forfeits after which a bot is not started any more. A
// bot that fails that often fails always, and would cost each match its time to start.
const MaxFailures = 3

// givesUp is the name of the built-in bot that takes the seat of one that is not there. No bot of a
// game has it.
const givesUp = ""

// quitter leaves at the start of a match, so that its seat is that of a bot that crashed there: the
// board and the other seats' places are as if it had come.
type quitter struct{}

var errNotThere = errors.New("the bot is not there")

// Start implements netorcai.Bot.
func (quitter) Start(netorcai.GameStarts) error { return errNotThere }

// Turn implements netorcai.Bot. It is not called.
func (quitter) Turn(netorcai.Turn) ([]byte, error) { return nil, errNotThere }

// End implements netorcai.Bot.
func (quitter) End(netorcai.GameEnds) {}
