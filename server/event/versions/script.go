package versions

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/hexarena/hexarena/bots/kits"
	"github.com/hexarena/hexarena/server/cup"
	"github.com/hexarena/hexarena/server/event/workers"
	"github.com/hexarena/hexarena/server/seat"
)

// script is the extension of versions that run in Web Workers.
const script = ".js"

// InWorkers reports whether versions run in Web Workers of the operator's page.
func (s *Store) InWorkers() bool { return s.opts.Workers != "" }

// Only says to teams which versions can be sent; "" if all can.
func (s *Store) Only() string {
	if !s.InWorkers() {
		return ""
	}
	return "Only a bot in JavaScript can be sent here, one file that ends in .js: it runs in the operator's browser."
}

// Starts reports whether a version can be started here: where versions run in Web Workers, one that was sent to an event that isolated its bots
// may be in another language.
func (s *Store) Starts(v Version) bool { return !s.InWorkers() || filepath.Ext(v.File) == script }

// addScript keeps the bot that a file or a folder holds, if it is one file in JavaScript, with the kit, so that it also runs where bots are
// isolated. The caller holds mu.
func (s *Store) addScript(ctx context.Context, path string, adopt func(Version) error) (v Version, err error) {
	file, err := onlyScript(path)
	if err != nil {
		return v, fmt.Errorf("%w. Here only a bot in JavaScript can be sent, which is one file that ends in .js, since %s; connect another one by hexarena join",
			err, s.opts.Workers)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return v, err
	}
	sum := sha256.Sum256(slices.Concat([]byte(filepath.Base(file)), []byte{0}, text))
	v = Version{Digest: hex.EncodeToString(sum[:])[:digestLength], File: filepath.Base(file), Bytes: int64(len(text))}
	return v, s.adopt(ctx, v, adopt, func() error {
		return cup.KeepFolder(s.dir, v.Digest, func(folder string) error {
			err := os.Mkdir(folder, 0o755)
			if err == nil {
				err = kits.Of(v.File).WriteLibrary(folder)
			}
			if err == nil {
				err = os.WriteFile(filepath.Join(folder, v.File), text, 0o644)
			}
			return err
		})
	})
}

// onlyScript returns the file of a bot that is one file in JavaScript, beside the kit. The error says what else the bot is.
func onlyScript(path string) (file string, err error) {
	walk := func(at string, entry fs.DirEntry, err error) error {
		switch name := filepath.Base(at); {
		case err != nil || entry.IsDir() || kits.IsLibrary(name):
			return err
		case filepath.Ext(name) != script:
			return fmt.Errorf("%s is not JavaScript", name)
		case file != "":
			return fmt.Errorf("the bot has two files, %s and %s", filepath.Base(file), name)
		}
		file = at
		return nil
	}
	if err = filepath.WalkDir(path, walk); err == nil && file == "" {
		err = errors.New("there is no bot in it")
	}
	return file, err
}

// scriptSeat returns the seat of a version that runs in a Web Worker.
func scriptSeat(v Version) (seat.Spec, error) {
	if filepath.Ext(v.File) != script {
		return seat.Spec{}, fmt.Errorf("%s is not JavaScript, and nothing else runs here", v.File)
	}
	return seat.Spec{Kind: seat.Process, Argument: v.File, Argv: workers.Command(v.Digest, v.File), Stdio: true}, nil
}

// Source returns the code of a version that runs in a Web Worker.
func (s *Store) Source(digest, file string) ([]byte, error) {
	if !filepath.IsLocal(digest) || digest != filepath.Base(digest) || file != filepath.Base(file) || filepath.Ext(file) != script {
		return nil, fs.ErrNotExist
	}
	return os.ReadFile(filepath.Join(s.dir, digest, file))
}
