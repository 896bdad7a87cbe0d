package cup

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/source"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/machine/disk"
	"github.com/hexarena/hexarena/server/machine/filelock"
)

// Names of what a cup's folder holds.
const (
	planFile   = "plan.json"
	shardFile  = "shard.json"
	logFile    = "log.ndjson"
	timesFile  = "times.csv"
	mapsDir    = "maps"
	matchesDir = "matches"
	lockName   = "lock"
)

// Folder holds a cup: its plan, its bots, its maps, and the results so far. One process at a time
// has it open.
type Folder struct {
	Dir   string
	Fresh bool      // it was made for this cup
	Disk  disk.Disk // where the log is; nil: the operating system's
	lock  *os.File
}

// FolderPrefix returns what the names of the folders of cups with a name begin with.
func FolderPrefix(name string) string { return source.FileName(name) + "-" }

// FolderName returns the name of a plan's folder, which differs with all that decides the matches.
func FolderName(name string, p *plan.Plan, s plan.Shard) string {
	name = FolderPrefix(name) + p.Digest().String()[:8]
	if s != plan.Whole {
		name += fmt.Sprintf("-%d-of-%d", s.Number, s.Of)
	}
	return name
}

// OpenFolder opens the folder of a contest. If the folder has no plan, it writes one, with copies
// of the bots and of the maps that do not come with the program; else the folder must have the same
// plan. It has the entrants and the game logic started from the copies. The caller must close the
// folder.
func OpenFolder(dir string, c *Contest, custom []MapFile) (*Folder, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	f, err := Lock(dir)
	if err != nil {
		return nil, err
	}
	if err := f.fill(c, custom); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// fill checks that the folder is the contest's, and writes what it lacks. The plan is last, so that
// a folder with a plan is complete.
func (f *Folder) fill(c *Contest, custom []MapFile) error {
	_, err := os.Stat(filepath.Join(f.Dir, planFile))
	if f.Fresh = errors.Is(err, fs.ErrNotExist); f.Fresh {
		err = unused(f.Dir)
	} else if err == nil {
		err = f.checkSame(c)
	}
	if err != nil {
		return err
	}
	for i := range c.Entrants {
		if err := c.CopyBot(i, f.Dir); err != nil {
			return err
		}
	}
	if c.Logic != nil {
		copied := *c.Logic // the contest may be played in another folder as well
		if err := copied.CopyTo(filepath.Join(f.Dir, source.LogicDir), false); err != nil {
			return fmt.Errorf("copy the game logic %s: %w", copied.Name, err)
		}
		c.Logic = &copied
	}
	if !f.Fresh {
		return nil
	}
	if c.Shard != plan.Whole {
		if err := writeJSON(filepath.Join(f.Dir, shardFile), c.Shard); err != nil {
			return err
		}
	}
	for _, m := range custom {
		if err := writeWhole(MapPath(f.Dir, m.Name), m.Text); err != nil {
			return err
		}
	}
	if len(c.Origin.Command) > 0 {
		if err := writeJSON(filepath.Join(f.Dir, archive.OriginFile), c.Origin); err != nil {
			return err
		}
	}
	return writeJSON(filepath.Join(f.Dir, planFile), c.Plan)
}

// CopyBot copies the files of bot i below the folder of a cup, and has the copy started.
func (c *Contest) CopyBot(i int, dir string) error {
	e := &c.Entrants[i]
	if err := e.CopyTo(filepath.Join(dir, source.BotsDir), c.Isolate != nil); err != nil {
		return fmt.Errorf("copy the bot %s: %w", e.Name, err)
	}
	return nil
}

// checkSame returns an error if the folder has another cup, or another shard of it. It writes the
// plan if matches are added to the cup; those that were added before belong to the contest as well.
func (f *Folder) checkSame(c *Contest) error {
	earlier, err := archive.Open(f.Dir)
	switch {
	case err != nil:
		return err
	case earlier.Plan.Digest() != c.Plan.Digest():
		return fmt.Errorf("%s holds another cup: name another folder, or change it back:\n  %s", f.Dir,
			strings.Join(plan.Difference(earlier.Plan, c.Plan), "\n  "))
	case earlier.Shard != c.Shard:
		return fmt.Errorf("%s holds shard %s of the cup, not %s: name another folder", f.Dir,
			earlier.Shard, c.Shard)
	case c.Plan.Added > earlier.Plan.Added:
		return f.grow(c, earlier.Origin())
	}
	c.Plan.Added = earlier.Plan.Added
	return nil
}

// grow writes the plan of a cup to which matches are added, after the command that adds them.
func (f *Folder) grow(c *Contest, o archive.Origin) error {
	if len(o.Command) > 0 {
		o.Grown = c.Origin.Command
		if err := writeJSON(filepath.Join(f.Dir, archive.OriginFile), o); err != nil {
			return err
		}
	}
	return writeJSON(filepath.Join(f.Dir, planFile), c.Plan)
}

// writeJSON writes a value as indented JSON.
func writeJSON(path string, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		panic(err) // no field of plans and shards can fail
	}
	return writeWhole(path, append(text, '\n'))
}

// ReadMaps returns the maps of the cup in a folder that do not come with the program, of those with
// these names.
func ReadMaps(dir string, names []string) (custom []MapFile, err error) {
	for _, name := range names {
		text, err := disk.ReadFile(disk.Or(nil), MapPath(dir, name))
		switch {
		case err == nil:
			custom = append(custom, MapFile{name, text})
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		}
	}
	return custom, nil
}

// MapPath returns the file of a map in the folder of a cup, which a map that comes with the program
// does not have.
func MapPath(dir, name string) string {
	return filepath.Join(dir, mapsDir, source.FileName(name)+".json")
}

// MapFile is a map that does not come with the program.
type MapFile struct {
	Name string // as in the plan
	Text []byte
}

// Close unlocks the folder.
func (f *Folder) Close() { filelock.Unlock(f.lock) }

// Lock locks a folder for this process, until the [Folder] is closed, or returns an error that
// names the process that has it. It writes nothing but the lock.
func Lock(dir string) (*Folder, error) {
	path := filepath.Join(dir, lockName)
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	if err := filelock.Lock(file); err != nil {
		_ = file.Close()
		holder, _ := os.ReadFile(path) // for the message only
		return nil, fmt.Errorf("%s is being played by another process (%s): wait for it, or stop it", dir,
			strings.TrimSpace(string(holder)))
	}
	name, _ := os.Hostname()
	text := fmt.Appendf(nil, "%s %d\n", name, os.Getpid())
	if err := file.Truncate(0); err != nil {
		_ = file.Close()
		return nil, err
	}
	if _, err := file.WriteAt(text, 0); err != nil {
		_ = file.Close()
		return nil, err
	}
	return &Folder{Dir: dir, lock: file}, nil
}

// unused returns an error if a folder has files that are no part of a cup that was being made.
func unused(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := e.Name()
		temporary := slices.ContainsFunc([]string{planFile, shardFile, archive.OriginFile},
			func(file string) bool { return strings.HasPrefix(name, file+".") })
		own := []string{
			lockName, source.BotsDir, source.LogicDir, mapsDir, shardFile, archive.OriginFile,
		}
		if !temporary && !slices.Contains(own, name) {
			return fmt.Errorf("%s holds %s and no cup: name an empty folder, or one that does not exist",
				dir, name)
		}
	}
	return nil
}

// writeWhole writes a file, and the folder that it is in, so that it has all of the text or does
// not exist, also after a crash.
func writeWhole(path string, text []byte) error {
	if err := disk.MakeFolder(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return disk.WriteFile(disk.Or(nil), path, text)
}
