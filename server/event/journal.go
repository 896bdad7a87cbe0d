package event

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/event/state"
)

// RetryTime is the time between two attempts to write. When a full disk has room again, a round is
// delayed by no more, and an attempt is one write.
const RetryTime = time.Second

// played is a match whose result waits to be written.
type played struct {
	row       *results.Row
	recording string        // its file; "": there is none
	done      chan struct{} // closed once the result is on the disk, or refused
	err       error         // why it was refused; set before done is closed
}

// end tells the goroutine that waits that the result is on the disk, or why it is refused.
func (p *played) end(err error) {
	p.err = err
	close(p.done)
}

// write waits until no other goroutine writes, and returns a function that lets the next one write.
// Lines of one goroutine are on the disk before the next one writes: so there is no act without the
// results that came before it. mu is not held meanwhile, so that a slow disk does not delay the
// pages.
func (e *Event) write() (end func()) {
	e.writing <- struct{}{}
	return func() { <-e.writing }
}

// Do writes and applies the act that next returns, unless that fails. The acts before it have been
// applied then.
func (e *Event) Do(next func(*state.State) (state.Act, error)) error {
	defer e.write()()
	return e.writeAct(next)
}

// Note writes and applies an act that is possible at any time.
func (e *Event) Note(a state.Act) error {
	return e.Do(func(*state.State) (state.Act, error) { return a, nil })
}

// writeAct is Do for a caller that writes already.
func (e *Event) writeAct(next func(*state.State) (state.Act, error)) error {
	a, err := e.allowed(next)
	if err != nil {
		return err
	}
	at := time.Now().Unix()
	err = e.rows.Cut() // or a result that could not be written would be one of the next round
	if err == nil {
		err = e.acts.Add(state.AppendAct(nil, a, at))
	}
	if err = e.noted(err); err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	defer e.notify()
	e.remember(a)
	return e.state.Apply(a)
}

// allowed returns the act that next returns, or why it cannot be carried out.
func (e *Event) allowed(next func(*state.State) (state.Act, error)) (state.Act, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	a, err := next(e.state)
	if err == nil {
		err = e.state.Teams.Allow(a)
	}
	return a, err
}

// Add adds the result of a match of the last round, and returns once it is on the disk. It gives
// the row its number, and the recording the name that it has in a cup. As long as the disk is full
// it tries again, until ctx ends. Results that wait at the same time are written together.
func (e *Event) Add(ctx context.Context, row *results.Row, recording string) error {
	p := &played{row: row, recording: recording, done: make(chan struct{})}
	e.mu.Lock()
	_, err := e.state.TableOf(row)
	if err == nil {
		e.queue = append(e.queue, p)
	}
	e.mu.Unlock()
	for err == nil {
		select {
		case <-p.done:
			return p.err
		case e.writing <- struct{}{}:
			if e.writeRows() == nil {
				continue
			}
		}
		select {
		case <-p.done:
		case <-time.After(RetryTime):
		case <-ctx.Done():
			err = e.withdraw(p, context.Cause(ctx))
		}
	}
	return err
}

// withdraw removes a queued result and returns the reason why it was not written: err, if the disk
// takes data again. It returns nil if the result is on the disk already, or why it was refused.
func (e *Event) withdraw(p *played, err error) error {
	defer e.write()()
	e.mu.Lock()
	defer e.mu.Unlock()
	if i := slices.Index(e.queue, p); i >= 0 {
		e.queue = slices.Delete(e.queue, i, i+1)
		return cmp.Or(e.failure, err)
	}
	return p.err
}

// fitting returns the results that wait, and the number of the first one. Those that do not fit are
// refused: a match of a round has one result.
func (e *Event) fitting() (group []*played, first int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	tables := map[int]bool{}
	for _, p := range e.queue {
		table, err := e.state.TableOf(p.row)
		if err == nil && tables[table] {
			err = fmt.Errorf("a match of %q has another result", p.row.Bots)
		}
		if err != nil {
			p.end(err)
			continue
		}
		tables[table] = true
		group = append(group, p)
	}
	e.queue = slices.Clone(group)
	return group, e.state.Results.Len()
}

// writeRows writes the results that wait. The caller writes, and lets the next one write by it.
func (e *Event) writeRows() error {
	defer func() { <-e.writing }()
	group, first := e.fitting()
	var lines []byte
	for i, p := range group {
		p.row.K = first + i
		if e.eraseRow(p.row) {
			_ = e.removeFiles([]string{p.recording}) // else the next start removes it
			p.recording = ""
		}
		e.rename(p)
		lines = p.row.Append(lines)
	}
	if len(group) == 0 {
		return nil
	}
	_ = e.disk.SyncDir(e.RecordingsDir()) // a result counts without its recording
	if err := e.noted(e.rows.Add(lines)); err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	defer e.notify()
	e.queue = slices.Delete(e.queue, 0, len(group))
	for _, p := range group {
		p.end(e.state.Add(p.row))
	}
	return nil
}

// eraseRow removes from a row what it has of teams that were forgotten during the match, with what
// their bots printed, and reports whether there are such teams.
func (e *Event) eraseRow(row *results.Row) (found bool) {
	var forgotten []*state.Team
	e.Read(func(s *state.State) {
		if found = s.Teams.EraseRow(row, e.erasedVersion); found {
			forgotten = s.Teams.Forgotten()
		}
	})
	_ = e.removeOutputs(forgotten) // else the next start removes them
	return found
}

// rename gives the recording of a match the name that it has in a cup. That of an interrupted
// match, which had the number before, is replaced.
func (e *Event) rename(p *played) {
	name := filepath.Join(e.RecordingsDir(), fmt.Sprint(p.row.K, archive.Extension))
	if p.recording == "" || p.recording == name {
		return
	}
	if err := e.disk.Rename(p.recording, name); err != nil {
		e.log.Warn().Err(err).Str("recording", p.recording).Int("match", p.row.K+1).Msg(
			"A recording keeps its name")
		return
	}
	p.recording = name
}

// noted notes whether something could be written, and returns why not.
func (e *Event) noted(err error) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	failed := e.failure != nil
	e.failure = nil
	if err != nil {
		e.failure = fmt.Errorf("the event cannot be written: %w", err)
	}
	switch {
	case err != nil && !failed:
		e.log.Error().Err(err).Msg(
			"The event cannot be written, and no round begins: free space on the disk")
	case err == nil && failed:
		e.log.Info().Msg("The event can be written again")
	}
	if failed || err != nil {
		e.notify()
	}
	return e.failure
}
