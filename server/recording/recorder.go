package recording

import (
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/machine/disk"
	"github.com/hexarena/hexarena/server/match"
)

// Options say what to record, and where.
type Options struct {
	Disk    disk.Disk // nil means the operating system's
	Dir     string    // created when needed
	Durable Durability
	Program string // program that records, with its version
	// Rules are asked for their tallies in the match's goroutine. If they are a match.Logic or nil,
	// they are not part of this program, and states are recorded.
	Rules   match.Rules
	Map     []byte // JSON; may be nil
	MapName string // also in the file's name
	Seed    uint64
	Extra   map[string]string // settings of the match, for readers
	Labels  map[string]string // what the match belongs to; may be nil
	// Describe returns the bot that connected from an address. It is called once per seat at
	// the start of the match and may be nil.
	Describe func(address string) Bot
	Printed  *Pages // the output of the bots that Describe names; may be nil
	// Keeper limits this recording and the others in the folder. If it is nil, all are
	// kept, and only a size that no ordinary match reaches limits this one.
	Keeper *Keeper
	Packer *Packer // compresses this recording at its end, and others; nil means one of its own
	// Complain is called in the match's goroutine with the reason when the recording fails,
	// and with nil when it goes on without loss. It may be nil.
	Complain func(error)
}

// Recorder writes the recording of one match. It implements match.Watcher.
type Recorder struct {
	match.BaseWatcher
	opts Options

	// Owned by the match's goroutine.
	spool    *spool // nil if nothing is recorded (any more)
	path     string
	err      error
	begun    time.Time
	turn     Turn
	counts   []engine.Count
	names    int  // number of counts of each player
	external bool // states are recorded
	line     []byte
	summer   summer
	size     int64           // of the lines
	full     bool            // the last line was written, but the match goes on
	winner   engine.PlayerID // after the last recorded turn
	reason   string          // likewise

	// Buffers for the actions and refusals of abridged turns.
	short   []byte
	refused []engine.Refusal
}

// New returns a recorder for one match. The file is created when the match starts. Errors
// are passed to Complain and do not stop the match. Data that the disk does not take is kept and
// written later.
func New(o Options) *Recorder {
	o.Disk = disk.Or(o.Disk)
	if o.Packer == nil {
		o.Packer = &Packer{}
	}
	return &Recorder{opts: o}
}

// Path returns the path of the recording, or an empty string. It must be called after the
// end of the match.
func (r *Recorder) Path() string {
	if r.spool != nil {
		return r.spool.path()
	}
	return r.path
}

// Name returns the name of the file without its folder, or an empty string. r may be nil.
// It is called in the match's goroutine.
func (r *Recorder) Name() string {
	if r == nil || r.Path() == "" {
		return ""
	}
	return filepath.Base(r.Path())
}

// Err returns what went wrong, or nil. It must be called after the end of the match.
func (r *Recorder) Err() error { return r.err }

// Left implements match.Watcher. Of a player that reconnects and leaves again within one
// turn only the last time is recorded, so that the line does not grow.
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
	r.appendTurn(f, time.Time{})
	// Create the file only now, so that a kill rarely leaves an empty file.
	r.spool = &spool{
		create: func() (*file, error) {
			f, err := create(r.opts.Disk, r.opts.Dir, fileName(h), r.opts.Durable)
			if err == nil {
				r.opts.Keeper.opened(f.Name())
			}
			return f, err
		},
		notify: r.complain, packer: r.opts.Packer, step: -1,
	}
	r.winner = f.Winner
	r.write()
}

func (r *Recorder) header(f *match.Frame) *Header {
	t := &f.Table
	h := &Header{
		Format: formatVersion, Program: r.opts.Program, Started: r.begun.UTC().Round(time.Millisecond),
		Rules:   External,
		Players: t.Players, Specials: t.Specials, Turns: t.Settings.Turns, Seed: r.opts.Seed,
		DelayFirst: t.Settings.DelayFirst, DelayTurns: t.Settings.DelayTurns,
		Limit: float64(t.Limit) / float64(time.Millisecond), Options: r.opts.Extra, Labels: r.opts.Labels,
		MapName: r.opts.MapName, Map: r.opts.Map,
		Seats: SeatsOf(t, r.opts.Describe, r.opts.Printed), Counts: []string{},
	}
	if rules := r.opts.Rules; rules != nil {
		h.Describe(rules)
		for _, c := range rules.AppendTally(nil, 0) {
			h.Counts = append(h.Counts, c.Name)
		}
	}
	r.external = h.Rules == External
	return h
}

// SeatsOf returns the seats of a table by player id, and tells printed whose output is whose.
// describe returns the bot that connected from an address, and may be nil, as may printed.
func SeatsOf(t *match.Table, describe func(address string) Bot, printed *Pages) []Seat {
	seats := []Seat{}
	for i := range t.Seats {
		s := &t.Seats[i]
		seat := Seat{
			Nickname: s.Nickname, Address: s.Remote, Special: s.Role == match.Special, Version: s.Version,
			Language: s.Language, Untimed: s.Untimed,
		}
		if describe != nil {
			seat.Bot = describe(s.Remote)
		}
		printed.Seat(seat.Label, engine.PlayerID(i))
		seats = append(seats, seat)
	}
	return seats
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
		t.Inputs = append(t.Inputs,
			Input{Input: a.Input, Took: a.Took, Debug: a.Debug, sum: r.summer.sum(&a.Input)})
	}
	t.Refused, t.Winner = p.Result.Refused, p.Result.Winner
	r.abridge()
	r.line = r.line[:0]
	r.appendTurn(p.Frame, p.At)
	clear(t.Inputs) // drop references to the match's memory
	t.Refused = nil
	r.write()
	r.winner, r.reason = p.Result.Winner, p.Result.Reason
}

// appendTurn completes the turn, which was over at the given time, with the state in f and
// appends it to the line.
func (r *Recorder) appendTurn(f *match.Frame, over time.Time) {
	t := &r.turn
	t.At = time.Since(r.begun)
	t.Printed = r.opts.Printed.At(t.Step, over)
	t.Digest = digestOf(f.State)
	t.Tally = t.Tally[:0]
	if r.names > 0 {
		for p := range f.Table.Seats {
			r.counts = r.opts.Rules.AppendTally(r.counts[:0], engine.PlayerID(p))
			for _, c := range r.counts {
				t.Tally = append(t.Tally, c.Value)
			}
		}
	}
	if r.external {
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
	switch limit := r.opts.Keeper.maxSize(); {
	case len(r.line) > maxLine:
		err = fmt.Errorf("step %d takes %d MiB, more than the limit of %d", t.Step, len(r.line)>>20,
			maxLine>>20)
	case t.Step > 0 && r.size+int64(len(r.line)) > limit:
		err = r.endEarly(
			fmt.Errorf("it has reached %d MiB, the limit for one recording; the match goes on", limit>>20))
	default:
		err = r.spool.append(t.Step, r.line)
		r.size += int64(len(r.line))
		r.opts.Keeper.wrote(len(r.line))
	}
	if err != nil {
		r.fail(err)
	}
}

// endEarly ends the recording before the turn that does not fit. The file is packed only
// when the match is over, since that takes time.
func (r *Recorder) endEarly(why error) error {
	r.full = true
	last := r.turn.Step - 1
	err := r.appendEnd(
		End{Turns: last, Winner: r.winner, Reason: r.reason, Error: why.Error(), Cut: true})
	if err == nil {
		r.complain(fmt.Errorf("the recording %s ends at %s: %w", r.spool.path(),
			match.NameShown(last), why))
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

// Ended implements match.Watcher. The file is closed when it returns.
func (r *Recorder) Ended(e *match.Ending) {
	if r.spool == nil {
		return
	}
	end := End{
		Turns: e.Steps, Winner: e.Winner, Reason: e.Reason, Left: r.turn.Left,
		Printed: r.opts.Printed.At(e.Steps+1, time.Time{}),
	}
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
		r.complain(
			fmt.Errorf(
				"the recording %s may be larger than it should be, or not safe from a power failure: %w",
				r.path, err),
		)
	}
}

// fail ends the recording, but not the match.
func (r *Recorder) fail(err error) {
	path, last := "", -1
	if r.spool != nil {
		r.spool.abandon()
		path, last = r.spool.path(), r.spool.step
		r.spool = nil
		r.opts.Keeper.finished(path)
	}
	if path != "" && last < 0 { // not even the initial state was written
		_ = r.opts.Disk.Remove(path)
		path = ""
	}
	r.path = path
	if path == "" {
		r.complain(fmt.Errorf("this match is not recorded: %w", err))
		return
	}
	r.complain(fmt.Errorf("the recording %s ends at %s: %w", path,
		match.NameShown(last), err))
}

func (r *Recorder) complain(err error) {
	r.err = err
	if r.opts.Complain != nil {
		r.opts.Complain(err)
	}
}
