package recording

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/match"
)

// Options say what to record of a match, and where.
type Options struct {
	Dir     string // made when needed
	Durable Durability
	Program string // that records, with its version
	// Game is the game that is played, nil if its rules are elsewhere. The
	// recorder reads its tallies in the match's goroutine.
	Game    engine.Game
	Map     []byte // JSON; nil: none
	MapName string // also in the file's name
	Seed    uint64
	Extra   map[string]string // options of the match, for whoever reads it
	// Describe says which bot called from an address; may be nil. It is asked
	// once, at the start of the match.
	Describe func(address string) Bot
	Printed  *Pages // what the bots that Describe names print; may be nil
	// Keeper bounds this recording and the others in the folder; nil: they are all
	// kept, and one has a bound that no usual match reaches.
	Keeper *Keeper
	// Complain is told, in the match's goroutine, why there is no recording or no
	// more of it, and with nil that it goes on, nothing lost. It may be nil.
	Complain func(error)
}

// Recorder writes the recording of one match. It implements match.Watcher.
type Recorder struct {
	opts Options

	// Owned by the match's goroutine.
	spool  *spool // nil: nothing is recorded, or not any more
	path   string
	err    error
	begun  time.Time
	turn   Turn
	counts []engine.Count
	names  int // figures of each player
	line   []byte
	summer summer
	size   int64           // of the lines
	full   bool            // it has its last line, and the match goes on
	winner engine.PlayerID // after the last turn in it, as is the reason
	reason string

	// What abridged turns have in place of what was sent and refused.
	short   []byte
	refused []engine.Refusal
}

// New makes a recorder for one match. The file is made when the match starts;
// whatever goes wrong then and later is told, and the match goes on. What a disk
// does not take is kept and tried again.
func New(o Options) *Recorder {
	return &Recorder{opts: o}
}

// Path is where the recording is, empty if there is none. It is to be asked for
// when the match is over.
func (r *Recorder) Path() string {
	if r.spool != nil {
		return r.spool.path()
	}
	return r.path
}

// Name returns the name of the file, without its folder; empty if there is none or r
// is nil. It is called in the match's goroutine.
func (r *Recorder) Name() string {
	if r == nil || r.Path() == "" {
		return ""
	}
	return filepath.Base(r.Path())
}

// Err is what went wrong, nil if nothing did. It is to be asked for when the
// match is over.
func (r *Recorder) Err() error { return r.err }

// Joined implements match.Watcher.
func (r *Recorder) Joined(match.SeatInfo, match.Role) {}

// Left implements match.Watcher. Of a player who comes back and leaves again in one
// turn the last time is told: the line must not grow with that.
func (r *Recorder) Left(s match.SeatInfo, role match.Role) {
	if r.spool == nil || role == match.Visualization || s.ID == engine.NoPlayer {
		return
	}
	again := func(d Departure) bool { return d.Player == s.ID }
	if i := slices.IndexFunc(r.turn.Left, again); i >= 0 {
		r.turn.Left = slices.Delete(r.turn.Left, i, i+1)
	}
	r.turn.Left = append(r.turn.Left, Departure{s.ID, s.Reason})
}

// Started implements match.Watcher.
func (r *Recorder) Started(f *match.Frame) {
	r.begun = time.Now()
	h := r.header(f)
	r.names = len(h.Counts)
	line, err := appendJSONLine(nil, h)
	if err != nil {
		r.fail(err)
		return
	}
	r.line = line
	r.turn.Winner = engine.NoPlayer
	r.note(f, time.Time{})
	// Only now, so that a kill hardly ever finds an empty file.
	r.spool = &spool{
		create: func() (*file, error) {
			f, err := create(r.opts.Dir, fileName(h), r.opts.Durable)
			if err == nil {
				r.opts.Keeper.opened(f.Name())
			}
			return f, err
		},
		tell: r.tell, step: -1,
	}
	r.winner = f.Winner
	r.write()
}

func (r *Recorder) header(f *match.Frame) *Header {
	t := &f.Table
	h := &Header{
		Format: formatVersion, Program: r.opts.Program, Started: r.begun.UTC().Round(time.Millisecond), Rules: External,
		Players: t.Players, Specials: t.Specials, Turns: t.Settings.Turns, Seed: r.opts.Seed,
		DelayFirst: t.Settings.DelayFirst, DelayTurns: t.Settings.DelayTurns,
		Options: r.opts.Extra, MapName: r.opts.MapName, Map: r.opts.Map, Counts: []string{},
	}
	if g := r.opts.Game; g != nil {
		h.Rules = g.Rules()
		for _, c := range g.AppendTally(nil, 0) {
			h.Counts = append(h.Counts, c.Name)
		}
	}
	for i := range t.Seats {
		s := &t.Seats[i]
		seat := Seat{Nickname: s.Nickname, Address: s.Remote, Special: s.Role == match.Special}
		if r.opts.Describe != nil {
			seat.Bot = r.opts.Describe(s.Remote)
		}
		r.opts.Printed.Seat(seat.Label, engine.PlayerID(i))
		h.Seats = append(h.Seats, seat)
	}
	return h
}

// Played implements match.Watcher.
func (r *Recorder) Played(p *match.Play) {
	if r.spool == nil || r.full {
		return
	}
	t := &r.turn
	t.Step = p.Step
	t.Inputs = t.Inputs[:0]
	for i := range p.Answers {
		a := &p.Answers[i]
		t.Inputs = append(t.Inputs, Input{Input: a.Input, Took: a.Took, Debug: a.Debug, sum: r.summer.sum(&a.Input)})
	}
	t.Refused, t.Winner = p.Result.Refused, p.Result.Winner
	r.abridge()
	r.line = r.line[:0]
	r.note(p.Frame, p.At)
	clear(t.Inputs) // what is not ours must not be kept
	t.Refused = nil
	r.write()
	r.winner, r.reason = p.Result.Winner, p.Result.Reason
}

// note completes the turn, over at a time, with the board that it led to, and
// appends it to what stands in the line already.
func (r *Recorder) note(f *match.Frame, over time.Time) {
	t := &r.turn
	t.At = time.Since(r.begun)
	t.Printed = r.opts.Printed.At(t.Step, over)
	t.Digest = digestOf(f.State)
	t.Tally = t.Tally[:0]
	if g := r.opts.Game; g != nil {
		for p := range f.Table.Seats {
			r.counts = g.AppendTally(r.counts[:0], engine.PlayerID(p))
			for _, c := range r.counts {
				t.Tally = append(t.Tally, c.Value)
			}
		}
	} else {
		t.State = f.State
	}
	r.line = appendTurnLine(r.line, t, r.names)
	t.State = nil
	t.Left = t.Left[:0]
}

// write writes the line.
func (r *Recorder) write() {
	t := &r.turn
	var err error
	switch most := r.opts.Keeper.most(); {
	case len(r.line) > maxLine:
		err = fmt.Errorf("turn %d takes %d MiB, and %d is the most", t.Step, len(r.line)>>20, maxLine>>20)
	case t.Step > 0 && r.size+int64(len(r.line)) > most:
		err = r.fill(&fullError{most})
	default:
		err = r.spool.append(t.Step, r.line)
		r.size += int64(len(r.line))
		r.opts.Keeper.wrote(len(r.line))
	}
	if err != nil {
		r.fail(err)
	}
}

// fill ends the recording before the turn that does not fit. It is packed when the match
// is over, which has no time for that now.
func (r *Recorder) fill(why error) error {
	r.full = true
	last := r.turn.Step - 1
	err := r.appendEnd(End{Turns: last, Winner: r.winner, Reason: r.reason, Error: why.Error(), Cut: true})
	if err == nil {
		r.tell(fmt.Errorf("the recording %s ends with turn %d: %w", r.spool.path(), last, why))
	}
	return err
}

func (r *Recorder) appendEnd(e End) error {
	line, err := appendJSONLine(nil, struct {
		End End `json:"end"`
	}{e})
	if err != nil {
		return err
	}
	return r.spool.append(e.Turns, line)
}

// Ended implements match.Watcher: the file is closed when it returns.
func (r *Recorder) Ended(e *match.Ending) {
	if r.spool == nil {
		return
	}
	end := End{Turns: e.Steps, Winner: e.Winner, Reason: e.Reason, Left: r.turn.Left, Printed: r.opts.Printed.At(e.Steps+1, time.Time{})}
	if e.Err != nil {
		end.Error = e.Err.Error()
	}
	var err error
	if !r.full {
		err = r.appendEnd(end)
	}
	if err == nil {
		err = r.spool.flush()
	}
	if err != nil {
		r.fail(err)
		return
	}
	err = r.spool.end()
	r.path, r.spool = r.spool.path(), nil
	r.opts.Keeper.finished(r.path)
	if err != nil {
		r.tell(fmt.Errorf("the recording %s may be larger than it should be, or not safe from a loss of power: %w", r.path, err))
	}
}

// fail ends the recording, not the match.
func (r *Recorder) fail(err error) {
	path, last := "", -1
	if r.spool != nil {
		r.spool.abandon()
		path, last = r.spool.path(), r.spool.step
		r.spool = nil
		r.opts.Keeper.finished(path)
	}
	if path != "" && last < 0 { // not even the board as it was set
		_ = os.Remove(path)
		path = ""
	}
	r.path = path
	if path == "" {
		r.tell(fmt.Errorf("this match is not recorded: %w", err))
		return
	}
	r.tell(fmt.Errorf("the recording %s ends with turn %d: %w", path, last, err))
}

func (r *Recorder) tell(err error) {
	r.err = err
	if r.opts.Complain != nil {
		r.opts.Complain(err)
	}
}
