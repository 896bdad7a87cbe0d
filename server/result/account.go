// Package result keeps the account of a match: what each player scored, how long it
// took to answer, which of its actions the game refused, and when it left.
//
// An [Account] watches one match of any game, over any wire. It
// starts no goroutine.
package result

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"slices"
	"strings"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/match"
)

// Tally holds the figures of the players, as an engine.Game does.
type Tally interface {
	AppendTally(dst []engine.Count, p engine.PlayerID) []engine.Count
}

// Options say what an account counts.
type Options struct {
	Tally  Tally // read at the end, in the match's goroutine; nil: there are no figures
	Digest bool  // hash all states, which costs time in proportion to their size
}

// Account is the account of one match. It implements match.Watcher. The other methods may be
// called by the match's watchers and, once the match is over, by any goroutine.
type Account struct {
	match.BaseWatcher
	tally     Tally
	explainer engine.Explainer // nil: the game explains no refusals
	explained []Explained      // in the last turn
	digest    hash.Hash        // of all states, each followed by a line feed; may be nil
	started   time.Time
	steps     int
	over      bool // the game was played to its end
	players   []player
	// by the address that was left, or that the player called from at the start
	departures map[string]Departure
	result     Result
}

// player is what one player has done so far.
type player struct {
	Player
	remote string    // the address that it called from at the start
	took   histogram // of its answers
}

// New returns an account for a match that has not started.
func New(o Options) *Account {
	a := &Account{tally: o.Tally, departures: map[string]Departure{}}
	if o.Digest {
		a.digest = sha256.New()
	}
	a.explainer, _ = o.Tally.(engine.Explainer)
	return a
}

// maxDepartures bounds how many departures before the start are kept; after it, there
// are no more than players.
// seats of the largest match: an account is kept with its match, a dozen of which the page shows
const maxDepartures = 1024

// Left implements match.Watcher. A client that leaves once the game is over was told to.
func (a *Account) Left(s match.SeatInfo, role match.Role) {
	if role == match.Visualization || a.over ||
		a.players == nil && len(a.departures) >= maxDepartures {
		return
	}
	from := s.Remote
	if a.players != nil {
		from = a.players[s.ID].remote
	}
	a.departures[from] = Departure{Step: a.steps, Reason: s.Reason}
}

// Started implements match.Watcher.
func (a *Account) Started(f *match.Frame) {
	a.started = time.Now()
	a.players = make([]player, len(f.Table.Seats))
	for i, s := range f.Table.Seats {
		a.players[i] = player{
			Player: Player{Figures: Figures{Refused: map[string]int{}, Untimed: s.Untimed}},
			remote: s.Remote,
		}
	}
	a.add(f)
}

// Played implements match.Watcher.
func (a *Account) Played(p *match.Play) {
	a.steps = p.Step
	if len(a.departures) > 0 {
		a.noteReturns(p)
	}
	for i := range p.Answers {
		answer := &p.Answers[i]
		one := &a.players[answer.Player]
		switch answer.Lapse {
		case engine.TimedOut:
			one.Skipped++
		case engine.Gone:
			one.Missed++
		default:
			one.Answers++
			if !one.Player.Figures.Untimed {
				one.took.add(recorded(answer.Took))
			}
		}
	}
	a.noteRefused(p)
	if p.Frame.Moment == match.Ended {
		a.over = true
		a.forgive(p)
	}
	a.add(p.Frame)
}

// Explained tells more of why a player's action was refused.
type Explained struct {
	Player engine.PlayerID
	Reason string
	Why    string // in one line
}

// Explained returns of each player the actions of the last turn that were refused for a reason
// for which none was before, as far as the game explains it. Watchers of the match call it.
func (a *Account) Explained() []Explained { return a.explained }

func (a *Account) noteRefused(p *match.Play) {
	a.explained = a.explained[:0]
	for i := range p.Result.Refused {
		r := &p.Result.Refused[i]
		f := &a.players[r.Player].Figures
		f.Refused[r.Reason]++
		if f.Refused[r.Reason] > 1 || a.explainer == nil {
			continue
		}
		in := &p.Answers[r.Input].Input
		why := a.explainer.Explain(in, r)
		if why == "" {
			continue
		}
		if r.Action >= 0 {
			why = fmt.Sprintf("action %d: %s", r.Action, why)
		}
		why = fmt.Sprintf("%s, %s", match.NameTurn(in.Turn), why)
		if f.First == nil {
			f.First = map[string]string{}
		}
		f.First[r.Reason] = why
		a.explained = append(a.explained, Explained{r.Player, r.Reason, why})
	}
}

// noteReturns drops the departures of players that have come back: after a turn in which they left,
// a later one waited for them. That shows in recordings as well, which do not tell when players
// come back.
func (a *Account) noteReturns(p *match.Play) {
	for i := range p.Answers {
		answer := &p.Answers[i]
		remote := a.players[answer.Player].remote
		awaited := answer.Lapse == engine.TimedOut ||
			answer.Lapse == engine.Answered && answer.Turn == match.AnsweredIn(p.Step)
		if d, left := a.departures[remote]; left && awaited && p.Step > d.Step+1 {
			delete(a.departures, remote)
		}
	}
}

// recorded returns a time as recordings have it, so that the reports on a match and on its
// recording are equal: in microseconds, and 0 only if it is not known.
func recorded(took time.Duration) time.Duration {
	if took == 0 {
		return 0
	}
	return max(time.Microsecond, took.Truncate(time.Microsecond))
}

// forgive drops the departures of players that had answered the last TURN when they
// hung up: they had nothing left to do but read the end.
func (a *Account) forgive(p *match.Play) {
	for i := range p.Answers {
		answer := &p.Answers[i]
		remote := a.players[answer.Player].remote
		if answer.Lapse == engine.Answered && answer.Turn == match.AnsweredIn(p.Step) &&
			a.departures[remote].HungUp() {
			delete(a.departures, remote)
		}
	}
}

func (a *Account) add(f *match.Frame) {
	if a.digest != nil {
		a.digest.Write(f.State)
		a.digest.Write([]byte{'\n'})
	}
}

// Ended implements match.Watcher.
func (a *Account) Ended(e *match.Ending) {
	a.result = Result{Ending: *e, Started: a.started, Ended: time.Now()}
	if a.digest != nil && a.players != nil {
		a.result.Digest = hex.EncodeToString(a.digest.Sum(nil))
	}
	for id := range a.players {
		p := &a.players[id]
		p.Time = Quantiles{
			P50: Millis(p.took.quantile(0.50)), P99: Millis(p.took.quantile(0.99)), Max: Millis(p.took.max),
		}
		if a.tally != nil {
			p.Counts = a.tally.AppendTally(nil, engine.PlayerID(id))
		}
		if id < len(e.Seats) {
			p.SeatInfo = e.Seats[id]
		}
		if d, left := a.departures[p.remote]; left {
			p.Left = &d
		}
		a.result.Players = append(a.result.Players, p.Player)
	}
	rank(a.result.Players)
	a.tally, a.explainer = nil, nil // an account may be kept for longer than its match
}

// Result returns how the match went. It is empty before the end.
func (a *Account) Result() Result { return a.result }

// Player returns the id of the player that called from an address at the start,
// engine.NoPlayer if the match began without it.
func (a *Account) Player(remote string) engine.PlayerID {
	return engine.PlayerID(
		slices.IndexFunc(a.players, func(p player) bool { return p.remote == remote }))
}

// Departure returns how the client at an address left, also before the start; ok is
// false if it stayed to the end, or came back.
func (a *Account) Departure(remote string) (d Departure, ok bool) {
	d, ok = a.departures[remote]
	return d, ok
}

// HungUp reports whether the client closed its connection itself.
func (d Departure) HungUp() bool { return strings.Contains(d.Reason, HungUp) }

// HungUp is in the reason for which a session ends whose client has closed its
// connection. A player in this process that fails leaves with it as well.
const HungUp = "Remote endpoint closed"

// When returns when the client left, as the end of a sentence.
func (d Departure) When() string {
	if d.Step == 0 {
		return " before the first turn"
	}
	return " in " + match.NameShown(d.Step)
}
