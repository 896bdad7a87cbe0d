// Package versions keeps the bots that the teams of an event have sent, each in a folder that is
// named by the digest of its files, and says how they are started.
//
// The files are not trusted: they are bounded in bytes and number, unpacked with care and never
// compiled. Scripts run by this program, which confines them, and the others in a sandbox
// unless the operator has decided otherwise.
package versions

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/hexarena/hexarena/bots/kits"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/access/nickname"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/source"
	"github.com/hexarena/hexarena/server/event/state"
	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/launch/isolate"
	"github.com/hexarena/hexarena/server/machine/disk"
	"github.com/hexarena/hexarena/server/machine/filelock"
	"github.com/hexarena/hexarena/server/seat"
)

const (
	// MaxSent bounds one file that is sent, in bytes: a bot with a small model fits, a browser
	// sends it within seconds over the Wi-Fi of a room, and 200 teams that send all they may fill
	// 13 GB.
	MaxSent = 8 << 20
	// maxUnpacked bounds the files of a bot, in bytes: twice MaxSent, since a model hardly shrinks
	// and programs are small.
	maxUnpacked = 2 * MaxSent
	// maxEntries bounds the files and folders of a bot: no bot that was written in a day has as
	// many.
	maxEntries = 500
	// digestLength is the number of digits of a digest name a version: 64 bits, as the digests of kits
	// have.
	digestLength = 16
	// maxFileName bounds the name of a file, as it is shown in tables.
	maxFileName = 60
)

// Store keeps versions in a folder. Several goroutines may use it at once.
type Store struct {
	dir  string
	opts Options

	// adding holds a token while a goroutine adds or removes versions: none must be removed while an
	// equal one is added for another team.
	adding chan struct{}
}

// Options say how versions are run.
type Options struct {
	// Isolate runs versions in containers, but those that this program's engine runs; nil: they
	// have the rights of this process.
	Isolate *isolate.Runtime
	Scripts string            // why only versions in JavaScript are taken; "": all are
	JS      launch.JavaScript // what runs those
	Memory  int               // that one may use which this program runs, in MiB
	Game    string            // its name, for errors
}

// Open returns the store in a folder, which is made when it is needed.
func Open(dir string, o Options) *Store {
	return &Store{dir: dir, opts: o, adding: make(chan struct{}, 1)}
}

// Hold calls f, which may remove versions, while none is added.
func (s *Store) Hold(f func() error) error {
	s.adding <- struct{}{}
	defer func() { <-s.adding }()
	return f()
}

// String says with which rights versions run.
func (s *Store) String() string {
	rights := launch.FullRights
	if s.opts.Isolate != nil {
		rights = "are isolated by " + s.opts.Isolate.String()
	}
	scripts := fmt.Sprintf("those in JavaScript, which hexarena itself runs in %d MiB each; ",
		s.opts.Memory)
	switch {
	case s.opts.Scripts != "":
		return scripts + "no others, since " + s.opts.Scripts
	case s.opts.JS == launch.JSBuiltin:
		return scripts + "others " + rights
	}
	return "they " + rights
}

// Engine says to teams what runs their versions in JavaScript.
func (s *Store) Engine() string {
	if s.opts.JS == launch.JSBuiltin {
		return "Rounds run JavaScript by hexarena itself, without a browser, Node and its modules."
	}
	return "Rounds run JavaScript by Node."
}

// Only says to teams which versions are taken; "" if all are.
func (s *Store) Only() string {
	if s.opts.Scripts == "" {
		return ""
	}
	return "Only a bot in JavaScript can be sent here: a file that ends in .js, or a folder with one."
}

// JS says what runs a version, as the plan of a cup does: "" if the version is not in JavaScript.
func (s *Store) JS(v state.Upload) string {
	if !launch.IsScript(v.File) {
		return ""
	}
	return s.opts.JS.String()
}

// Memory returns how much a script may use which this program runs, in MiB.
func (s *Store) Memory() int { return s.opts.Memory }

// Starts reports whether a version can be started here. One that was sent while others were
// taken as well may be in another language.
func (s *Store) Starts(v state.Upload) bool {
	return s.opts.Scripts == "" || launch.IsScript(v.File)
}

// Isolate returns the runtime of the versions' sandboxes, nil if they have the rights of this
// process.
func (s *Store) Isolate() *isolate.Runtime { return s.opts.Isolate }

// Add keeps the bot that a file or a zip archive with a name holds, if adopt returns no error for
// its version. No other version is added while adopt is called. The error says what to change.
// stdio says that the bot speaks on its standard input and output.
func (s *Store) Add(
	ctx context.Context, name string, content io.Reader, stdio bool, adopt func(state.Upload) error,
) (v state.Upload, err error) {
	if err := checkFileName(name); err != nil {
		return v, err
	}
	scratch, err := filelock.MkdirTemp()
	if err != nil {
		return v, err
	}
	defer scratch.Close()
	path, err := receive(scratch.Dir, name, content)
	if err != nil {
		return v, err
	}
	err = s.Hold(func() error {
		v, err = s.enter(ctx, scratch.Dir, path, name, stdio, adopt)
		return err
	})
	return v, err
}

// enter adds the bot in a file or folder that was received. The caller holds the store.
func (s *Store) enter(
	ctx context.Context, scratch, path, name string, stdio bool, adopt func(state.Upload) error,
) (v state.Upload, err error) {
	if err := disk.MakeFolder(s.dir, disk.PrivateFolder); err != nil {
		return v, err
	}
	e, err := source.EnterSubmission(ctx, path, name, "", s.known(), filepath.Join(scratch, "kit"))
	if err != nil {
		return v, s.withOnly(fmt.Errorf("%s: %w", name, shown(err, path, name)))
	}
	if language := e.Source(); language != "" {
		return v, fmt.Errorf("%s is source in %s, and nothing is compiled here: hexarena join "+
			"--send builds it on your machine and sends the program", name, language)
	}
	v = state.Upload{Digest: e.Digest.String()[:digestLength], File: e.Start(), Stdio: stdio}
	if !s.Starts(v) {
		return v, s.withOnly(fmt.Errorf("%s is not JavaScript", v.File))
	}
	v.Bytes, err = sizeOf(&e)
	if err == nil {
		err = s.adopt(ctx, v, adopt, func() error { return e.Keep(s.dir, v.Digest) })
	}
	return v, err
}

// withOnly adds to an error why a version is refused where only those in JavaScript are taken.
func (s *Store) withOnly(err error) error {
	if s.opts.Scripts == "" {
		return err
	}
	return fmt.Errorf("%w. Here only a bot in JavaScript can be sent, since %s; "+
		"connect another one by hexarena join", err, s.opts.Scripts)
}

// adopt copies the files of a version to the store by keep. If the version cannot be run, or adopt
// returns an error, they are removed, unless the store had them before. The caller holds the store.
func (s *Store) adopt(
	ctx context.Context, v state.Upload, adopt func(state.Upload) error, keep func() error,
) error {
	dir := filepath.Join(s.dir, v.Digest)
	_, missing := os.Stat(dir)
	if err := keep(); err != nil {
		return err
	}
	err := s.check(ctx, v)
	if err == nil {
		err = adopt(v)
	}
	if err != nil && missing != nil {
		err = errors.Join(err, os.RemoveAll(dir))
	}
	return err
}

// sizeOf returns the bytes of all files of a bot.
func sizeOf(e *source.Entrant) (bytes int64, err error) {
	files, names, closing, err := e.Files()
	if err != nil {
		return 0, err
	}
	defer closing()
	for _, name := range names {
		info, err := fs.Stat(files, name)
		if err != nil {
			return 0, err
		}
		bytes += info.Size()
	}
	return bytes, nil
}

// checkFileName returns why a file that is sent cannot have a name.
func checkFileName(name string) error {
	switch {
	case name == "":
		return errors.New("the file has no name: add ?name=my_bot.py to the address")
	case name != filepath.Base(name) || name == "." || name == ".." || !filepath.IsLocal(name):
		return fmt.Errorf("%.80q is no name of a file: leave out the folders", name)
	case len(name) > maxFileName || nickname.Clean(name, maxFileName) != name:
		return fmt.Errorf("%.80q: name the file with up to %d letters, digits and signs", name,
			maxFileName)
	}
	return nil
}

// receive writes the content of a file that is sent to a folder, and returns the file or folder
// that holds the bot.
func receive(scratch, name string, content io.Reader) (path string, err error) {
	dir := filepath.Join(scratch, "sent")
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", err
	}
	path = filepath.Join(dir, name)
	mode := os.FileMode(0o600)
	if kits.Of(name) == nil {
		mode = 0o700 // it may be a program, and has lost on its way that it can be run
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return "", err
	}
	n, err := io.Copy(f, io.LimitReader(content, MaxSent+1))
	err = errors.Join(err, f.Close())
	switch {
	case err != nil:
		return "", err
	case n > MaxSent:
		return "", fmt.Errorf("%s has more than %d MiB: leave out what the bot does not need", name,
			MaxSent>>20)
	case n == 0:
		return "", fmt.Errorf("%s is empty", name)
	case source.IsArchive(name):
		return source.Unzip(path, scratch, maxEntries, maxUnpacked)
	}
	return path, nil
}

// check returns why a version cannot be run in a sandbox, nil if it can.
func (s *Store) check(ctx context.Context, v state.Upload) error {
	spec, err := s.Seat(ctx, v)
	if err != nil || spec.Place(s.opts.Isolate != nil) != launch.InContainer {
		return err
	}
	err = s.opts.Isolate.Check(ctx, []isolate.Bot{{Argv: spec.Argv, Stdio: spec.Stdio, Copied: true}})
	return shown(err, filepath.Join(s.dir, v.Digest), "the bot")
}

// Path returns the file of a version that is started, in the folder that is the version's.
func (s *Store) Path(v state.Upload) (string, error) {
	path, err := filepath.Abs(filepath.Join(s.dir, v.Digest, v.File))
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("version %s cannot be started: %w", v.Digest, err)
	}
	return path, nil
}

// Pack returns the files of a version as a compressed archive, and the digest that they have in
// plans. The error says that they are not those that were sent.
func (s *Store) Pack(v state.Upload) (packed []byte, d plan.Digest, err error) {
	packed, d, err = source.PackFolder(filepath.Join(s.dir, v.Digest))
	if err == nil && d.String()[:digestLength] != v.Digest {
		err = fmt.Errorf("the files of version %s have changed since it was sent", v.Digest)
	}
	return packed, d, err
}

// Seat returns how a version is started.
func (s *Store) Seat(ctx context.Context, v state.Upload) (seat.Spec, error) {
	path, err := s.Path(v)
	if err != nil {
		return seat.Spec{}, err
	}
	list, err := seat.Parse(ctx, []string{path}, s.known())
	if err != nil {
		return seat.Spec{}, err
	}
	list[0].Argument, list[0].Stdio = v.File, list[0].Stdio || v.Stdio
	return list[0], nil
}

// known are the seats that versions have: of processes.
func (s *Store) known() seat.Known {
	return seat.Known{
		Game: s.opts.Game, JS: s.opts.JS, Memory: s.opts.Memory,
		Builtin: func(string, uint64) (netorcai.Bot, error) {
			return nil, errors.New("a version is a file or a folder")
		},
		Refuse: func(one *seat.Spec) error {
			if one.Kind != seat.Process {
				return errors.New("send a file or a folder")
			}
			return nil
		},
	}
}
