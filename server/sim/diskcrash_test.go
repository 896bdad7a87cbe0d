package sim

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/machine/disk"
)

// sectors returns the contents of sectors, each of which holds one of the letters.
func sectors(letters string) []byte {
	var b []byte
	for _, l := range []byte(letters) {
		b = append(b, bytes.Repeat([]byte{l}, sector)...)
	}
	return b
}

// letters is the inverse of sectors. A sector of zeros is a dot.
func letters(t *testing.T, b []byte) string {
	t.Helper()
	var text []byte
	for part := range slices.Chunk(b, sector) {
		if !bytes.Equal(part, bytes.Repeat(part[:1], sector)) {
			t.Fatalf("a sector holds %q", part)
		}
		text = append(text, max(part[0], '.'))
	}
	return string(text)
}

// outcome returns the files and their contents in folder d.
func outcome(t *testing.T, s *Storage) string {
	t.Helper()
	disk := s.Mount()
	entries, err := disk.List("d")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	var files []string
	for _, e := range entries {
		f, err := disk.Open("d/" + e.Name())
		if err != nil {
			t.Fatal(err)
		}
		info, err := f.Stat()
		if err != nil {
			t.Fatal(err)
		}
		b := make([]byte, info.Size())
		if n, err := f.ReadAt(b, 0); err != nil && n < len(b) {
			t.Fatal(err)
		}
		files = append(files, e.Name()+"="+letters(t, b))
	}
	return strings.Join(files, " ")
}

// steps is what a program does before a crash.
type steps struct {
	t *testing.T
	*Storage
	disk *Disk
	open map[string]disk.File
}

func (s *steps) create(name string) {
	f, err := s.disk.Create("d/" + name)
	if err != nil {
		s.t.Fatal(err)
	}
	s.open[name] = f
}

func (s *steps) write(name string, at int, text string) {
	if _, err := s.open[name].WriteAt(sectors(text), int64(at*sector)); err != nil {
		s.t.Fatal(err)
	}
}

func (s *steps) truncate(name string, n int) { s.must(s.open[name].Truncate(int64(n * sector))) }
func (s *steps) sync(name string)            { s.must(s.open[name].Sync()) }
func (s *steps) syncDir()                    { s.must(s.disk.SyncDir("d")) }
func (s *steps) rename(from, to string)      { s.must(s.disk.Rename("d/"+from, "d/"+to)) }
func (s *steps) remove(name string)          { s.must(s.disk.Remove("d/" + name)) }

func (s *steps) must(err error) {
	if err != nil {
		s.t.Fatal(err)
	}
}

// settled holds a file with these sectors, synced by its contents and its name.
func (s *steps) settled(name, text string) {
	s.create(name)
	s.write(name, 0, text)
	s.sync(name)
	s.syncDir()
}

// failSync syncs a file, which fails.
func (s *steps) failSync(name string) {
	s.Trouble(Trouble{Errors: 1})
	if err := s.open[name].Sync(); !errors.Is(err, syscall.EIO) {
		s.t.Fatalf("sync = %v, want an error", err)
	}
	s.Trouble(Trouble{})
}

// After a crash, a file is as one of the outcomes allows, and each of them occurs.
func TestCrash(t *testing.T) {
	thorough.Long(t)
	tests := []struct {
		name string
		do   func(s *steps)
		want []string
	}{
		{"all is synced", func(s *steps) { s.settled("f", "ab") }, []string{"f=ab"}},
		{"the file's contents, not its name", func(s *steps) {
			s.create("f")
			s.write("f", 0, "a")
			s.sync("f")
		}, []string{"", "f=a"}},
		{"its name, not its contents", func(s *steps) {
			s.create("f")
			s.syncDir()
			s.write("f", 0, "ab")
		}, []string{"f=", "f=..", "f=a.", "f=.b", "f=ab"}},
		{"a write over what is there", func(s *steps) {
			s.settled("f", "ab")
			s.write("f", 0, "xy")
		}, []string{"f=ab", "f=xb", "f=ay", "f=xy"}},
		{"the later of two writes alone", func(s *steps) {
			s.settled("f", "")
			s.write("f", 0, "a")
			s.write("f", 1, "b")
		}, []string{"f=", "f=.", "f=a", "f=..", "f=a.", "f=.b", "f=ab"}},
		{"one write, synced before another", func(s *steps) {
			s.settled("f", "")
			s.write("f", 0, "a")
			s.sync("f")
			s.write("f", 1, "b")
		}, []string{"f=a", "f=a.", "f=ab"}},
		{"a truncation", func(s *steps) {
			s.settled("f", "abc")
			s.truncate("f", 1)
		}, []string{"f=abc", "f=a"}},
		{"a write after a truncation", func(s *steps) {
			s.settled("f", "abc")
			s.truncate("f", 0)
			s.write("f", 0, "x")
		}, []string{"f=abc", "f=xbc", "f=", "f=.", "f=x"}},
		{"a sync that fails loses what it should have written", func(s *steps) {
			s.settled("f", "a")
			s.write("f", 0, "x")
			s.failSync("f")
			s.sync("f")
		}, []string{"f=a", "f=x"}},
		{"what is written again after that is durable", func(s *steps) {
			s.settled("f", "a")
			s.write("f", 0, "x")
			s.failSync("f")
			s.write("f", 0, "x")
			s.sync("f")
		}, []string{"f=x"}},
		{"so is what an earlier program wrote, once the file is recovered", func(s *steps) {
			s.settled("f", "a")
			s.write("f", 1, "xyz")
			s.failSync("f")
			s.Kill()
			f, err := s.Mount().OpenWrite("d/f")
			s.must(err)
			s.must(disk.Recover(f, 3*sector))
		}, []string{"f=axy"}},
		{"a new name", func(s *steps) {
			s.settled("f", "a")
			s.rename("f", "g")
		}, []string{"f=a", "g=a"}},
		{"a new name, synced", func(s *steps) {
			s.settled("f", "a")
			s.rename("f", "g")
			s.syncDir()
		}, []string{"g=a"}},
		{"a file that replaces another, unsynced", func(s *steps) {
			s.settled("f", "a")
			s.create("new")
			s.write("new", 0, "x")
			s.rename("new", "f")
		}, []string{"f=a", "f=a new=", "f=a new=.", "f=a new=x", "f=", "f=.", "f=x"}},
		{"a file that replaces another, in the way that is safe", func(s *steps) {
			s.settled("f", "a")
			s.create("new")
			s.write("new", 0, "x")
			s.sync("new")
			s.rename("new", "f")
		}, []string{"f=a", "f=a new=x", "f=x"}},
		{"a file that was removed", func(s *steps) {
			s.settled("f", "a")
			s.remove("f")
		}, []string{"", "f=a"}},
		{"a file that was removed, synced", func(s *steps) {
			s.settled("f", "a")
			s.remove("f")
			s.syncDir()
		}, []string{""}},
		{"a file that was written by an older generation", func(s *steps) {
			s.settled("f", "a")
			s.Crash()
			if _, err := s.open["f"].WriteAt(sectors("x"), 0); err == nil {
				s.t.Error("a file can be written after a crash")
			}
			if s.disk.Remove("d/f") == nil || s.open["f"].Sync() == nil || s.open["f"].Truncate(0) == nil {
				s.t.Error("a file can be removed, synced or truncated after a crash")
			}
		}, []string{"f=a"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			seen := map[string]bool{}
			for seed := range uint64(500) {
				s := NewStorage(seed)
				tt.do(&steps{t: t, Storage: s, disk: s.Mount(), open: map[string]disk.File{}})
				s.Crash()
				seen[outcome(t, s)] = true
			}
			slices.Sort(tt.want)
			if got := slices.Sorted(maps.Keys(seen)); !slices.Equal(got, tt.want) {
				t.Errorf("after a crash the files are %q, want %q", got, tt.want)
			}
		})
	}
}

// A program that is killed loses nothing that it wrote.
func TestKill(t *testing.T) {
	s := NewStorage(1)
	p := &steps{t: t, Storage: s, disk: s.Mount(), open: map[string]disk.File{}}
	p.create("f")
	p.write("f", 0, "ab")
	s.Kill()
	if _, err := p.open["f"].WriteAt(sectors("x"), 0); err == nil {
		t.Error("a program that was killed can write")
	}
	if got := outcome(t, s); got != "f=ab" {
		t.Errorf("the files are %q, want f=ab", got)
	}
}

func TestTrouble(t *testing.T) {
	s := NewStorage(1)
	p := &steps{t: t, Storage: s, disk: s.Mount(), open: map[string]disk.File{}}
	p.settled("f", "ab")

	s.Trouble(Trouble{Space: 3 * sector})
	if n, err := p.open["f"].WriteAt(sectors("xyz"), sector); n != 2*sector ||
		!errors.Is(err, syscall.ENOSPC) {
		t.Errorf("a write to a disk with space for two sectors = %d, %v", n, err)
	}
	s.Trouble(Trouble{ReadOnly: true})
	if _, err := p.disk.Create("d/g"); !errors.Is(err, syscall.EROFS) {
		t.Errorf("a file is created on a disk that is read-only: %v", err)
	}
	if n, err := p.open["f"].WriteAt(sectors("z"), 0); n != 0 || !errors.Is(err, syscall.EROFS) {
		t.Errorf("a write to a disk that is read-only = %d, %v", n, err)
	}
	s.Trouble(Trouble{})
	if got := outcome(t, s); got != "f=axy" {
		t.Errorf("the files are %q, want f=axy", got)
	}
	synctest.Test(t, func(t *testing.T) {
		s.Trouble(Trouble{Slow: time.Second})
		began := time.Now()
		p.sync("f")
		if took := time.Since(began); took == 0 || took > time.Second {
			t.Errorf("a sync of a slow disk takes %v, want at most a second", took)
		}
	})
}

// Bytes that are written while a sync runs are not part of it.
func TestSyncTakesTime(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(100) {
		synctest.Test(t, func(t *testing.T) {
			s := NewStorage(seed)
			p := &steps{t: t, Storage: s, disk: s.Mount(), open: map[string]disk.File{}}
			p.settled("f", "ab")
			p.write("f", 0, "x")
			s.Trouble(Trouble{Slow: time.Second})
			go p.sync("f")
			synctest.Wait()
			s.Trouble(Trouble{})
			p.write("f", 1, "y")
			time.Sleep(time.Second)
			s.Crash()
			seen[outcome(t, s)] = true
		})
	}
	if got := slices.Sorted(maps.Keys(seen)); !slices.Equal(got, []string{"f=xb", "f=xy"}) {
		t.Errorf("after a crash the files are %q, want f=xb and f=xy", got)
	}
}
