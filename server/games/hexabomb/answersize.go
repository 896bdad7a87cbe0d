package hexabomb

import (
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/games"
)

// How large an answer may be, in bytes, unless max-message-size says otherwise.
const (
	// actionSize is for one action, with unknown keys, white space and
	// escapes: the longest that is needed has 86 bytes.
	actionSize = 256
	// envelopeSize is for the message around the actions.
	envelopeSize = 1 << 10
)

// answerSize returns how large an answer may be on a map: one action for each of a
// player's characters always fits, beside the longest debug.
func answerSize(m *hexabomb.Map) int {
	characters := len(m.Specials)
	for _, start := range m.Starts {
		characters = max(characters, len(start))
	}
	return max(games.UsualAnswer, envelopeSize+netorcai.DebugLimit+characters*actionSize)
}
