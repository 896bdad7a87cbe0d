package sim

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/match"
)

// observer is told what happens in a match, and reports what must not: a state that is not the
// model's, an answer that is not the player's, a turn that is too short or too long, a seat
// that is given twice or too late.
type observer struct {
	*World
	plan   *plan
	name   string // of the match
	server *generation
	series match.Series // of the match, which games on request have not
	seed   uint64       // of the match
	listed int          // seats of bots that the server seats, which come first
	stayed []*child     // that run when the match is opened

	mu       sync.Mutex // guards all below: guests ask whether they may come back
	slow     judge
	settings match.Settings
	seats    []match.SeatInfo         // connected, before the start; of all players by id, after it
	left     []time.Time              // when the player with the id left
	viewers  int                      // connected
	changed  time.Time                // when the last player joined or left
	opened   time.Time                // the match
	waited   time.Duration            // for its start
	began    time.Time                // the turn
	length   time.Duration            // of the turn, if time alone ends it
	complete bool                     // all players were connected since the turn before
	awaited  map[engine.PlayerID]bool // when the turn began
	// took its seat since the turn began, and may have no time left to answer
	late    map[engine.PlayerID]bool
	budget  time.Duration // of the player that is awaited alone
	started bool
	ended   bool
}

// observe returns what observes a match.
func (w *World) observe(p *plan, name string, server *generation) *observer {
	o := &observer{
		World: w, plan: p, name: name, server: server, settings: p.settings(), opened: time.Now(),
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.observers = append(w.observers, o)
	return o
}

// expect reports a violation unless ok is true, or the server is gone.
func (o *observer) expect(ok bool, format string, args ...any) {
	if !ok && !o.server.gone() {
		o.violate(o.name+": "+format, args...)
	}
}

// Joined implements match.Watcher.
func (o *observer) Joined(s match.SeatInfo, role match.Role) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.changed = time.Now()
	o.expect(o.seat(o.addressOf(s), o.name), "%s at %s gets another seat", s.Nickname, s.Remote)
	o.startedBot(s)
	switch {
	case role == match.Visualization:
		o.viewers++
		o.expect(o.viewers <= o.settings.Visus, "%d visualizations have seats", o.viewers)
	case !o.started:
		for _, other := range o.seats {
			o.expect(s.Key == "" || s.Key != other.Key, "%s and %s have seats with one token", s.Nickname,
				other.Nickname)
		}
		o.seats = append(o.seats, s)
		o.expect(len(o.seats) <= o.settings.Players, "%d players have seats", len(o.seats))
	default:
		o.complete = false
		o.back(s)
	}
}

// back checks the return of a player.
func (o *observer) back(s match.SeatInfo) {
	if s.ID < 0 || int(s.ID) >= len(o.seats) {
		o.expect(false, "%s comes as player %d", s.Nickname, s.ID)
		return
	}
	was, away := o.seats[s.ID], time.Since(o.left[s.ID])
	o.expect(!was.Connected, "%s at %s gets the seat of %s, who is there", s.Nickname, s.Remote,
		was.Nickname)
	o.expect(s.Key == was.Key, "%s gets the seat of %s, who has another token", s.Nickname,
		was.Nickname)
	slow := o.plan.trouble.Slow > 0 // so that the match hears of both at once
	o.expect((away > 0 || s.Key != "" || slow) && away <= o.plan.grace, "%s comes back after %v",
		s.Nickname, away)
	same := hostOf(was.Remote) == hostOf(s.Remote)
	if o.plan.usurps() && o.server.computer.botAt(s.Remote) != "" {
		same = true // its seat had been taken by a client that came in time
	}
	o.expect(was.Nickname == s.Nickname && same, "%s at %s gets the seat of %s at %s", s.Nickname,
		s.Remote, was.Nickname, was.Remote)
	o.seats[s.ID] = s
	o.late[s.ID] = true
	o.starts(&s)
}

// addressOf returns the address of a player, which no other player in the world has.
func (o *observer) addressOf(s match.SeatInfo) string {
	if isBuiltin(s.Remote) || strings.HasPrefix(s.Nickname, "absent ") { // which have no connection
		return fmt.Sprint(o.name, " ", s.Remote, " ", s.Number)
	}
	return s.Remote
}

// isBuiltin reports whether an address is that of a bot in the server's process.
func isBuiltin(remote string) bool {
	return remote == "here" || strings.HasPrefix(remote, "seat ") && !strings.Contains(remote, ":")
}

// hostOf returns the host of an address, which pipes do not have.
func hostOf(address string) string { return address[:max(0, strings.LastIndexByte(address, ':'))] }

// Left implements match.Watcher.
func (o *observer) Left(s match.SeatInfo, role match.Role) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.changed = time.Now()
	o.expect(o.unseat(o.addressOf(s), o.name), "%s at %s leaves a seat that it does not have",
		s.Nickname, s.Remote)
	switch {
	case role == match.Visualization:
		o.viewers--
	case !o.started:
		o.seats = slices.DeleteFunc(o.seats,
			func(other match.SeatInfo) bool { return other.Remote == s.Remote })
	default:
		o.complete = false
		o.seats[s.ID], o.left[s.ID] = s, time.Now()
	}
}

// Started implements match.Watcher.
func (o *observer) Started(f *match.Frame) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.expect(!o.started, "it starts twice")
	o.expect(len(f.Table.Seats) == len(o.seats), "it starts with %d of %d players", len(f.Table.Seats),
		len(o.seats))
	o.started, o.began = true, time.Now()
	o.waited = o.began.Sub(o.opened)
	o.awaited, o.late = map[engine.PlayerID]bool{}, map[engine.PlayerID]bool{}
	o.seats, o.left = slices.Clone(f.Table.Seats), make([]time.Time, len(f.Table.Seats))
	for i := range o.seats {
		o.starts(&o.seats[i])
	}
	o.slow = o.plan.newJudge(o.World, len(o.seats))
	o.compare(f.State)
}

// compare compares a state with the model's.
func (o *observer) compare(state []byte) {
	err := o.slow.differs(state)
	o.expect(err == nil, "after turn %d %v", o.slow.turn(), err)
}

// Played implements match.Watcher.
func (o *observer) Played(p *match.Play) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.expect(o.started && !o.ended, "turn %d is played outside of the match", p.Step)
	o.expect(!p.At.Before(o.changed),
		"turn %d, which was over by then, is told after a player joined or left", p.Step)
	o.expect(p.Step == o.slow.turn()+1, "turn %d follows turn %d", p.Step, o.slow.turn())
	var inputs []engine.Input
	for i := range p.Answers {
		inputs = append(inputs, p.Answers[i].Input)
	}
	o.slow.step(inputs)
	o.expect(p.Result.Winner == o.slow.winner(), "player %d leads, want %d", p.Result.Winner,
		o.slow.winner())
	refused, known := o.slow.refused()
	o.expect(!known || slices.Equal(p.Result.Refused, refused), "refused are %v, want %v",
		p.Result.Refused, refused)
	o.compare(p.Frame.State)
	if p.Step > 1 { // no player is asked before
		for id := range o.seats {
			o.inputs(p, engine.PlayerID(id))
		}
		o.pace(p)
	}
	if duel, ok := o.slow.(*duelJudge); ok {
		o.budget = duel.budget(o.plan.thinking)
	}
	clear(o.late)
	for id := range o.seats {
		o.awaited[engine.PlayerID(id)] = o.slow.awaits(engine.PlayerID(id))
	}
	o.began, o.complete = p.At, !slices.ContainsFunc(o.seats,
		func(s match.SeatInfo) bool { return !s.Connected })
	o.length = time.Duration(o.settings.DelayTurns * float64(time.Millisecond))
}

// inputs checks the inputs of a player: it has answers to the turn that it sent, or a lapse. An
// honest one has one answer.
func (o *observer) inputs(p *match.Play, id engine.PlayerID) {
	s, asked, answers, lapses := &o.seats[id], p.Step-2, 0, 0
	guest := o.guestAt(playerOf(s.Remote))
	honest := strings.HasPrefix(guest, "honest") || isBuiltin(s.Remote)
	for i := range p.Answers {
		in := &p.Answers[i]
		if in.Player != id {
			continue
		}
		o.expect(in.Turn <= asked && in.Turn >= 0, "%s answers turn %d in turn %d", s.Nickname, in.Turn,
			asked)
		if in.Lapse != engine.Answered {
			lapses++
			left := !s.Connected && o.plan.logic == "" // and not while the game logic was asked
			o.expect(in.Lapse != engine.TimedOut || !left, "%s, who is gone, is late in turn %d", s.Nickname,
				in.Turn)
			continue
		}
		if in.Turn == asked {
			answers++
		}
		// who had the seat in that turn
		others := strings.HasPrefix(guest, "garbled") || isBuiltin(s.Remote) || o.plan.usurps()
		o.expect(others || o.sent(guest, in.Turn, in.Actions), "%s did not send %s in turn %d",
			s.Nickname, in.Actions, in.Turn)
	}
	if !o.awaited[id] || o.plan.duel && o.leaves(p, id) {
		return
	}
	o.expect(min(answers, 1)+lapses == 1, "%s has %d answers and %d lapses in turn %d", s.Nickname,
		answers, lapses, asked)
	o.expect(!honest || answers == 1 || o.late[id], "%s has %d answers in turn %d", s.Nickname,
		answers, asked)
}

// leaves reports whether a turn ended since a player other than the awaited one has left.
func (o *observer) leaves(p *match.Play, awaited engine.PlayerID) bool {
	return slices.ContainsFunc(p.Answers,
		func(a match.Answer) bool { return a.Player != awaited && a.Lapse == engine.Gone })
}

// pace checks when a turn ended.
func (o *observer) pace(p *match.Play) {
	took := p.At.Sub(o.began)
	if o.plan.duel {
		o.clock(p, took)
		return
	}
	if o.plan.trouble.Slow > 0 || o.plan.logic != "" {
		return // the match waits for the disk, or for the game logic
	}
	if o.plan.delay > 0 {
		o.expect(took == o.length, "turn %d takes %v, want %v", p.Step, took, o.length)
		return
	}
	if !slices.ContainsFunc(o.seats, func(s match.SeatInfo) bool { return s.Connected }) {
		for _, left := range o.left {
			o.expect(!left.Add(o.plan.grace).After(p.At),
				"turn %d ends although all are gone and one may come back", p.Step)
		}
	}
	late := slices.ContainsFunc(p.Answers,
		func(a match.Answer) bool { return a.Lapse == engine.TimedOut })
	// until a player came back, whose time was over by then
	held := !o.complete && o.plan.limit > 0 && took > o.plan.limit
	o.expect(!late || took == o.plan.limit || held,
		"turn %d ends after %v although not all have answered", p.Step, took)
	if o.complete && o.plan.limit > 0 {
		o.expect(took <= o.plan.limit, "turn %d takes %v, want at most %v", p.Step, took, o.plan.limit)
		o.expect(late || took < o.plan.limit, "turn %d waits for its limit although all have answered",
			p.Step)
	}
}

// clock checks when a turn ended in which one player was awaited: not before its time was up,
// unless it has answered, and not later.
func (o *observer) clock(p *match.Play, took time.Duration) {
	late := slices.ContainsFunc(p.Answers,
		func(a match.Answer) bool { return a.Lapse == engine.TimedOut })
	o.expect(!late || took >= o.budget, "turn %d is lost on time after %v of %v", p.Step, took,
		o.budget)
	if o.plan.trouble.Slow == 0 { // else the match waits for the disk
		o.expect(took <= max(o.budget, o.plan.floor), "turn %d takes %v, want at most %v", p.Step, took,
			o.budget)
	}
}

// Updated implements match.Watcher.
func (o *observer) Updated(s match.Settings) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.settings = s
}

// Ended implements match.Watcher.
func (o *observer) Ended(e *match.Ending) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.expect(!o.ended, "it ends twice")
	o.ended = true
	o.unseatAll(o.name)
	if e.Err == nil {
		o.expect((e.Steps == o.plan.turns || o.slow.over()) &&
			e.Winner == o.slow.winner(), "it ends after turn %d of %d, won by %d, want %d",
			e.Steps, o.plan.turns, e.Winner, o.slow.winner())
	}
}

// begun reports whether the match has started.
func (o *observer) begun() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.started
}

// mayReturn reports whether a player that asked for its seat at an instant has to get it now.
func (o *observer) mayReturn(name string, asked time.Time) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.started || o.ended || o.server.gone() {
		return false
	}
	mine := 0
	may := false
	for id, s := range o.seats {
		if o.guestAt(s.Remote) == name {
			mine++
			// of a bot that was started
			usurped := strings.HasPrefix(s.Key, "seat ") && o.server.computer.botAt(s.Remote) == ""
			may = !usurped && !s.Connected && o.left[id].Before(asked) &&
				time.Since(o.left[id]) <= o.plan.grace
		}
	}
	return mine == 1 && may
}
