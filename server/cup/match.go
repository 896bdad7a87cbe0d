package cup

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/play"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/result"
	"github.com/hexarena/hexarena/server/seat"
	"github.com/hexarena/hexarena/server/seat/seating"
)

// played is a match that was played.
type played struct {
	plan.Match
	unstarted []bool     // the seats whose bots were not started
	times     match.Past // of the match that is played again
	slot      int        // of processors, that it has while it is played
	outputs   string     // the folder of what bots print; empty: it is not kept
	entry     entry
	recording string // its file; empty: it is not recorded
	err       error  // why it was not played; not because of a bot
}

// play plays a match. A bot that does not log in makes it begin again without that bot, whose seat
// then gives up, so that the others play on the board and in the places that they would have had.
// One that stayed without an answer makes it begin again, with that bot started for each match. A
// bot that is left alone is started as well, unless it has been already: only one that is there
// wins.
func (l *player) play(ctx context.Context, p *played) {
	m := p.Match
	forfeits := make([]string, len(m.Bots))
	for i, out := range p.unstarted {
		if out {
			forfeits[i] = results.Unstarted
		}
	}
	if p.err = l.guard.check(); p.err != nil {
		return
	}
	began := time.Now()
	l.lag.begin(m.K)
	defer l.lag.end(m.K)
	var absent []seatTimes // of bots that did not log in
	there := 0             // the seats before this one have bots that are there
	for {
		alone := present(forfeits) < 2
		if alone && (!slices.Contains(forfeits, results.Absent) || slices.Index(forfeits, "") < there) {
			p.entry = l.entryOf(m, nil, forfeits, nil)
			break
		}
		room, task, err := l.playOnce(ctx, p, forfeits, alone)
		if err != nil {
			p.err = fmt.Errorf("match %d was not played: %w", m.K, err)
			return
		}
		report := room.Report()
		refused, i := l.noteRefusals(&m, report), missing(report)
		if refused || i >= 0 {
			if p.err = removeRecording(room.Recording); p.err != nil {
				return
			}
		}
		if refused {
			continue
		}
		if i >= 0 {
			forfeits[i], there = results.Absent, max(there, i)
			absent = append(absent, timesOf(m.K, i, l.contest.Entrants[m.Bots[i]].Name, &report.Seats[i]))
			continue
		}
		if p.err = errors.Join(report.Err, room.RecordingErr); p.err != nil {
			p.err = fmt.Errorf("match %d: %w", m.K, p.err)
			return
		}
		if alone {
			p.err = removeRecording(room.Recording)
			p.entry = l.entryOf(m, nil, forfeits, nil)
			break
		}
		p.recording = room.Recording
		p.entry = l.entryOf(m, report, forfeits, task)
		break
	}
	p.err = errors.Join(p.err, l.guard.check())
	p.entry.times = append(p.entry.times, absent...)
	lag := l.lag.end(m.K)
	for i := range p.entry.times {
		t := &p.entry.times[i]
		t.Host, t.Started, t.Took, t.Lag = l.name, began, time.Since(began), lag
	}
}

// missing returns the first seat whose bot had no part in the match, or -1. If a bot does not log
// in, no more are started, and the match does not begin; one that has logged in may be gone when it
// begins.
func missing(r *result.Report) int {
	switch {
	case errors.Is(r.Err, seating.ErrMissing):
		return slices.IndexFunc(r.Seats,
			func(s result.SeatReport) bool { return s.Status == result.Absent })
	case r.Err == nil:
		return slices.IndexFunc(r.Seats,
			func(s result.SeatReport) bool { return s.ID == engine.NoPlayer })
	}
	return -1
}

// noteRefusals notes the bots that had stayed after an earlier match and left this one before they
// answered, and reports whether there are any: such a bot plays one match in each process, although
// it asks to stay, and is started for each from now on.
func (l *player) noteRefusals(m *plan.Match, report *result.Report) (any bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range report.Seats {
		if s := &report.Seats[i]; s.Resumed && s.Answers == 0 && s.Status != result.Held {
			l.oneMatch[m.Bots[i]], any = true, true
		}
	}
	return any
}

// present returns how many bots are not known to be missing.
func present(forfeits []string) (n int) {
	for _, kind := range forfeits {
		if results.TookPart(kind) {
			n++
		}
	}
	return n
}

// playOnce plays a match in which the bots that forfeit already give up at once, or only a turn of
// it.
func (l *player) playOnce(
	ctx context.Context, p *played, forfeits []string, turn bool,
) (*host.Result, *play.Task, error) {
	c := l.contest
	t := c.setup().Task(l.board(&p.Match), l.seats(p, forfeits), p.Seed)
	if turn {
		t.Settings.Turns = 1
	}
	t.Logic, t.GameTimeout, t.Private = c.logic(), c.GameTimeout, l.private
	t.Labels = map[string]string{"series": l.series, "match": strconv.Itoa(p.K + 1)}
	t.Extra = map[string]string{"order": "seeded", "turn_timeout": c.TurnTimeout.String()}
	t.Bots.Builtin, t.Bots.Fill = c.builtin, &seating.Once{NeedAll: true, Strict: true}
	t.Bots.Launch = seating.Launch{Timeout: c.StartTimeout, Env: c.Env, Isolate: c.Isolate}
	if p.times.TimesOnly {
		t.Past, t.Pace = p.times, match.PaceSpec{Budget: &match.Budget{Time: longestRepeat}}.Pace
	}
	room, err := l.host.Start(ctx, t.Spec)
	if err != nil {
		return nil, nil, err
	}
	ended := room.Wait()
	return &ended, t, nil
}

// longestRepeat is the time for an answer that is repeated, however busy the machine is: longer
// than a bot thinks that has not hung.
const longestRepeat = 10 * time.Minute

// seats describes the seats of a match.
func (l *player) seats(p *played, forfeits []string) []seat.Spec {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := make([]seat.Spec, len(p.Bots))
	for i, bot := range p.Bots {
		e := &l.contest.Entrants[bot]
		list[i] = e.Spec
		if forfeits[i] != "" {
			list[i] = seat.Spec{Kind: seat.Builtin, Builtin: givesUp}
		}
		list[i].Label, list[i].Seed = e.Name, l.schedule.BotSeed(p.K, i)
		list[i].OneMatch = l.contest.OneMatch || l.oneMatch[bot]
		list[i].HashSeed = l.hashSeed
		list[i].Cores = l.cores.of(p.slot, i)
		if p.outputs != "" {
			list[i].Log = outputFile(p.outputs, i)
		}
	}
	return list
}

// maxBoards bounds the boards that are kept ready: the choices of places of a few maps.
const maxBoards = 256

// board returns the game on the match's map, with each seat in its place.
func (l *player) board(m *plan.Match) games.Instance {
	board := l.contest.Boards[m.Map]
	if board.At == nil {
		return board
	}
	key := fmt.Sprint(m.Map, m.Places)
	l.mu.Lock()
	defer l.mu.Unlock()
	at, ok := l.boards[key]
	if !ok {
		if len(l.boards) >= maxBoards {
			clear(l.boards)
		}
		at = board.At(m.Places)
		l.boards[key] = at
	}
	return at
}

// entryOf returns what the log gets of a match. Without a report it was not played, since fewer
// than two bots were there.
func (l *player) entryOf(
	m plan.Match, report *result.Report, forfeits []string, task *play.Task,
) entry {
	bots := make([]string, len(m.Bots))
	var times []seatTimes
	for i, bot := range m.Bots {
		bots[i] = l.contest.Entrants[bot].Name
		if report != nil && forfeits[i] == "" {
			times = append(times, timesOf(m.K, i, bots[i], &report.Seats[i]))
		}
	}
	row := results.New(m.K, m.Seed, l.contest.Plan.Maps[m.Map].Name, bots)
	copy(row.Forfeits, forfeits)
	if report == nil {
		row.Rank()
	} else {
		task.Fill(row, report)
	}
	return entry{row: row, times: times}
}
