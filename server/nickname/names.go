package nickname

import (
	"net"
	"strconv"
	"sync"
	"unicode/utf8"

	"github.com/hexarena/hexarena/server/match"
)

// Bounds of names.
const (
	maxCharacters = 10     // as the metaprotocol has it, the number included
	maxOwners     = 10_000 // names of a series that are kept for those who played with them
)

// Names gives each player of a series of matches a name of its own: the nickname that
// it asks for, with a number if that is another player's. A player is known by its
// token, or without tokens by the address that it connects from. It implements
// match.Namer and match.Watcher.
type Names struct {
	mu     sync.Mutex
	owners map[string]string // by folded name, the player that last played with it
}

// NewNames returns Names that no player has.
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

// numbered returns a name with a number behind it, but for the first of that name, cut
// so that both have at most as many characters as a nickname.
func numbered(name string, number int) string {
	if number == 1 {
		return name
	}
	suffix := "#" + strconv.Itoa(number)
	for most := maxCharacters - len(suffix); utf8.RuneCountInString(name) > most; {
		_, last := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-last]
	}
	return name + suffix
}

// playerOf returns what tells players apart from match to match.
func playerOf(c *match.Candidate) string {
	if c.Key != "" {
		return "token " + c.Key
	}
	host, _, err := net.SplitHostPort(c.Remote)
	if err != nil {
		host = c.Remote
	}
	return "host " + host
}

// Started implements match.Watcher: the names of those who play are theirs.
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

// Joined implements match.Watcher, and so do the others.
func (*Names) Joined(match.SeatInfo, match.Role) {}

// Left does nothing.
func (*Names) Left(match.SeatInfo, match.Role) {}

// Played does nothing.
func (*Names) Played(*match.Play) {}

// Ended does nothing.
func (*Names) Ended(*match.Ending) {}
