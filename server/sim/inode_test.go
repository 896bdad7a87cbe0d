package sim

import (
	"math/rand/v2"
	"time"
)

// inode is a file, whatever its name: its contents as programs see them, and what of them is
// on the disk.
type inode struct {
	data    []byte // as programs see it
	written time.Time
	pending []change // in order, since the last sync
	changes int      // how many there have been

	blocks []byte // on the disk; what is beyond size does not count
	size   int64  // on the disk
}

// change is a write or, if data is nil, a truncation. Its bytes and the size of the file reach
// the disk separately.
type change struct {
	number int // 1 for the file's first change
	at     int64
	data   []byte
}

// sector is the number of bytes that survive together. It is smaller than a disk's, so that
// short lines are torn as well.
const sector = 64

// write changes the contents, and copies b.
func (f *inode) write(b []byte, at int64) {
	f.data = overwrite(f.data, b, at)
	f.change(at, append([]byte{}, b...))
}

// truncate changes the size.
func (f *inode) truncate(size int64) {
	f.data = resize(f.data, size)
	f.change(size, nil)
}

func (f *inode) change(at int64, data []byte) {
	f.changes++
	f.written = time.Now()
	f.pending = append(f.pending, change{number: f.changes, at: at, data: data})
}

// sync writes all changes up to a number to the disk.
func (f *inode) sync(upTo int) {
	f.settle(upTo, func(c change) {
		f.apply(c, true, func() bool { return true })
	})
}

// lose writes some of the changes up to a number to the disk, as a sync that fails does: the
// system does not try again to write the others, as Linux does not (Rebello et al., "Can
// Applications Recover from fsync Failures?", USENIX ATC 2020). Programs see them all the same.
func (f *inode) lose(upTo int, rnd *rand.Rand) {
	f.settle(upTo, func(c change) { f.draw(c, rnd) })
}

// crash draws what is left of the file.
func (f *inode) crash(rnd *rand.Rand) {
	f.lose(f.changes, rnd)
	f.blocks = resize(f.blocks, f.size)
	f.data = append([]byte{}, f.blocks...)
}

// settle calls do for the pending changes up to a number, and forgets them.
func (f *inode) settle(upTo int, do func(change)) {
	for len(f.pending) > 0 && f.pending[0].number <= upTo {
		do(f.pending[0])
		f.pending = f.pending[1:]
	}
}

// draw decides if a change survives wholly, partly or not.
func (f *inode) draw(c change, rnd *rand.Rand) {
	size, fate := rnd.IntN(2) == 0, rnd.IntN(3)
	f.apply(c, size, func() bool { return fate == 0 || fate == 1 && rnd.IntN(2) == 0 })
}

// apply brings a change to the disk: the size, if that survives, and the sectors that do.
func (f *inode) apply(c change, size bool, survives func() bool) {
	if c.data == nil {
		if size {
			f.blocks, f.size = resize(f.blocks, c.at), c.at
		}
		return
	}
	for at := c.at; at < c.at+int64(len(c.data)); {
		next := min(c.at+int64(len(c.data)), at/sector*sector+sector)
		if survives() {
			f.blocks = overwrite(f.blocks, c.data[at-c.at:next-c.at], at)
		}
		at = next
	}
	if size {
		f.size = max(f.size, c.at+int64(len(c.data)))
	}
}

// overwrite returns data with b at a position, and zeros before it where there was nothing.
func overwrite(data, b []byte, at int64) []byte {
	data = resize(data, max(int64(len(data)), at+int64(len(b))))
	copy(data[at:], b)
	return data
}

// resize returns data with another length. New bytes are zero.
func resize(data []byte, size int64) []byte {
	if n := size - int64(len(data)); n > 0 {
		return append(data, make([]byte, n)...)
	}
	clear(data[size:]) // what a later append would show
	return data[:size]
}
