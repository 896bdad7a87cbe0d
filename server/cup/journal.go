package cup

import (
	"errors"
	"fmt"
	"hash"
	"path/filepath"
	"sync"
	"time"

	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/machine/disk"
	"github.com/hexarena/hexarena/server/machine/panics"
)

// How the log is written: a crash of the machine loses the matches of a tenth of a second, and the
// disk is asked to sync no more often than that.
const (
	syncInterval = 100 * time.Millisecond
	queuedRows   = 256 // that wait for the writer; more block the cup
)

// journal writes the rows of a cup and the times of its matches, in its own goroutine, in groups.
// The times go first, so that each row has them after a kill. A crash of the machine may lose those
// of the last seconds, which no result depends on.
type journal struct {
	disk       disk.Disk
	log, times *disk.Log
	dir        string
	sum        hash.Hash // of the log
	rows       chan entry
	running    sync.WaitGroup
	failed     chan struct{} // closed when it cannot write any more
	err        error         // why, once failed is closed
}

// ends are the offsets after the rows of a log and their times, and the sum of the log.
type ends struct {
	log, times int64
	sum        hash.Hash
}

// entry is what one match adds.
type entry struct {
	row        *results.Row
	times      []seatTimes
	checkpoint *archive.Checkpoint // after the row; nil for most
}

// archived returns the times as the archive reads them.
func (e *entry) archived() []archive.Times {
	list := make([]archive.Times, len(e.times))
	for i := range e.times {
		list[i] = e.times[i].archived()
	}
	return list
}

// openJournal opens the log for the row that comes next, at the ends of the files: what follows was
// being written when the cup was interrupted, and is cut off.
func (f *Folder) openJournal(at ends) (*journal, error) {
	j := &journal{
		disk: disk.Or(f.Disk), dir: f.Dir, sum: at.sum, rows: make(chan entry, queuedRows),
		failed: make(chan struct{}),
	}
	var err error
	if j.log, err = disk.OpenLogAt(j.disk, filepath.Join(f.Dir, logFile), at.log); err != nil {
		return nil, err
	}
	if j.times, err = disk.OpenLogAt(j.disk, filepath.Join(f.Dir, timesFile), at.times); err != nil {
		_ = j.log.Close()
		return nil, err
	}
	if at.times == 0 {
		// without it no line can be read
		err = errors.Join(j.times.Write([]byte(timesHeader+"\n")), j.times.Sync())
	}
	// so that the files have their names after a loss of power
	if err = errors.Join(err, j.disk.SyncDir(f.Dir)); err != nil {
		_, _ = j.log.Close(), j.times.Close()
		return nil, err
	}
	panics.Go(&j.running, j.run, func(p *panics.Error) { j.fail(p) })
	return j, nil
}

// add queues a row for writing. It returns false if the journal cannot write any more.
func (j *journal) add(e entry) bool {
	select {
	case j.rows <- e:
		return true
	case <-j.failed:
		return false
	}
}

// close returns when all rows are on the disk, or why they are not.
func (j *journal) close() error {
	close(j.rows)
	j.running.Wait()
	err := errors.Join(j.log.Close(), j.times.Close())
	select {
	case <-j.failed:
		return j.err
	default:
		return err
	}
}

// keep writes a checkpoint of what is written so far.
func (j *journal) keep(p *archive.Checkpoint) error {
	if err := j.times.Sync(); err != nil {
		return err
	}
	p.Log, p.Times = j.log.End, j.times.End
	j.sum.Sum(p.Digest[:0])
	return disk.WriteFile(j.disk, filepath.Join(j.dir, archive.CheckpointFile), p.Encode())
}

func (j *journal) fail(err error) {
	j.err = fmt.Errorf("the log cannot be written: %w", err)
	close(j.failed)
}

// run writes what is added until close is called or writing fails.
func (j *journal) run() {
	tick := time.NewTicker(syncInterval)
	defer tick.Stop()
	var log, times []byte
	flush := func() error {
		if len(log) == 0 {
			return nil
		}
		err := j.times.Write(times)
		if err == nil {
			err = j.log.Write(log)
		}
		if err == nil {
			err = j.log.Sync()
		}
		j.sum.Write(log)
		log, times = log[:0], times[:0]
		return err
	}
	for open := true; open; {
		var err error
		select {
		case e, ok := <-j.rows:
			if !ok {
				open, err = false, flush()
				break
			}
			log = e.row.Append(log)
			for i := range e.times {
				times = e.times[i].append(times)
			}
			if e.checkpoint != nil {
				if err = flush(); err == nil {
					err = j.keep(e.checkpoint)
				}
			}
		case <-tick.C:
			err = flush()
		}
		if err != nil {
			j.fail(err)
			return
		}
	}
}
