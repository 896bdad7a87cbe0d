package archive

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/cup/standings"
	"github.com/hexarena/hexarena/server/machine/disk"
)

// Follower reads the rows of a cup as they are written. It holds no file open between two calls,
// and reads each row once. It is not safe for concurrent use.
type Follower struct {
	cup   *Cup
	next  int   // the number of the match of the next row
	log   int64 // offset of the next row
	times int64 // offset of the times that come next
}

// Follow returns a follower that has read no row yet.
func (c *Cup) Follow() *Follower { return &Follower{cup: c, next: c.first()} }

// Rows calls see for each row that was added since the last call, in the order of the matches'
// numbers, with the times of the seats that are known. A last row that is not complete is left for
// the next call. An error, which may be one of see, ends it; then rows may be missing in later
// calls.
func (f *Follower) Rows(see func(*results.Row, []Times) error) error {
	more, err := f.more()
	if !more || err != nil {
		return err
	}
	l, err := f.cup.openLog(f.next, f.log)
	if err != nil {
		return err
	}
	defer l.close()
	times, err := f.cup.openTimes(f.times)
	if err != nil {
		return err
	}
	defer times.close()
	for {
		row, err := l.read()
		var seats []Times
		if err == nil {
			seats = times.of(row.K)
		}
		if times.err != nil {
			return times.err
		}
		if err == io.EOF {
			f.next, f.log, f.times = l.Next(), l.Offset(), times.next()
			return nil
		}
		if err == nil {
			err = see(row, seats)
		}
		if err != nil {
			return err
		}
	}
}

// more reports whether the log has grown.
func (f *Follower) more() (bool, error) {
	path := filepath.Join(f.cup.Dir, logFile)
	file, err := disk.Or(f.cup.Disk).Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	info, err := file.Stat()
	switch err = errors.Join(err, file.Close()); {
	case err != nil:
		return false, err
	case info.Size() < f.log:
		return false, fmt.Errorf("%s has become shorter: %d bytes, of which %d were read before", path,
			info.Size(), f.log)
	}
	return info.Size() > f.log, nil
}

// AddTo adds the rows that were added since the last call to the standings, with the errors of
// bots. It calls see for each row; an error of see ends it.
func (f *Follower) AddTo(s *standings.Standings, see func(*results.Row) error) error {
	return f.Rows(func(row *results.Row, times []Times) error {
		if err := Add(s, row, times); err != nil {
			return fmt.Errorf("%s: %w", filepath.Join(f.cup.Dir, logFile), err)
		}
		return see(row)
	})
}

// Add adds a row to standings, with the errors of bots, of which the times say more, and with what
// the match cost.
func Add(s *standings.Standings, row *results.Row, times []Times) error {
	if err := s.Add(row); err != nil {
		return err
	}
	for i, t := range times {
		if i == 0 && t.Lag > 0 {
			s.AddLag(t.Lag.Microseconds())
		}
		if t.Seat < 1 || t.Seat > len(row.Bots) {
			continue
		}
		s.AddTurns(row.Bots[t.Seat-1], t.Turns, t.Skipped)
		if t.CPU > 0 {
			s.AddCPU(row.Bots[t.Seat-1], t.CPU.Microseconds(), t.Turns)
		}
	}
	for seat, kind := range row.Forfeits {
		if !results.Failed(kind) { // there is no error to show
			continue
		}
		failure := standings.Failure{K: row.K, Bot: row.Bots[seat], Kind: kind}
		for _, t := range times {
			if t.Seat == seat+1 {
				failure.Turns, failure.Exit, failure.Printed = t.Turns, t.Exit, t.Printed
			}
		}
		s.AddFailure(&failure)
	}
	return nil
}

// Offsets returns where the rows and the times that were read end.
func (f *Follower) Offsets() (log, times int64) { return f.log, f.times }
