package match

import (
	"slices"
	"time"

	"github.com/hexarena/hexarena/engine"
)

// Answer is one player's part of a turn, and how long it took the player: Took is
// the input's Micros, not rounded.
type Answer struct {
	engine.Input
	Took  time.Duration
	Debug []byte // JSON, if the input is Valid, that the player shows beside its actions; no part of the rules; nil: none
}

// turn is what is gathered while the players think. Its slices are used again
// and again.
type turn struct {
	await   engine.PlayerSet
	askedAt time.Time         // when the players were asked
	awaited []engine.PlayerID // of these, who was there when the turn began
	answers []Answer          // by arrival
	played  []Answer          // of the turn before, in the order applied
	inputs  []engine.Input    // the same, for the rules
	gone    []engine.PlayerID // whose leaving ended the turn
	held    bool              // it would be over, but waits for those who may come back
}

// put takes an answer in. As in netorcai, the second answer of a player who
// was late takes the last place, and what stood there moves to the first's.
func (t *turn) put(a Answer) {
	for i := range t.answers {
		if t.answers[i].Player == a.Player {
			last := len(t.answers) - 1
			t.answers[i] = t.answers[last]
			t.answers[last] = a
			return
		}
	}
	t.answers = append(t.answers, a)
}

// awaits says whether the turn under way still waits for p.
func (m *Match) awaits(p *Place) bool {
	return m.phase == asking && p.Connected && p.Role != Visualization &&
		m.turn.await.Has(p.ID) && p.answered < m.asked()
}

// asked is the number of the newest TURN.
func (m *Match) asked() int { return m.turns - 1 }

// answer takes in what a player sent. An answer to an older TURN counts among
// the actions of this turn, but the turn goes on waiting for the player. What
// comes while the referee judges belongs to the next turn.
func (m *Match) answer(e event) {
	p := e.place
	if !p.Connected {
		return
	}
	awaited := m.awaits(p) && e.turn == m.asked()
	p.answered = e.turn
	took := e.took
	if awaited && m.turn.await != engine.Everyone {
		// Its clock runs while the TURN waits for an answer to an older one.
		took = e.at.Sub(m.turn.askedAt)
	}
	m.turn.put(Answer{
		Input: engine.Input{Player: p.ID, Turn: e.turn, Actions: e.actions, Valid: true, Prepared: e.ready, Micros: took.Microseconds()},
		Took:  took, Debug: e.debug,
	})
	if awaited {
		m.obey(m.pace.Answered(e.at, p.ID))
	}
}

// play hands the turn to the referee.
func (m *Match) play() {
	t := &m.turn
	if m.order == Seeded {
		m.lots.sort(m.seed, m.turns, t.answers)
	}
	if m.phase == asking {
		m.addLapses()
	}
	t.played, t.answers = t.answers, t.played[:0]
	t.inputs = t.inputs[:0]
	for i := range t.played {
		t.inputs = append(t.inputs, t.played[i].Input)
	}
	m.phase = judging
	if o, done := m.referee.Play(t.inputs); done {
		m.judged(o)
	}
}

// addLapses adds an empty input for each player who owes an answer.
func (m *Match) addLapses() {
	t := &m.turn
	m.roster.competitors(func(p *Place) {
		if slices.Contains(t.gone, p.ID) {
			t.answers = append(t.answers, Answer{Input: engine.Input{Player: p.ID, Turn: m.asked(), Lapse: engine.Gone}})
			return
		}
		if !t.await.Has(p.ID) || p.answered == m.asked() || len(t.gone) > 0 { // it had time left when another one left
			return
		}
		why := engine.TimedOut
		if !p.Connected {
			why = p.lapse
		}
		t.answers = append(t.answers, Answer{Input: engine.Input{Player: p.ID, Turn: m.asked(), Lapse: why}})
	})
}

// judged takes in what the referee says.
func (m *Match) judged(o Outcome) {
	if o.Err != nil {
		m.stop(o.Err)
		return
	}
	m.last = o.Result
	if m.phase == setting {
		m.started()
		return
	}
	m.turns++
	if o.Over || m.turns >= m.table.Settings.Turns {
		m.ended()
	} else {
		m.askAll()
	}
}

// askAll shows everybody the board, and the players are to answer.
func (m *Match) askAll() {
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
		m.pace, m.repace = m.newPace(m.settings), false
	}
	next := m.pace.Asked(now, t.awaited)
	m.show(m.newest, next.Unheard == anyAnswers && next.Wake.Sub(now) > 10*headStart)
	m.tellPlayed(m.newest, now)
	m.obey(m.patient(next))
	m.endIfGone()
}

// endIfGone ends a turn that awaits some players when another one has left, where that
// is to be judged at once.
func (m *Match) endIfGone() {
	if !m.leaveEnds || m.phase != asking || m.turn.await == engine.Everyone {
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
		m.obey(Verdict{End: true})
	}
}

// headStart is how long the competitors have a TURN before the onlookers, of whom
// there may be hundreds, when a turn lasts long enough: what is written to these
// would keep the players' programs from the processor.
const headStart = time.Millisecond

// show shows everybody a frame, the competitors first.
func (m *Match) show(f *Frame, leisurely bool) {
	offer := func(p *Place) {
		if p.Connected {
			p.seat.Offer(f)
		}
	}
	m.roster.competitors(offer)
	if leisurely {
		time.Sleep(headStart)
	}
	for _, p := range m.roster.visus {
		offer(p)
	}
}

// ended shows everybody the last board. The log has the line before anybody can
// know.
func (m *Match) ended() {
	now := time.Now()
	line := m.log.Info()
	if i := slices.IndexFunc(m.table.Seats, func(s SeatInfo) bool { return s.ID == m.last.Winner }); i >= 0 {
		w := m.table.Seats[i]
		line = line.Int("winner_player_id", int(w.ID)).Str("winner_nickname", w.Nickname).Str("winner_address", w.Remote)
	}
	line.Msg("Game is finished")
	f := m.newFrame(Ended)
	m.show(f, false)
	m.tellPlayed(f, now)
	f.Release()
	m.finish(nil, ErrFinished)
}

func (m *Match) tellPlayed(f *Frame, now time.Time) {
	m.shown = Play{Step: m.turns, Answers: m.turn.played, Result: m.last, Frame: f, At: now, referee: m.referee}
	for _, w := range m.watchers {
		w.Played(&m.shown)
	}
}
