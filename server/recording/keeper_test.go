package recording

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/machine/disk"
)

// fileOf creates a file of the given age in a folder.
func fileOf(t *testing.T, dir, name string, data []byte, age time.Duration) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	then := time.Now().Add(-age)
	if err := os.Chtimes(path, then, then); err != nil {
		t.Fatal(err)
	}
}

func namesIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), Extension))
	}
	return names
}

// The oldest finished recordings are deleted, and nothing else.
func TestKeeper(t *testing.T) {
	live, finished := small(30).files(t)
	size := int64(len(finished))
	for _, test := range []struct {
		name string
		keep Keep
		want []string // of files 1 to 5, the oldest first
	}{
		{"all", Keep{}, []string{"1", "2", "3", "4", "5"}},
		{"a number", Keep{Files: 3}, []string{"3", "4", "5"}},
		{"a size", Keep{Bytes: 2*size + size/2 + int64(len(live))}, []string{"4", "5"}},
		{"an age", Keep{Age: 150 * time.Minute}, []string{"4", "5"}},
		{"all of these", Keep{Files: 4, Bytes: 1 << 30, Age: time.Hour * 7 / 2}, []string{"3", "4", "5"}},
		{"nothing fits", Keep{Bytes: 1}, []string{"5"}},
		{"enough room", Keep{
			Files: 5, Bytes: 1 << 30, Age: 24 * time.Hour,
		}, []string{"1", "2", "3", "4", "5"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			for i := range 5 {
				fileOf(t, dir, fmt.Sprint(i+1)+Extension, finished, time.Duration(5-i)*time.Hour)
			}
			fileOf(t, dir, "cut"+Extension, live, 23*time.Hour)
			k := NewKeeper(nil, dir, test.keep, func(d Tidied) {
				if d.Err != nil {
					t.Error(d.Err)
				}
			})
			if test.keep.Files > 0 {
				k.keep.Files++ // the one without an end counts as well
			}
			k.Tidy()
			k.Close()
			if got, want := namesIn(t, dir), append(test.want, "cut"); !slices.Equal(got, want) {
				t.Errorf("left are %q, want %q", got, want)
			}
		})
	}
}

// listing is a disk on which something happens when a folder has been listed for the first time.
type listing struct {
	disk.Disk
	then func()
}

func (l *listing) List(dir string) ([]fs.DirEntry, error) {
	list, err := l.Disk.List(dir)
	then := l.then
	l.then = func() {}
	then()
	return list, err
}

// Recordings that are finished during a pass are counted, also if the keeper is closed meanwhile.
func TestRecordingsFinishedDuringAPass(t *testing.T) {
	_, finished := small(30).files(t)
	for _, closed := range []bool{false, true} {
		dir := t.TempDir()
		for i := range 5 {
			fileOf(t, dir, fmt.Sprint(i+1)+Extension, finished, time.Duration(10-i)*time.Hour)
		}
		folder := &listing{Disk: disk.Or(nil)}
		k := NewKeeper(folder, dir, Keep{Files: 3}, nil)
		folder.then = func() {
			for _, name := range []string{"6", "7"} {
				fileOf(t, dir, name+Extension, finished, 0)
				k.finished(filepath.Join(dir, name+Extension))
			}
			k.locked(func() { k.closed = closed }) // as Close does before it waits
		}
		k.Tidy()
		k.work.Wait()
		if got, want := namesIn(t, dir), []string{"5", "6", "7"}; !slices.Equal(got, want) {
			t.Errorf("closed %v: left are %q, want %q", closed, got, want)
		}
	}
}

// Files that are not recordings, or that another process may be writing, are kept.
func TestKeeperLeavesForeignFiles(t *testing.T) {
	live, finished := small(30).files(t)
	dir, elsewhere := t.TempDir(), t.TempDir()
	const old = 48 * time.Hour
	fileOf(t, elsewhere, "target"+Extension, finished, old)
	fileOf(t, dir, "notes.txt", finished, old)
	fileOf(t, dir, "foreign"+Extension, []byte("my notes"), old)
	fileOf(t, dir, "damaged"+Extension, append([]byte("x"), finished...)[:len(finished)/2], old)
	fileOf(t, dir, "open"+Extension, live, old)
	fileOf(t, dir, "young"+Extension, live, time.Hour)
	fileOf(t, dir, "cut"+Extension, live, old)
	fileOf(t, dir, "finished"+Extension, finished, old)
	fileOf(t, dir, "newest"+Extension, finished, 0)
	if err := os.Mkdir(filepath.Join(dir, "folder"+Extension), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(elsewhere, "target"+Extension), filepath.Join(dir, "link"+Extension)); err != nil {
		t.Fatal(err)
	}
	var reported []Tidied
	k := NewKeeper(nil, dir, Keep{Files: 1, Bytes: 1, Age: time.Hour / 2},
		func(d Tidied) { reported = append(reported, d) })
	k.opened(filepath.Join(dir, "open"+Extension))
	k.Tidy()
	k.Close()
	want := []string{"damaged", "folder", "foreign", "link", "newest", "notes.txt", "open", "young"}
	if got := namesIn(t, dir); !slices.Equal(got, want) {
		t.Errorf("left are %q, want %q", got, want)
	}
	if got := namesIn(t, elsewhere); len(got) != 1 {
		t.Errorf("a link led to %q", got)
	}
	if len(reported) == 0 || reported[0].Files != 2 ||
		reported[0].Bytes != int64(len(live)+len(finished)) {
		t.Errorf("reported %+v, want two files", reported)
	}
}

// During matches the folder stays within its limit.
func TestKeeperWhileRecording(t *testing.T) {
	thorough.Full(t)
	dir := t.TempDir()
	live, _ := small(30).files(t)
	limit := 3 * int64(len(live)) // one recording may have half of it
	k := NewKeeper(nil, dir, Keep{Bytes: limit}, nil)
	for i := range 60 {
		m := small(30)
		m.seed = uint64(i)
		o := m.options(t)
		o.Dir, o.Keeper, o.Rules = dir, k, gameProxy{m}
		r := New(o)
		m.play(t, r)
		r.Ended(m.ending())
		k.work.Wait()
	}
	k.Close()
	var total int64
	for _, name := range namesIn(t, dir) {
		path := filepath.Join(dir, name+Extension)
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		total += info.Size()
		if v, err := verifyFile(path); err != nil || v.Cut {
			t.Errorf("%s: %+v, %v", name, v, err)
		}
	}
	if total > limit || total < limit/4 {
		t.Errorf("the folder has %d bytes, want up to %d", total, limit)
	}
	if len(k.open) > 0 {
		t.Errorf("%v are still being written", k.open)
	}
}

// A recording that reaches its limit ends there, reports that once, and is complete up to
// there.
func TestFullRecording(t *testing.T) {
	live, _ := small(100).files(t)
	for _, external := range []bool{false, true} {
		dir := t.TempDir()
		m := small(100)
		m.external = external
		var reported []error
		o := m.options(t)
		o.Dir = dir
		o.Keeper = NewKeeper(nil, dir, Keep{Bytes: int64(len(live))}, nil) // half of it for one recording
		o.Complain = func(err error) { reported = append(reported, err) }
		if !external {
			o.Rules = gameProxy{m}
		}
		r := New(o)
		m.play(t, r)
		if got, err := os.ReadFile(r.Path()); err != nil || len(got) > len(live)/2+500 {
			t.Errorf("%d bytes, %v; want %d", len(got), err, len(live)/2)
		}
		r.Ended(m.ending())
		o.Keeper.Close()
		if len(reported) != 1 || !strings.Contains(reported[0].Error(), "the limit for one recording") ||
			r.Err() == nil {
			t.Errorf("reported %v", reported)
		}
		file, err := Open(r.Path())
		if err != nil {
			t.Fatal(err)
		}
		file.Close()
		v, err := verifyFile(r.Path())
		if err != nil || !v.Cut || v.Turns == 0 || v.Turns >= 100 || !file.whole {
			t.Errorf("verified %+v, %v, compressed %v; want some of the turns", v, err, file.whole)
		}
	}
}
