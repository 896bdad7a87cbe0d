package cup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/result"
	"github.com/hexarena/hexarena/server/seat"
	"github.com/hexarena/hexarena/server/seat/direct"
	"github.com/hexarena/hexarena/server/seat/seating"
)

// played is a match that was played.
type played struct {
	plan.Match
	unstarted []bool // the seats whose bots were not started
	slot      int    // of processors, that it has while it is played
	outputs   string // the folder of what bots print; empty: it is not kept
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
		room, pace, err := l.playOnce(ctx, p, forfeits, alone)
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
		p.entry = l.entryOf(m, report, forfeits, pace)
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
) (*host.Result, *Waiting, error) {
	c, m := l.contest, &p.Match
	board := l.board(m)
	alternates := board.Budget != nil
	pace := NewWaiting(cmp.Or(c.TurnTimeout, noLimit), 0, len(m.Bots))
	delay := 0.0
	if !alternates {
		delay = float64(c.Delay) / float64(time.Millisecond)
	}
	turns := cmp.Or(board.Turns, c.Turns)
	if turn {
		turns = 1
	}
	spec := host.Spec{
		Name: c.Game.Name, Game: board, Logic: c.logic(), GameTimeout: c.GameTimeout, Seed: m.Seed,
		Order: match.Seeded, InOrder: true, LeaveEnds: alternates,
		Settings: match.Settings{
			Turns: turns, Players: len(m.Bots), DelayFirst: delay, DelayTurns: delay,
		},
		Pace:    func(match.Settings) match.Pace { return pace },
		Private: l.private, Digest: true, Seats: l.seats(p, forfeits),
		Labels: map[string]string{"series": l.series, "match": strconv.Itoa(m.K + 1)},
		Extra:  map[string]string{"order": "seeded", "turn_timeout": c.TurnTimeout.String()},
		Bots: seating.Options{
			Options: direct.Options{Builtin: c.builtin, Patience: c.TurnTimeout, Shared: true},
			HTTTX:   c.Game.BotAPI, Fill: &seating.Once{NeedAll: true, Strict: true},
			Launch: seating.Launch{Timeout: c.StartTimeout, Env: c.Env, Isolate: c.Isolate},
		},
	}
	if alternates {
		spec.Pace = match.PaceSpec{Budget: board.Budget}.Pace
	}
	room, err := l.host.Start(ctx, spec)
	if err != nil {
		return nil, nil, err
	}
	ended := room.Wait()
	return &ended, pace, nil
}

// noLimit is the time for a turn of a match without a limit: a year.
const noLimit = 365 * 24 * time.Hour

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
		list[i].Label, list[i].Seed, list[i].OneMatch = e.Name, l.schedule.BotSeed(p.K, i), l.contest.OneMatch || l.oneMatch[bot]
		list[i].HashSeed = l.hashSeed
		list[i].Cores = l.cores.of(p.slot, i)
		if p.outputs != "" {
			list[i].Log = outputFile(p.outputs, i)
		}
	}
	seat.SetLabels(list)
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
	m plan.Match, report *result.Report, forfeits []string, pace *Waiting,
) entry {
	n := len(m.Bots)
	row := &results.Row{
		K: m.K, Seed: m.Seed, Map: l.contest.Plan.Maps[m.Map].Name, Bots: make([]string, n),
		Scores: make([]int64, n), Refused: make([]int, n), Forfeits: slices.Clone(forfeits),
	}
	var times []seatTimes
	for i, bot := range m.Bots {
		row.Bots[i] = l.contest.Entrants[bot].Name
		if report != nil && forfeits[i] == "" {
			times = append(times, timesOf(m.K, i, row.Bots[i], &report.Seats[i]))
		}
	}
	Fill(row, report, pace)
	return entry{row: row, times: times}
}

// Fill completes a row of a match whose bots are known by what came of its seats. Forfeits that the
// row has already stay. Without a report the match was not played.
func Fill(row *results.Row, report *result.Report, pace *Waiting) {
	for i := range row.Bots {
		if report == nil {
			break
		}
		s := &report.Seats[i]
		if len(s.Counts) > 0 {
			row.Scores[i] = s.Counts[0].Value
		}
		if row.Forfeits[i] != "" {
			continue
		}
		row.Refused[i] = s.RefusedTotal()
		row.Forfeits[i] = forfeit(s.Status)
		if row.Forfeits[i] == "" && s.ID != engine.NoPlayer && pace.Hung(s.ID) {
			row.Forfeits[i] = results.Hung
		}
	}
	row.Rank()
	if report != nil {
		row.Digest = shortened(report.Digest)
	}
}

// shortened returns the first 64 bits of a match's digest. That is a SHA-256 sum of all states:
// what the accepted actions of a turn change is in the state after it.
func shortened(digest string) results.Digest {
	n, err := strconv.ParseUint(digest[:min(16, len(digest))], 16, 64)
	if err != nil {
		return 0 // the match ended before it began
	}
	return results.Digest(n)
}
