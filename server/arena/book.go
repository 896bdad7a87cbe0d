package arena

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"slices"
	"strings"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/match"
)

// book keeps account of a match. It is the match's watcher: everything but the
// two channels belongs to the match's goroutine until the server has stopped.
type book struct {
	moved chan match.SeatInfo // whoever took a seat of a player or special player, or left it before the start
	ended chan struct{}       // closed at the end of the match, be it early

	game     engine.Game
	claims   *claims
	guests   *guests
	abort    func(error)
	digest   hash.Hash // of all states, each followed by a line feed
	steps    int
	over     bool
	accounts []account            // by player id
	leavings map[string]departure // by the address they had called from
}

// account is what one player did.
type account struct {
	remote  string // where it called from
	counts  []engine.Count
	refused map[string]int // actions, by reason
	took    histogram      // of its answers
	skipped int            // turns that ended before it answered
	absent  int            // turns that it was not there for
}

// departure is a seat that was given up before the match was over.
type departure struct {
	step   int // turns that were simulated by then
	reason string
}

func newBook(g engine.Game, seats int) *book {
	return &book{
		moved:    make(chan match.SeatInfo, 2*seats+16),
		ended:    make(chan struct{}),
		game:     g,
		digest:   sha256.New(),
		leavings: map[string]departure{},
	}
}

// Joined implements match.Watcher. When nobody has listened for long, as in a
// match that is under way, there is nobody to tell.
func (b *book) Joined(s match.SeatInfo, role match.Role) {
	if role == match.Visualization {
		return
	}
	b.move(s)
}

func (b *book) move(s match.SeatInfo) {
	select {
	case b.moved <- s:
	default:
	}
}

// Left implements match.Watcher. Who leaves once the game is over was told to.
func (b *book) Left(s match.SeatInfo, role match.Role) {
	if role == match.Visualization || b.over {
		return
	}
	if b.accounts == nil {
		b.claims.release(s.Remote)
		b.guests.release(s.Remote)
		b.move(s)
	}
	if b.accounts == nil && len(b.leavings) >= maxLeavings {
		return
	}
	b.leavings[s.Remote] = departure{b.steps, s.Reason}
}

// maxLeavings bounds how many are remembered to have come and gone before the
// start; after it, nobody comes.
const maxLeavings = 10_000

// Started implements match.Watcher.
func (b *book) Started(f *match.Frame) {
	b.claims.settle(f.Table.Seats)
	for _, s := range f.Table.Seats {
		b.accounts = append(b.accounts, account{remote: s.Remote, refused: map[string]int{}})
	}
	if f.Table.Players == 0 {
		b.abort(ErrNobody)
	}
	b.add(f)
}

// Played implements match.Watcher.
func (b *book) Played(p *match.Play) {
	b.steps = p.Step
	for i := range p.Answers {
		a := &p.Answers[i]
		account := &b.accounts[a.Player]
		switch a.Lapse {
		case engine.TimedOut:
			account.skipped++
		case engine.Gone:
			account.absent++
		default:
			account.took.add(a.Took)
		}
	}
	for i := range p.Result.Refused {
		r := &p.Result.Refused[i]
		b.accounts[r.Player].refused[r.Reason]++
	}
	if p.Frame.Moment == match.Ended {
		b.over = true
		b.forgive(p)
	}
	b.add(p.Frame)
}

// forgive forgets the departures of players that had answered the last TURN when
// they hung up: they had nothing left to do but read the end.
func (b *book) forgive(p *match.Play) {
	last := p.Step - 2 // the first step is played before TURN 0 is sent
	for i := range p.Answers {
		a := &p.Answers[i]
		remote := b.accounts[a.Player].remote
		if a.Lapse == engine.Answered && a.Turn == last && strings.Contains(b.leavings[remote].reason, hungUp) {
			delete(b.leavings, remote)
		}
	}
}

func (b *book) add(f *match.Frame) {
	b.digest.Write(f.State)
	b.digest.Write([]byte{'\n'})
}

// Ended implements match.Watcher.
func (b *book) Ended(*match.Ending) {
	for p := range b.accounts {
		b.accounts[p].counts = b.game.AppendTally(nil, engine.PlayerID(p))
	}
	close(b.ended)
}

// sum is the digest of all states, empty if there were none.
func (b *book) sum() string {
	if b.accounts == nil {
		return ""
	}
	return hex.EncodeToString(b.digest.Sum(nil))
}

// player is the id of whoever called from an address, engine.Nobody if the
// match began without them.
func (b *book) player(remote string) engine.PlayerID {
	return engine.PlayerID(slices.IndexFunc(b.accounts, func(a account) bool { return a.remote == remote }))
}
