package direct

import (
	"errors"
	"fmt"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/protocol/jsonscan"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/machine/panics"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/result"
)

// interrupter is a bot whose thinking can be cut off, from any goroutine: a Turn under way
// returns soon, and so do those that follow.
type interrupter interface{ Interrupt() }

// Seat is the seat of a bot of this process. It implements match.Seat. The bot is shown the
// start, and then the newest frame that it has not seen.
type Seat struct {
	loop *loop
	bot  netorcai.Bot

	// Owned by the goroutine of the loop. A match uses up to four answers of a bot at the same
	// time, the newest one included: those to a TURN that it was behind with, to one that came
	// meanwhile, and to the two after that.
	answers [4]answer
	turns   int
	err     error // why the bot has left

	// Guarded by the loop's mutex.
	place  *match.Place
	id     engine.PlayerID
	start  *match.Frame
	newest *match.Frame
}

// answer holds the bytes of one answer.
type answer struct{ actions, debug []byte }

// Err returns why the bot left its match before the end, nil if it did not. It may be
// called after Bots.Close.
func (s *Seat) Err() error { return s.err }

// Welcome implements match.Seat.
func (s *Seat) Welcome(p *match.Place) {
	s.loop.mu.Lock()
	defer s.loop.mu.Unlock()
	s.place = p
	s.loop.seats = append(s.loop.seats, s)
}

// Begin implements match.Seat.
func (s *Seat) Begin(f *match.Frame, id engine.PlayerID) {
	f.Retain()
	s.loop.tell(func() { s.start, s.id = f, id })
}

// Offer implements match.Seat.
func (s *Seat) Offer(f *match.Frame) {
	f.Retain()
	s.loop.tell(func() {
		if s.newest != nil {
			s.newest.Release()
		}
		s.newest = f
	})
}

// Kick implements match.Seat: the match is over, so that what the bot still thinks is of
// no use.
func (s *Seat) Kick(error) {
	if bot, ok := s.bot.(interrupter); ok {
		bot.Interrupt()
	}
}

// show shows the bot a frame, if there is one. A bot that fails leaves the match; one that
// panics ends nothing but itself, as if it were a process.
func (s *Seat) show(f *match.Frame) {
	if f == nil {
		return
	}
	defer f.Release()
	if s.err != nil {
		return
	}
	if p := panics.Catch(func() { s.err = s.play(f) }); p != nil {
		s.err = p
	}
	if s.err != nil {
		s.place.Leave(result.HungUp)
	}
}

// play passes a frame to the bot and its answer to the match.
func (s *Seat) play(f *match.Frame) error {
	switch f.Moment {
	case match.Started:
		t := &f.Table
		return s.bot.Start(netorcai.GameStarts{
			PlayerID: int(s.id), NbPlayers: t.Players, NbSpecialPlayers: t.Specials,
			NbTurnsMax:      t.Settings.Turns,
			BeforeFirstTurn: t.Settings.DelayFirst, BetweenTurns: t.Settings.DelayTurns, State: f.State,
		})
	case match.Ended:
		s.bot.End(netorcai.GameEnds{WinnerPlayerID: int(f.Winner), State: f.State})
		return nil
	}
	began := time.Now()
	actions, err := s.bot.Turn(netorcai.Turn{Number: f.Turn, State: f.State, PlayersInfo: emptyList})
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
	a := &s.answers[s.turns%len(s.answers)]
	s.turns++
	a.actions = append(a.actions[:0], list...)
	s.place.Answer(f.Turn, a.actions, s.debug(a), took)
	return nil
}

// debug returns what the bot shows beside its answer, nil for nothing.
func (s *Seat) debug(a *answer) []byte {
	bot, ok := s.bot.(netorcai.Debugger)
	if !ok {
		return nil
	}
	d := bot.Debug()
	a.debug = netorcai.AppendDebug(a.debug[:0], &d)
	if len(a.debug) == 0 || netorcai.CheckDebug(a.debug) != nil { // as over a wire
		return nil
	}
	return a.debug
}

// errNoList is what a client of a wire is told before its match hears of the answer.
var errNoList = errors.New("the actions are not a JSON array")

var emptyList = []byte("[]")
