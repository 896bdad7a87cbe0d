package arena

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/protocol/jsonscan"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/panics"
	"github.com/hexarena/hexarena/server/result"
	"github.com/hexarena/hexarena/server/seat"
)

// troupe is the bots of a match that has no server. One goroutine calls them, one
// after another, so that a match takes no more than one core: who wants to use
// more plays several matches.
type troupe struct {
	wake chan struct{} // holds the news that an actor has something to do
	over chan struct{}

	mu     sync.Mutex // guards all below, and the actors' frames
	actors []*actor
}

func newTroupe() *troupe {
	return &troupe{wake: make(chan struct{}, 1), over: make(chan struct{})}
}

// actor is one of these bots; it implements match.Seat. It sees the start, then
// the newest frame that it has not seen.
type actor struct {
	bot    *bot
	player netorcai.Bot
	troupe *troupe

	// What it answered last: an answer stays in use until the next but one.
	answers [3][]byte
	turn    int
	gone    bool // it failed

	// Guarded by the troupe's mutex.
	place *match.Place
	id    engine.PlayerID
	start *match.Frame
	next  *match.Frame
}

var errNotBuiltin = errors.New("only built-in bots play without a server")

// startInProcess seats a bot.
func (a *Arena) startInProcess(b *bot) error {
	if b.seat.Kind == seat.Process {
		return errNotBuiltin
	}
	player, err := a.opts.Builtin(b.seat.Builtin, b.seed)
	if err != nil {
		return err
	}
	s := &actor{bot: b, player: player, troupe: a.troupe}
	_, err = a.match.Join(s, match.Candidate{Role: b.role(), Nickname: b.nickname, Remote: fmt.Sprint("seat ", b.index+1)})
	return err
}

// Welcome implements match.Seat.
func (s *actor) Welcome(p *match.Place) {
	s.troupe.mu.Lock()
	defer s.troupe.mu.Unlock()
	s.place = p
	s.troupe.actors = append(s.troupe.actors, s)
}

// Begin implements match.Seat.
func (s *actor) Begin(f *match.Frame, id engine.PlayerID) {
	f.Retain()
	s.troupe.tell(func() { s.start, s.id = f, id })
}

// Offer implements match.Seat.
func (s *actor) Offer(f *match.Frame) {
	f.Retain()
	s.troupe.tell(func() {
		if s.next != nil {
			s.next.Release()
		}
		s.next = f
	})
}

// Kick implements match.Seat: it comes with the end of the match, which ends the
// troupe.
func (s *actor) Kick(error) {}

// tell changes what there is to do.
func (t *troupe) tell(change func()) {
	t.mu.Lock()
	change()
	t.mu.Unlock()
	select {
	case t.wake <- struct{}{}:
	default: // they know
	}
}

// close ends act when all have seen what they were to see.
func (t *troupe) close() { close(t.over) }

// act has the bots play until the match is over.
func (t *troupe) act() {
	for {
		select {
		case <-t.wake:
			t.round()
		case <-t.over:
			t.round()
			return
		}
	}
}

// round has every bot do what it has to.
func (t *troupe) round() {
	for i := 0; ; i++ {
		t.mu.Lock()
		if i >= len(t.actors) {
			t.mu.Unlock()
			return
		}
		s := t.actors[i]
		start, next := s.start, s.next
		s.start, s.next = nil, nil
		t.mu.Unlock()
		s.see(start)
		s.see(next)
	}
}

// see shows the bot a frame, if there is one. A bot that fails leaves, and one
// that panics harms nobody but itself, as if it were a process.
func (s *actor) see(f *match.Frame) {
	if f == nil {
		return
	}
	defer f.Release()
	if s.gone {
		return
	}
	var err error
	if p := panics.Catch(func() { err = s.play(f) }); p != nil {
		err = p
	}
	if err != nil {
		s.gone = true
		s.bot.err = err
		s.place.Leave(result.HungUp)
	}
}

// play has the bot answer a frame.
func (s *actor) play(f *match.Frame) error {
	switch f.Moment {
	case match.Started:
		t := &f.Table
		return s.player.Start(netorcai.GameStarts{
			PlayerID: int(s.id), NbPlayers: t.Players, NbSpecialPlayers: t.Specials, NbTurnsMax: t.Settings.Turns,
			BeforeFirstTurn: t.Settings.DelayFirst, BetweenTurns: t.Settings.DelayTurns, State: f.State,
		})
	case match.Ended:
		s.player.End(netorcai.GameEnds{WinnerPlayerID: int(f.Winner), State: f.State})
		return nil
	}
	began := time.Now()
	actions, err := s.player.Turn(netorcai.Turn{Number: f.Turn, State: f.State, PlayersInfo: emptyList})
	if err != nil {
		return fmt.Errorf("turn %d: %w", f.Turn, err)
	}
	took := time.Since(began)
	list, err := jsonscan.Parse(actions)
	if actions == nil {
		list, err = emptyList, nil
	}
	if err != nil || list.Kind() != jsonscan.Array {
		return fmt.Errorf("turn %d: %w", f.Turn, errNoList)
	}
	answer := &s.answers[s.turn%len(s.answers)]
	s.turn++
	*answer = append((*answer)[:0], list...)
	s.place.Answer(f.Turn, *answer, nil, took)
	return nil
}

// errNoList is what a wire tells a bot before its match hears of it.
var errNoList = errors.New("the actions are no JSON array")

var emptyList = []byte("[]")
