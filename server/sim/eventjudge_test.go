package sim

import (
	"bytes"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/event"
	"github.com/hexarena/hexarena/server/event/rounds"
	"github.com/hexarena/hexarena/server/event/state"
	"github.com/hexarena/hexarena/server/match"
)

// eventJudge knows what must hold in an event:
//
//   - The standings are what its logs amount to, by another, slower way to compute them.
//   - No team plays two matches at a time, and none twice in a round.
//   - A round begins as soon as it has to, and its matches end.
//   - No honest bot forfeits.
//   - After a crash the teams have their tokens, and all matches are there that were shown, each once.
//   - Another server would pair the next round as the one that ran.
type eventJudge struct {
	*World
	plan *eventPlan

	mu      sync.Mutex
	tokens  map[string]string // nicknames by token, of teams that were told
	honest  map[string]bool   // by nickname
	shown   *event.View       // at the last crash, unless an act was being written
	playing map[string]bool   // keys of teams that are in a match
	begun   int               // matches of the rounds that the server has begun
	ended   int               // those of them that are over
	played  int               // those of them that were played to their end
	had     int               // matches that the event had when the server began to run
	at      time.Time         // when the disk was last in trouble
}

func newEventJudge(w *World, p *eventPlan) *eventJudge {
	return &eventJudge{
		World: w, plan: p, tokens: map[string]string{}, honest: map[string]bool{},
		playing: map[string]bool{},
	}
}

// signedUp notes that a team was told its token.
func (j *eventJudge) signedUp(nick, token string, honest bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.tokens[token], j.honest[nick] = nick, honest
}

// crash notes what the event shows before its server crashes.
func (j *eventJudge) crash(w *eventWorld) {
	e, _ := w.now()
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.shown = nil; e != nil && w.quiet() {
		v := e.View()
		j.shown = &v
	}
}

// opened checks what a server has that has just begun to run.
func (j *eventJudge) opened(a *actor, e *event.Event) {
	j.mu.Lock()
	defer j.mu.Unlock()
	clear(j.playing)
	j.begun, j.ended, j.played, j.had = 0, 0, 0, e.View().Matches
	for token, nick := range j.tokens {
		login := netorcai.Login{Role: netorcai.RolePlayer, Nickname: "x", Token: token}
		if got, err := e.Login(login); err != nil || got.Nick != nick {
			a.violate("after a crash the token of %s is that of %q, %v", nick, got.Nick, err)
		}
	}
	j.compareFold(a, e)
	before, now := j.shown, e.View()
	if before == nil {
		return
	}
	if now.Matches < before.Matches || now.Rounds < before.Rounds || now.Paused != before.Paused ||
		len(now.Standings) < len(before.Standings) {
		a.violate("after a crash the event has %d matches, %d rounds, %d teams; it had %d, %d, "+
			"%d", now.Matches, now.Rounds, len(
			now.Standings),
			before.Matches, before.Rounds, len(before.Standings))
	}
	if now.Matches == before.Matches && now.Rounds == before.Rounds && len(now.Standings) == len(before.Standings) && !reflect.DeepEqual(now.Standings, before.Standings) {
		a.violate("after a crash the standings are %+v, were %+v", now.Standings, before.Standings)
	}
}

// compareFold compares the event with what its logs amount to.
func (j *eventJudge) compareFold(a *actor, e *event.Event) {
	f := foldEvent(a, a.storage.peek(eventDir+"/acts/log.ndjson"),
		a.storage.peek(eventDir+"/log.ndjson"))
	v := e.View()
	if got, want := eventLines(&v), f.lines(); got != want {
		a.violate("the event is\n%sits logs amount to\n%s", got, want)
	}
	for _, row := range f.rows {
		for seat, nick := range row.Bots {
			if kind := row.Forfeits[seat]; j.honest[nick] && kind != "" {
				a.violate("%s is said to have been %s in match %d", nick, kind, row.K+1)
			}
		}
	}
}

// late reports whether the disk was in trouble until a moment ago.
func (j *eventJudge) late() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return !j.at.IsZero() && time.Since(j.at) < lateRound
}

// over checks the event once it is over: that another server would go on in the same way and, with
// a disk that was well, that all matches have results.
func (j *eventJudge) over(a *actor, e *event.Event, whole bool) {
	// what failed to be written is gone after that
	if err := e.Note(&state.RoundsPaused{}); err != nil {
		a.violate("nothing can be written at the end: %v", err)
	}
	j.mu.Lock()
	j.compareFold(a, e)
	before := e.View()
	if whole && before.Matches != j.had+j.played {
		a.violate("%d matches were played, of which %d have results", j.played, before.Matches-j.had)
	}
	j.mu.Unlock()
	copied := NewStorage(a.seed)
	if err := copyFolder(a.storage, copied.Mount()); err != nil {
		a.violate("the event cannot be copied: %v", err)
		return
	}
	g := *a.newest()
	g.disk = copied.Mount()
	again, err := event.Open(j.plan.options(&g, nil))
	if err != nil {
		a.violate("the event does not open again: %v", err)
		return
	}
	defer again.Close()
	if now := again.View(); eventLines(&now) != eventLines(&before) {
		a.violate("the event is\n%swas\n%s", eventLines(&now), eventLines(&before))
	}
	var ready []int
	for i := range before.Standings {
		ready = append(ready, i)
	}
	one, err := e.Begin(ready, j.plan.near)
	other, failure := again.Begin(ready, j.plan.near)
	if err != nil || failure != nil {
		a.violate("no round begins at the end: %v, %v", err, failure)
		return
	}
	if one != nil && !reflect.DeepEqual(one.Matches, other.Matches) {
		a.violate("the next round is %v, and %v on another server", one.Matches, other.Matches)
	}
}

// copyFolder copies the logs, the plan and the secret of an event.
func copyFolder(from *Storage, to *Disk) error {
	for _, name := range []string{"acts/log.ndjson", "log.ndjson", "plan.json", "secret"} {
		name = path.Join(eventDir, name)
		f, err := to.Create(name)
		if err != nil {
			return err
		}
		if _, err := f.WriteAt(from.peek(name), 0); err != nil {
			return err
		}
	}
	return nil
}

// eventWatcher tells the judge of all matches of a server. It implements match.Watcher.
type eventWatcher struct {
	match.BaseWatcher
	judge *eventJudge
	of    *generation
}

func (j *eventJudge) watcher() *eventWatcher { return &eventWatcher{judge: j, of: j.newest()} }

// Started implements match.Watcher.
func (w *eventWatcher) Started(f *match.Frame) {
	j := w.judge
	if w.of.gone() {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	for i := range f.Table.Seats {
		if key := f.Table.Seats[i].Key; strings.HasPrefix(key, "team") {
			if j.playing[key] {
				j.violate("%s plays two matches at a time", key)
			}
			j.playing[key] = true
		}
	}
}

// Ended implements match.Watcher.
func (w *eventWatcher) Ended(e *match.Ending) {
	j := w.judge
	if w.of.gone() {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.ended++
	if e.Err == nil {
		j.played++
	}
	for i := range e.Seats {
		if e.Seats[i].ID != engine.NoPlayer {
			delete(j.playing, e.Seats[i].Key)
		}
	}
}

// delayed notes that rounds may have been delayed until now by the disk.
func (j *eventJudge) delayed() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.at = time.Now()
}

// Bounds of what a round waits for beside its interval and its matches.
const (
	lookTime  = 50 * time.Millisecond // of the inspector, between two looks
	lateRound = 2 * time.Second       // after the disk was in trouble, what failed is tried again
	joinTime  = 5 * time.Second       // for a bot that was ready and has just hung up
)

// inspect looks again and again whether a round is due that does not begin, or is not over in time.
func (j *eventJudge) inspect(a *actor, g *generation, e *event.Event, rounds *rounds.Rounds) {
	number := e.View().Rounds
	began, due := time.Now(), time.Now()
	for !g.gone() && !a.closing() {
		v := e.View()
		ready, all := rounds.Connected()
		j.mu.Lock()
		now, running := time.Now(), j.begun > j.ended
		if v.Rounds != number && v.Round != nil {
			number, began, due = v.Rounds, now, now
			j.begun += len(v.Round.Matches)
			running = true
		}
		trouble := v.Failure != nil || a.storage.inTrouble() || now.Sub(j.at) < lateRound
		if running || trouble || len(ready) < 2 || v.Paused || j.plan.start.Every == 0 && !all {
			due = now
		}
		if trouble {
			began = now
		}
		j.mu.Unlock()
		// The longest match is part of it: one that goes on after a crash has not begun in this
		// generation, so that it is not known to run.
		if now.Sub(due) > j.plan.start.Every+j.plan.longest+4*lookTime {
			a.violate("no round begins for %v although %d teams are ready", now.Sub(due), len(ready))
			return
		}
		if running && now.Sub(began) > j.plan.longest {
			a.violate("round %d lasts longer than %v", number, j.plan.longest)
			return
		}
		a.sleep(lookTime)
	}
}

// eventLines describes what a view says of an event.
func eventLines(v *event.View) string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%d matches, %d rounds, paused: %t\n", v.Matches, v.Rounds, v.Paused)
	list := slices.Clone(v.Standings)
	slices.SortFunc(list, func(a, b state.Standing) int { return a.Number - b.Number })
	for _, s := range list {
		fmt.Fprintf(&b, "%s, %q: %d matches, rank %d, %.6f, rests: %t\n", s.Nick, s.Name, s.Matches,
			s.Rank, s.Rating, s.Resting)
	}
	return b.String()
}
