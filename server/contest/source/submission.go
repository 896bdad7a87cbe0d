package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/hexarena/hexarena/bots/kits"
	"github.com/hexarena/hexarena/server/machine/disk"
	"github.com/hexarena/hexarena/server/seat"
)

// EnterSubmission reads a bot that was handed in. The plan says shown in place of the argument,
// which may be the name of a folder that is gone tomorrow; name is what the bot is called, unless
// it is empty.
func EnterSubmission(
	ctx context.Context, argument, shown, name string, known seat.Known, scratch string,
) (Entrant, error) {
	known.Page, known.Refuse = true, refuse
	e := Entrant{}
	e.Seat = argument
	if err := e.read(ctx, known, scratch); err != nil {
		return e, err
	}
	e.Seat = cmp.Or(shown, argument)
	e.Spec.Label = cmp.Or(name, e.Spec.Label)
	return e, nil
}

// IsBot reports whether a folder is one bot, by a file main.* or bot.* that can be started.
func IsBot(ctx context.Context, dir string, known seat.Known) bool {
	path, err := program(ctx, dir, known)
	return err == nil && isMain(path)
}

// Field returns entrants that play together: copies of the first one and the others, under names
// that differ.
func Field(first Entrant, others []Entrant) []Entrant {
	list := append([]Entrant{first}, slices.Clone(others)...)
	setNames(list)
	return list
}

// errCommand is why a bot cannot be copied: it is no file and no folder.
var errCommand = errors.New("it is no file and no folder")

// Start returns the name of the file that is started, in the bot's folder or beside what it uses.
func (e *Entrant) Start() string { return filepath.Base(e.start) }

// Path returns that file with its folder.
func (e *Entrant) Path() string { return e.start }

// Source returns the language that the bot has to be compiled from, "" if it can be started as it
// is.
func (e *Entrant) Source() string {
	if k := kits.Compiled(e.start); k != nil {
		return k.Language
	}
	return ""
}

// Files returns a file system with the bot's files alone, and their names in order. The caller must
// close it.
func (e *Entrant) Files() (files fs.FS, names []string, closing func(), err error) {
	if e.source == "" {
		return nil, nil, nil, errCommand
	}
	t, err := openTree(e.source)
	if err != nil {
		return nil, nil, nil, err
	}
	return t.root.FS(), t.files, t.close, nil
}

// Keep copies the bot's files to the folder with a name in dir, as [KeepFolder] does.
func (e *Entrant) Keep(dir, name string) error {
	if e.source == "" {
		return errCommand
	}
	return KeepFolder(dir, name, func(folder string) error {
		t, err := openTree(e.source)
		if err != nil {
			return err
		}
		defer t.close()
		return t.copyTo(folder)
	})
}

// KeepFolder makes the folder with a name in dir by write, unless a complete one is there, and
// syncs its content. All that can read dir can read the files.
func KeepFolder(dir, name string, write func(folder string) error) error {
	to := filepath.Join(dir, name)
	if _, err := os.Stat(to); err == nil {
		return nil
	}
	part := to + ".part"
	if err := os.RemoveAll(part); err != nil { // of a process that was killed
		return err
	}
	err := write(part)
	if err == nil {
		err = publish(part)
	}
	if err == nil {
		err = os.Rename(part, to)
	}
	if err != nil {
		_ = os.RemoveAll(part)
		return fmt.Errorf("the bot cannot be kept: %w", err)
	}
	return disk.Or(nil).SyncDir(dir)
}

// publish makes a folder readable for other users, and syncs its content.
func publish(dir string) error {
	if err := share(dir); err != nil {
		return err
	}
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return disk.Or(nil).SyncDir(path)
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		return errors.Join(f.Sync(), f.Close())
	})
}

// share makes a folder readable for other users, whatever the umask: an isolated bot of root runs
// as another user.
func share(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		mode := fs.FileMode(0o644)
		if d.IsDir() || info.Mode()&0o100 != 0 {
			mode = 0o755
		}
		return os.Chmod(path, mode)
	})
}
