package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/recording"
)

// maxListed is how many recordings are listed at most, the newest.
const maxListed = 500

// Folder shows the recordings in one folder, named by their files.
type Folder struct {
	dir   string
	games recording.Games

	mu      sync.Mutex // guards the fields below
	known   map[string]described
	damaged map[string]damage
	listing *listing // in progress, or nil
}

// described holds what is known of one version of a file.
type described struct {
	version   Version
	recording Recording
	err       error // why the file is not listed
}

// damage is what was found when a whole file was read.
type damage struct {
	version Version
	turns   int // number of readable turns
}

// listing is a list in progress, shared by all callers of List.
type listing struct {
	done chan struct{} // closed when the following fields are set
	list []Recording
	err  error
}

// NewFolder returns the recordings in dir, which need not exist.
func NewFolder(dir string, games recording.Games) *Folder {
	return &Folder{dir: dir, games: games, known: map[string]described{}, damaged: map[string]damage{}}
}

// List implements Recordings. Other files are left out. Of files that have changed it
// reads the beginning and the end.
func (f *Folder) List() ([]Recording, error) {
	f.mu.Lock()
	l := f.listing
	if l != nil {
		f.mu.Unlock()
		<-l.done
		return l.list, l.err
	}
	l = &listing{done: make(chan struct{}), err: errUnlisted}
	f.listing = l
	f.mu.Unlock()
	defer func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.listing = nil
		close(l.done)
	}()
	l.list, l.err = f.list()
	return l.list, l.err
}

// errUnlisted is the error for callers that wait for a list if making it panics.
var errUnlisted = errors.New("making the list failed")

func (f *Folder) list() ([]Recording, error) {
	files, err := os.ReadDir(f.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	slices.Reverse(files) // names begin with the time
	known := map[string]described{}
	var list []Recording
	for _, file := range files {
		if len(list) == maxListed {
			break
		}
		name := file.Name()
		version, err := f.Version(name)
		if err != nil {
			continue
		}
		d := f.describe(name, version)
		known[name] = d
		if d.err == nil {
			list = append(list, d.recording)
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.known = known
	for name := range f.damaged {
		if _, ok := known[name]; !ok {
			delete(f.damaged, name)
		}
	}
	return list, nil
}

// describe returns what is known of a file, and reads its ends if the version is new.
func (f *Folder) describe(name string, version Version) described {
	f.mu.Lock()
	d, ok := f.known[name]
	found, read := f.damaged[name]
	f.mu.Unlock()
	for range attempts {
		if ok && d.version == version {
			break
		}
		d = described{version: version}
		d.recording, d.err = f.summarize(name, version)
		if d.err == nil && d.recording.State != Damaged {
			break
		}
		// The recorder may be replacing it by a compressed version.
		now, err := f.Version(name)
		ok, version = err == nil, now
	}
	if read && found.version == version {
		d.recording.State, d.recording.Turns, d.recording.Complete = Damaged, found.turns, false
	}
	return d
}

func (f *Folder) summarize(name string, version Version) (r Recording, err error) {
	reader, err := recording.Open(filepath.Join(f.dir, name))
	if err != nil {
		return r, err
	}
	defer reader.Close()
	s := reader.Summary()
	h := s.Header
	r = Recording{
		Name: name, When: h.Started, Rules: h.Rules, Map: h.MapName, Seats: []string{},
		Turns: s.Turns, Winner: -1, Size: version.Size, State: Truncated,
	}
	for i := range h.Seats {
		r.Seats = append(r.Seats, h.Seats[i].Name())
	}
	switch {
	case s.Damage != nil:
		r.State = Damaged
	case s.End != nil:
		r.State, r.Complete, r.Winner = Complete, true, int(s.End.Winner)
	}
	return r, nil
}

// note records that a file is damaged, which only reading all of it reveals.
func (f *Folder) note(name string, d damage) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.damaged) < maxListed {
		f.damaged[name] = d
	}
}

func isRecording(name string) bool {
	return strings.HasSuffix(name, recording.Extension) && filepath.Base(name) == name && !strings.HasPrefix(name, ".")
}

// Version implements Recordings.
func (f *Folder) Version(name string) (v Version, err error) {
	if !isRecording(name) {
		return v, fs.ErrNotExist
	}
	info, err := os.Stat(filepath.Join(f.dir, name))
	if err != nil {
		return v, unlocated(err)
	}
	return Version{info.Size(), info.ModTime()}, nil
}

// Open implements Recordings.
func (f *Folder) Open(name string) (Replay, error) {
	if !isRecording(name) {
		return nil, fs.ErrNotExist
	}
	version, err := f.Version(name)
	if err != nil {
		return nil, err
	}
	r, err := recording.Open(filepath.Join(f.dir, name))
	if err != nil {
		return nil, unlocated(err)
	}
	return &folderReplay{Reader: r, folder: f, name: name, version: version}, nil
}

// unlocated converts an error of opening a file to text that follows the file's name. It
// hides the path, which clients on the network must not learn.
func unlocated(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fs.ErrNotExist
	case errors.Is(err, recording.ErrForeign):
		return errors.New("is not a recording")
	case errors.Is(err, recording.ErrEmpty):
		return errors.New("ends before its match begins")
	}
	var damage *recording.DamageError
	switch {
	case errors.As(err, &damage):
		return fmt.Errorf("cannot be read: %w", damage)
	case errors.Is(err, recording.ErrVersion):
		return fmt.Errorf("cannot be read: %w", errors.Unwrap(err))
	}
	return errors.New("cannot be read")
}

type folderReplay struct {
	*recording.Reader
	folder  *Folder
	name    string
	version Version // when the file was opened
}

// Started implements Replay.
func (r *folderReplay) Started() time.Time { return r.Header().Started }

// Write implements Replay.
func (r *folderReplay) Write(ctx context.Context, w io.Writer, running bool) error {
	err := feed.WriteRecorded(ctx, w, feed.Recorded{ID: r.name, Running: running}, r.Reader, r.folder.games)
	switch {
	case isDamage(err) && r.Step() >= 0:
		r.folder.note(r.name, damage{r.version, r.Step()})
		return err
	case r.Step() >= 0:
		return err
	case isDamage(err), errors.Is(err, recording.ErrEmpty):
		return unlocated(err)
	}
	return fmt.Errorf("%w: %w", errUnplayable, err)
}

func isDamage(err error) bool {
	var damage *recording.DamageError
	return errors.As(err, &damage)
}
