package nickname

import (
	"net"
	"strconv"
	"sync"
	"unicode/utf8"

	"github.com/hexarena/hexarena/server/match"
)

// Limits of names.
const (
	maxCharacters = 10     // as in the metaprotocol, including the number
	maxOwners     = 10_000 // names of a series that stay reserved for their players
)

// Names gives each player in a series of matches a unique name: the nickname that it asks
// for, with a number if another player has it. A player is identified by its token, or
// without tokens by its address. Names implements match.Namer and match.Watcher.
type Names struct {
	match.BaseWatcher
	mu     sync.Mutex
	owners map[string]string // the player that last played with a name, by folded name
}

// NewNames returns Names without players.
func NewNames() *Names { return &Names{owners: map[string]string{}} }

// Name implements match.Namer.
func (n *Names) Name(c match.Candidate, taken []string) string {
	used := make(map[string]bool, len(taken))
	for _, name := range taken {
		used[Fold(name)] = true
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	for number := 1; ; number++ {
		name := numbered(c.Nickname, number)
		folded := Fold(name)
		owner, owned := n.owners[folded]
		if !used[folded] && (!owned || owner == playerOf(&c)) {
			return name
		}
	}
}

// numbered returns a name with a number appended, except for number 1. The name is shortened
// so that the result has at most as many characters as a nickname may have.
func numbered(name string, number int) string {
	if number == 1 {
		return name
	}
	suffix := "#" + strconv.Itoa(number)
	for limit := maxCharacters - len(suffix); utf8.RuneCountInString(name) > limit; {
		_, last := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-last]
	}
	return name + suffix
}

// playerOf returns what identifies a player from match to match.
func playerOf(c *match.Candidate) string {
	if c.Builtin { // all are one player: matches that begin at once may have them in other seats
		return "built-in"
	}
	if c.Key != "" {
		return "token " + c.Key
	}
	host, _, err := net.SplitHostPort(c.Remote)
	if err != nil {
		host = c.Remote
	}
	return "host " + host
}

// Started implements match.Watcher. It reserves the names for their players.
func (n *Names) Started(f *match.Frame) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for i := range f.Table.Seats {
		c := &f.Table.Seats[i].Candidate
		folded := Fold(c.Nickname)
		if _, known := n.owners[folded]; known || len(n.owners) < maxOwners {
			n.owners[folded] = playerOf(c)
		}
	}
}
