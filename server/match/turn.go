package match

import (
	"slices"
	"time"

	"github.com/hexarena/hexarena/engine"
)

// Answer is one player's input for a turn, with the time that it took. Took is the
// input's Micros before rounding.
type Answer struct {
	engine.Input
	Took time.Duration
	// JSON that the player shows beside its actions, if the input is Valid; the rules do not see
	// it; may be nil
	Debug []byte
}

// Debug is called in the match's goroutine with JSON that a player shows beside its actions for a
// TURN. It must not keep debug.
type Debug func(p engine.PlayerID, turn int, debug []byte)

// turn holds the answers that arrive while the players think. Its slices are
// reused from turn to turn.
type turn struct {
	await   engine.PlayerSet
	askedAt time.Time         // when the players were asked
	awaited []engine.PlayerID // players of await that were connected when the turn began
	answers []Answer          // in order of arrival
	played  []Answer          // of the previous turn, in the order applied
	inputs  []engine.Input    // the same, for the rules
	gone    []engine.PlayerID // players whose leaving ended the turn
	late    []Answer          // arrived after their player's time was over, for the next turn
	held    bool              // the turn would be over, but waits for players that may reconnect
}

// put adds an answer to a list. As in netorcai, the second answer of a player within one
// turn is appended, and the answer that was last moves to the place of the first.
func put(answers []Answer, a Answer) []Answer {
	for i := range answers {
		if answers[i].Player == a.Player {
			last := len(answers) - 1
			answers[i] = answers[last]
			answers[last] = a
			return answers
		}
	}
	return append(answers, a)
}

// awaits reports whether the current turn still waits for p.
func (m *Match) awaits(p *Place) bool {
	return m.phase == asking && p.Connected && p.Role != Visualization &&
		m.turn.await.Has(p.ID) && p.answered < m.asked() && !(p.Person && m.inPast()) &&
		!m.lapsed(p.ID)
}

// asked returns the number of the newest TURN.
func (m *Match) asked() int { return m.turns - 1 }

// answer handles a player's answer. An answer to an older TURN counts among the
// actions of the current turn, but the turn still waits for the player. An answer
// that arrives while the referee plays a turn belongs to the next one.
func (m *Match) answer(e event) {
	p := e.place
	if !p.Connected {
		return
	}
	awaited := m.awaits(p) && e.turn == m.asked()
	p.answered = e.turn
	took := e.took
	switch {
	case p.Untimed:
		took = 0 // the time at a breakpoint says nothing, and must not run off a clock of the rules
	case awaited && m.turn.await != engine.Everyone:
		// The player's clock also runs while its TURN waits for an answer to an older one.
		took = e.at.Sub(m.turn.askedAt)
	}
	if m.opts.Debug != nil && e.debug != nil {
		m.opts.Debug(p.ID, e.turn, e.debug)
		e.debug = nil
	}
	a := Answer{
		Input: engine.Input{
			Player: p.ID, Turn: e.turn, Actions: e.actions, Valid: true, Prepared: e.ready,
			Micros: took.Microseconds(),
		},
		Took: took, Debug: e.debug,
	}
	if m.phase == asking && p.missed == m.asked() {
		m.turn.keepLate(a)
		return
	}
	m.turn.answers = put(m.turn.answers, a)
	if awaited {
		m.apply(m.pace.Answered(e.at, p.ID))
	}
}

// play passes the turn's answers to the referee.
func (m *Match) play() {
	m.showTurn()
	t := &m.turn
	if m.opts.Order == Seeded {
		m.shuffler.sort(m.opts.Seed, m.turns, t.answers)
	}
	if m.phase == asking {
		m.addLapses()
	}
	m.recall()
	t.played, t.answers = t.answers, append(t.played[:0], t.late...)
	t.late = t.late[:0]
	t.inputs = t.inputs[:0]
	for i := range t.played {
		t.inputs = append(t.inputs, t.played[i].Input)
	}
	m.phase = judging
	if o, done := m.opts.Referee.Play(t.inputs); done {
		m.judged(o)
	}
}

// addLapses adds an empty input for each player that owes an answer.
func (m *Match) addLapses() {
	t := &m.turn
	m.roster.competitors(func(p *Place) {
		if slices.Contains(t.gone, p.ID) {
			t.answers = append(t.answers,
				Answer{Input: engine.Input{Player: p.ID, Turn: m.asked(), Lapse: engine.Gone}})
			return
		}
		// with gone, p still had time when another player left
		if !t.await.Has(p.ID) || p.answered == m.asked() && p.missed != m.asked() || len(t.gone) > 0 {
			return
		}
		why := engine.TimedOut
		if !p.Connected && p.missed != m.asked() {
			why = p.lapse
		}
		t.answers = append(t.answers,
			Answer{Input: engine.Input{Player: p.ID, Turn: m.asked(), Lapse: why}})
	})
}

// judged handles an outcome of the referee.
func (m *Match) judged(o Outcome) {
	if o.Err != nil {
		m.stop(o.Err)
		return
	}
	m.last = o.Result
	if m.phase == initializing {
		m.started()
		return
	}
	m.turns++
	if o.Over || m.cut || m.turns >= m.table.Settings.Turns {
		m.ended()
	} else {
		m.startTurn()
	}
}

// startTurn broadcasts the current state and starts waiting for the players' answers.
func (m *Match) startTurn() {
	now := time.Now()
	m.phase = asking
	t := &m.turn
	t.await, t.askedAt, t.held = m.last.Await, now, false
	t.awaited, t.gone = t.awaited[:0], t.gone[:0]
	m.roster.competitors(func(p *Place) {
		if m.awaits(p) {
			t.awaited = append(t.awaited, p.ID)
		}
	})
	if m.newest != nil {
		m.newest.Release()
	}
	m.newest = m.newFrame(Turned)
	if m.repace {
		m.pace, m.repace = succeed(m.pace, m.opts.Pace(m.settings)), false
	}
	next := m.pace.Asked(now, t.awaited)
	m.offerPlayers(m.newest)
	m.setShown(m.newest, now)
	if next.Headroom > 0 {
		m.headroom.Reset(next.Headroom)
	} else {
		m.showTurn()
	}
	m.apply(m.holdForReconnect(next))
	m.endIfGone()
}

// endIfGone ends a turn that awaits some of the players if another player has left,
// in a match in which the rules are to judge that at once.
func (m *Match) endIfGone() {
	if !m.opts.LeaveEnds || m.phase != asking || m.turn.await == engine.Everyone {
		return
	}
	t := &m.turn
	t.gone = t.gone[:0]
	m.roster.competitors(func(p *Place) {
		if !p.Connected && !t.await.Has(p.ID) {
			t.gone = append(t.gone, p.ID)
		}
	})
	if len(t.gone) > 0 {
		m.apply(Decision{End: true})
	}
}

// offerPlayers sends a frame to the players and special players.
func (m *Match) offerPlayers(f *Frame) {
	m.roster.competitors(func(p *Place) {
		if p.Connected {
			p.seat.Offer(f)
		}
	})
}

// setShown sets the turn that showTurn is to show.
func (m *Match) setShown(f *Frame, now time.Time) {
	m.shown = Play{
		Step: m.turns, Answers: m.turn.played, Result: m.last, Frame: f, At: now, referee: m.opts.Referee,
	}
	m.unshown = true
}

// showTurn sends the newest turn to the spectators and tells the watchers of it,
// unless it has done so. In a turn with headroom it runs some time after the players
// got theirs, but before anything else happens in the match: before clients join or
// leave, before settings change and before the next turn is played.
func (m *Match) showTurn() {
	if !m.unshown {
		return
	}
	m.unshown = false
	m.headroom.Stop()
	for _, p := range m.roster[Visualization] {
		if p.Connected {
			p.seat.Offer(m.shown.Frame)
		}
	}
	for _, w := range m.opts.Watchers {
		w.Played(&m.shown)
	}
}

// ended broadcasts the final state. The line in the log comes first, before any
// client can know.
func (m *Match) ended() {
	now := time.Now()
	if m.opts.Ends != nil {
		m.opts.Ends()
	}
	line := m.opts.Log.Info()
	won := func(s SeatInfo) bool { return s.ID == m.last.Winner }
	if i := slices.IndexFunc(m.table.Seats, won); i >= 0 {
		w := m.table.Seats[i]
		line = line.Int("winner_player_id",
			int(w.ID)).Str("winner_nickname", w.Nickname).Str("winner_address", w.Remote)
	}
	line.Msg("Game is finished")
	f := m.newFrame(Ended)
	m.offerPlayers(f)
	m.setShown(f, now)
	m.showTurn()
	f.Release()
	m.finish(nil, ErrFinished)
}
