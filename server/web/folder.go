package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/recording"
)

// maxListed is the number of recordings that are listed at most, the newest.
const maxListed = 500

// Folder shows the recordings in one folder, named by their files.
type Folder struct {
	dir   string
	games recording.Games

	mu    sync.Mutex // guards the fields below
	known map[string]described
	// makes the list once for all that wait for it; nil: no caller waits
	listing func() ([]Recording, error)
}

// described holds what is known of one version of a file.
type described struct {
	version   Version
	recording Recording
	err       error // why the file is not listed
}

// NewFolder returns the recordings in dir, which need not exist.
func NewFolder(dir string, games recording.Games) *Folder {
	return &Folder{dir: dir, games: games, known: map[string]described{}}
}

// List implements Recordings. Other files are left out. Of files that have changed it
// reads the beginning and the end.
func (f *Folder) List() ([]Recording, error) {
	f.mu.Lock()
	if f.listing == nil {
		f.listing = sync.OnceValues(f.list)
	}
	list := f.listing
	f.mu.Unlock()
	return list()
}

func (f *Folder) list() ([]Recording, error) {
	defer func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.listing = nil
	}()
	files, err := os.ReadDir(f.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	slices.Reverse(files) // names begin with the time
	there := map[string]bool{}
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
		there[name] = true
		if d := f.describe(name, version); d.err == nil {
			list = append(list, d.recording)
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	maps.DeleteFunc(f.known, func(name string, _ described) bool { return !there[name] })
	return list, nil
}

// errDamaged makes [recording.Read] try again, since the recorder may be compressing the file.
var errDamaged error = &recording.DamageError{Step: -1}

// describe returns what is known of a file, and reads its ends if the version is new.
func (f *Folder) describe(name string, version Version) described {
	f.mu.Lock()
	d, ok := f.known[name]
	f.mu.Unlock()
	if ok && d.version == version {
		return d
	}
	d = described{version: version}
	d.err = recording.Read(filepath.Join(f.dir, name), func(r *recording.Reader) error {
		d.recording = summarize(name, version, r)
		if d.recording.State == Damaged {
			return errDamaged
		}
		return nil
	})
	if d.err == errDamaged { // it is listed all the same
		d.err = nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if noted, ok := f.known[name]; ok && noted.version == version {
		return noted // it may have been found to be damaged meanwhile
	}
	f.known[name] = d
	return d
}

func summarize(name string, version Version, reader *recording.Reader) Recording {
	s := reader.Summary()
	h := s.Header
	r := Recording{
		Name: name, When: h.Started, Rules: h.Rules, Map: h.MapName, Seats: []string{},
		Turns: s.Turns, Winner: -1, Scores: append([]int64{}, s.Scores...), Size: version.Size,
		State: Truncated,
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
	return r
}

// noteDamage records that a file is damaged after its first turns, which only reading all of
// it reveals.
func (f *Folder) noteDamage(r *folderReplay, turns int) {
	found := summarize(r.name, r.version, r.Reader)
	found.State, found.Turns, found.Complete = Damaged, turns, false
	f.mu.Lock()
	defer f.mu.Unlock()
	f.known[r.name] = described{version: r.version, recording: found}
}

func isRecording(name string) bool {
	return strings.HasSuffix(name, recording.Extension) && filepath.Base(name) == name &&
		!strings.HasPrefix(name, ".")
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

// Remove deletes a recording. The error is fs.ErrNotExist if there is none with this name.
func (f *Folder) Remove(name string) error {
	if _, err := f.Version(name); err != nil {
		return err
	}
	return os.Remove(filepath.Join(f.dir, name))
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
	about := feed.Recorded{ID: r.name, Running: running, Again: func() (*recording.Reader, error) {
		return recording.Open(filepath.Join(r.folder.dir, r.name))
	}}
	err := feed.WriteRecorded(ctx, w, about, r.Reader, r.folder.games)
	switch {
	case isDamage(err) && r.Step() >= 0:
		r.folder.noteDamage(r, r.Step())
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
