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

// maxListed is how many recordings are listed, the newest.
const maxListed = 500

// Folder is the recordings in one folder. Its names are those of the files.
type Folder struct {
	dir   string
	games recording.Games

	mu    sync.Mutex // guards known
	known map[string]Recording
}

// NewFolder is the recordings in dir, which need not exist.
func NewFolder(dir string, games recording.Games) *Folder {
	return &Folder{dir: dir, games: games, known: map[string]Recording{}}
}

// List implements Recordings. Files that are no recordings are left out.
func (f *Folder) List() ([]Recording, error) {
	files, err := os.ReadDir(f.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	slices.Reverse(files) // names begin with the time
	f.mu.Lock()
	defer f.mu.Unlock()
	known := map[string]Recording{}
	var list []Recording
	for _, file := range files {
		if len(list) == maxListed {
			break
		}
		r, err := f.describe(file)
		if err != nil {
			continue
		}
		known[r.Name] = r
		list = append(list, r)
	}
	f.known = known
	return list, nil
}

// describe reads a file, unless it was read before and has its size still. The
// caller holds the lock.
func (f *Folder) describe(file fs.DirEntry) (r Recording, err error) {
	name := file.Name()
	if !isRecording(name) {
		return r, fs.ErrNotExist
	}
	info, err := file.Info()
	if err != nil {
		return r, err
	}
	if r, ok := f.known[name]; ok && r.Size == info.Size() {
		return r, nil
	}
	reader, err := recording.Open(filepath.Join(f.dir, name))
	if err != nil {
		return r, err
	}
	defer reader.Close()
	for err == nil {
		_, err = reader.Next()
	}
	h := reader.Header()
	r = Recording{
		Name: name, When: h.Started, Rules: h.Rules, Map: h.MapName, Seats: []string{},
		Turns: max(0, reader.Step()), Winner: -1, Size: info.Size(),
	}
	for i := range h.Seats {
		r.Seats = append(r.Seats, h.Seats[i].Name())
	}
	switch end := reader.End(); {
	case end != nil:
		r.State, r.Complete, r.Winner = Complete, true, int(end.Winner)
	case isDamage(err):
		r.State = Damaged
	default:
		r.State = Truncated
	}
	return r, nil
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
	r, err := recording.Open(filepath.Join(f.dir, name))
	if err != nil {
		return nil, unlocated(err)
	}
	return &folderReplay{Reader: r, id: name, games: f.games}, nil
}

// unlocated says what is wrong with a file, to follow its name: where the file is, is
// not told to those who ask over the network.
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
	id    string
	games recording.Games
}

// Started implements Replay.
func (r *folderReplay) Started() time.Time { return r.Header().Started }

// Write implements Replay.
func (r *folderReplay) Write(ctx context.Context, w io.Writer, running bool) error {
	err := feed.WriteRecorded(ctx, w, feed.Recorded{ID: r.id, Running: running}, r.Reader, r.games)
	switch {
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
