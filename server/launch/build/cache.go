package build

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// Limits of the cache. A program has some megabytes, so that it takes a few hundred. Entries that
// were used in the last hour stay: a cup may run them.
const (
	maxEntries = 64
	inUse      = time.Hour
)

// Limits of the files of a bot's folder that are read to tell whether its program is up to date. A
// bot in a larger one, such as a home folder, is built each time.
const (
	maxFiles       = 2000
	maxSourceBytes = 16 << 20
)

// sourceExtensions are those of files that a compiler may read from a bot's folder.
var sourceExtensions = []string{
	".java", ".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx", ".inc", ".inl", ".ipp", ".rs",
	".go", ".mod", ".sum",
}

// includesOther matches sources that have a compiler read files of other kinds.
var includesOther = regexp.MustCompile(`include_(str|bytes)!|//go:embed|#\s*embed`)

// cache is a folder with an entry, itself a folder, for everything that was made.
type cache struct{ dir string }

// making is held while an entry is made: several compilers at once would only slow each other and
// the matches down.
var making sync.Mutex

// openCache returns the user's cache.
func openCache() (*cache, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return nil, fmt.Errorf("there is no folder for programs that are built: %w", err)
	}
	dir = filepath.Join(dir, "hexarena", "builds")
	return &cache{dir}, os.MkdirAll(dir, 0o755)
}

// entry returns the folder of an entry, after making it unless it exists. It appears whole or not
// at all, whatever other processes do.
func (c *cache) entry(key string, fill func(dir string) error) (string, error) {
	making.Lock()
	defer making.Unlock()
	dir, now := filepath.Join(c.dir, key), time.Now()
	if err := os.Chtimes(dir, now, now); err == nil {
		return dir, nil
	}
	unfinished, err := os.MkdirTemp(c.dir, "new-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(unfinished)
	if err := os.Chmod(unfinished, 0o755); err != nil { // an isolated bot may run as another user
		return "", err
	}
	if err := fill(unfinished); err != nil {
		return "", err
	}
	if err := os.Rename(unfinished, dir); err != nil {
		if _, missing := os.Stat(dir); missing != nil { // else another process was faster
			return "", err
		}
	}
	c.removeOld(now)
	return dir, nil
}

// removeOld removes the entries that were not used for the longest time, if there are too many. An
// entry that cannot be removed is tried again after the next build.
func (c *cache) removeOld(now time.Time) {
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return
	}
	var old []fs.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			old = append(old, info)
		}
	}
	slices.SortFunc(old, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	for _, info := range old[min(maxEntries, len(old)):] {
		if now.Sub(info.ModTime()) > inUse {
			_ = os.RemoveAll(filepath.Join(c.dir, info.Name()))
		}
	}
}

// digest is the sum of all that an entry is made of.
type digest struct{ hash.Hash }

func newDigest(language string, words ...string) digest {
	d := digest{sha256.New()}
	fmt.Fprintf(d, "%q %q\n", language, words)
	return d
}

func (d digest) add(name string, content []byte) {
	fmt.Fprintf(d, "%q %d\n", name, len(content))
	d.Write(content)
}

func (d digest) key() string { return hex.EncodeToString(d.Sum(nil)[:16]) }

// addSources adds the files in a folder, and in those below it, that a compiler may read. If these
// cannot all be known, the digest becomes one of its own.
func (d digest) addSources(dir string) error {
	files, size, known := 0, 0, true
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		files++
		switch {
		case err != nil:
			return err
		case files > maxFiles || size > maxSourceBytes:
			known = false
			return fs.SkipAll
		case e.IsDir() && path != dir &&
			(strings.HasPrefix(e.Name(), ".") || e.Name() == "target" || e.Name() == "node_modules"):
			return fs.SkipDir
		case !e.Type().IsRegular() || !slices.Contains(sourceExtensions, filepath.Ext(path)):
			return nil
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		size += len(content)
		known = known && !includesOther.Match(content)
		name, err := filepath.Rel(dir, path)
		d.add(name, content)
		return err
	})
	if !known {
		fmt.Fprintln(d, time.Now().UnixNano())
	}
	return err
}
