package sim

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"sync"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/server/recording"
)

// ledger is what is known of a recording: what was acknowledged, and when.
type ledger struct {
	level recording.Durability
	seed  uint64 // of the match, which no other one has

	// guards all below: the match may be in the middle of a turn when the power fails
	mu      sync.Mutex
	acked   []time.Time // by turn, beginning with the initial state
	trouble bool        // the recorder has complained, and nothing is well again
	ended   bool        // the recording was finished without a complaint
	crashed bool        // the recorder's generation is over
	// the last turn that has to be readable after the newest crash, -1 without any
	due      int
	safe     int // the last turn that has to survive the next power failure
	readable int // the last turn that was readable after the crash before, -1 without any
}

// seen notes that the recorder was told of a turn.
func (l *ledger) seen() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.acked = append(l.acked, time.Now())
}

// complain is what the recorder calls.
func (l *ledger) complain(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.trouble = err != nil
	if err == nil { // what waited is written now
		for i := range l.acked {
			l.acked[i] = time.Now()
		}
	}
}

// end notes that the recording was finished, with an error or not.
func (l *ledger) end(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = err == nil && !l.crashed
}

// crash notes what has to survive a crash that happens now, on a disk whose operations take at
// most slow.
func (l *ledger) crash(power bool, slow time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.due, l.safe = l.durable(power, slow), l.durable(true, slow)
	l.crashed = true
}

// durable returns the last turn that has to be there after a crash, -1 if the file need not be.
// The caller holds mu.
func (l *ledger) durable(power bool, slow time.Duration) int {
	last := len(l.acked) - 1
	switch {
	case l.crashed && power:
		return l.safe
	case l.crashed:
		return l.readable
	case l.trouble:
		return -1
	case l.ended, !power, l.level == recording.EveryTurn:
		return last
	case l.level == recording.AtEnd:
		return -1
	}
	// A sync begins up to a second after a turn, or after the one before it, and takes its time;
	// that it failed is known when the next turn is recorded.
	for last >= 0 && time.Since(l.acked[last]) <= time.Second+2*slow {
		last--
	}
	for last >= 0 && l.acked[len(l.acked)-1].Sub(l.acked[last]) <= time.Second+2*slow {
		last--
	}
	return last
}

// check compares what is readable after a crash with what has to be. It returns false if
// something is missing.
func (l *ledger) check(power bool, found map[uint64]int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	last, there := found[l.seed]
	if !there {
		last = -1
	}
	l.readable = last
	if power {
		l.safe = last
	}
	return last >= l.due
}

// missing returns what the recordings in a folder do not hold after a crash, and has to be there.
func (s *Storage) missing(dir string, power bool, ledgers []*ledger) (list []string) {
	found, err := readAll(s.Mount(), dir)
	if err != nil {
		list = append(list, err.Error())
	}
	for _, l := range ledgers {
		if !l.check(power, found) {
			list = append(
				list,
				fmt.Sprintf("after a crash (power failure: %t) the recording with seed %d, level %d, can be "+
					"read to turn %d, want %d", power, l.seed, l.level, l.readable, l.due),
			)
		}
	}
	return list
}

// readAll returns the last readable turn of all recordings in a folder, by the seeds of their
// matches. The error is set if a turn is not what it was when it was played.
func readAll(disk *Disk, dir string) (found map[uint64]int, err error) {
	found = map[uint64]int{}
	entries, _ := disk.List(dir) // there may be no folder yet
	for _, e := range entries {
		seed, last, problem := readOne(disk, filepath.Join(dir, e.Name()))
		err = errors.Join(err, problem)
		if best, there := found[seed]; last >= 0 && (!there || last > best) {
			found[seed] = last
		}
	}
	return found, err
}

// replay returns the game of a recording.
func replay(rules string, setup []byte) (engine.Game, error) {
	if rules == hextictactoe.Rules {
		o, err := hextictactoe.ParseOptions(setup)
		return hextictactoe.New(o), err
	}
	m, err := hexabomb.ParseMap(setup)
	return hexabomb.New(m), err
}

// readOne returns the seed of the match in a recording, and the last turn that can be read, -1
// without any.
func readOne(disk *Disk, path string) (seed uint64, last int, err error) {
	f, err := disk.Open(path)
	if err != nil {
		return 0, -1, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0, -1, err
	}
	r, err := recording.NewReader(f, info.Size())
	if err != nil { // as much as a crash may leave
		return 0, -1, nil
	}
	defer r.Close()
	p, err := recording.NewReplay(r, replay)
	if err != nil {
		return 0, -1, err
	}
	for {
		_, err := p.Next()
		var damage *recording.DamageError
		if err == io.EOF || errors.As(err, &damage) {
			return r.Header().Seed, r.Step(), nil
		}
		if err != nil {
			return r.Header().Seed, r.Step(), err
		}
	}
}
