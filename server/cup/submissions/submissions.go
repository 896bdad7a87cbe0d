// Package submissions finds the bots that the members of a course have handed in: the entries of a
// folder, or of the zip archive that a course's platform hands out.
//
// Submissions are not trusted: unpacking is bounded in entries, bytes and compression, and
// writes nowhere else. A fault of one submission is a problem of this one only.
package submissions

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hexarena/hexarena/bots/kits"
)

// Submission is one that was handed in.
type Submission struct {
	Name    string // of its entry
	Path    string // of the file or folder that holds the bot; empty if there is a problem
	Problem error
}

// ignored are entries that systems and platforms add.
var ignored = []string{"__MACOSX", "Thumbs.db", "desktop.ini"}

// hidden reports whether an entry is no submission: kits of bots in files are beside them.
func hidden(name string) bool {
	return strings.HasPrefix(name, ".") || slices.Contains(ignored, name) || kits.IsLibrary(name)
}

// IsArchive reports whether a file is taken for an archive, by its name.
func IsArchive(path string) bool { return strings.EqualFold(filepath.Ext(path), ".zip") }

// List returns the submissions in a folder or an archive, in the order of their names. Archives are
// unpacked to the folder scratch. An entry that holds nothing but one folder or one archive stands for
// what is in that.
func List(source, scratch string) ([]Submission, error) {
	u := newUnpacker(scratch)
	problems := map[string]error{}
	dir := source
	if IsArchive(source) {
		var err error
		if dir, problems, err = u.unpack(source); err != nil {
			return nil, err
		}
		if dir, problems, err = descend(dir, problems); err != nil {
			return nil, err
		}
	}
	names, err := entries(dir)
	if err != nil {
		return nil, err
	}
	for name := range problems {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var list []Submission
	for _, name := range names {
		s := Submission{Name: name, Problem: problems[name]}
		if s.Problem == nil {
			s.Path, s.Problem = u.open(filepath.Join(dir, name))
		}
		list = append(list, s)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s holds no submissions: want a file or a folder for each", source)
	}
	return list, nil
}

// One returns the file or folder that holds the bot of an archive with a single submission, which is unpacked to the
// folder scratch and may have no more than some entries and bytes.
func One(archive, scratch string, entries int, bytes int64) (path string, err error) {
	u := newUnpacker(scratch)
	u.entries, u.left = maxEntries-entries, bytes
	path, err = u.open(archive)
	if errors.Is(err, errTooMuch) {
		err = fmt.Errorf("it has more than %d entries or %d KiB: leave out what the bot does not need", entries, bytes>>10)
	}
	return path, err
}

// descend returns the only folder of an archive, which is what was packed, if it has several entries.
func descend(dir string, problems map[string]error) (string, map[string]error, error) {
	names, err := entries(dir)
	if err != nil || len(names) != 1 || len(problems) > 0 {
		return dir, problems, err
	}
	inner := filepath.Join(dir, names[0])
	info, err := os.Stat(inner)
	if err != nil || !info.IsDir() {
		return dir, problems, err
	}
	below, err := entries(inner)
	if err != nil || slices.ContainsFunc(below, isMain) {
		return dir, problems, err // the only submission
	}
	return inner, problems, nil
}

// isMain reports whether a file is one by which a folder is known for a bot.
func isMain(name string) bool {
	base := strings.TrimSuffix(name, filepath.Ext(name))
	return strings.EqualFold(base, "main") || strings.EqualFold(base, "bot")
}

// maxNested is how many folders or archives may hold nothing but the next one.
const maxNested = 4

// open returns the file or folder that holds the bot of an entry.
func (u *unpacker) open(path string) (string, error) {
	for range maxNested {
		if IsArchive(path) {
			dir, problems, err := u.unpack(path)
			for _, problem := range problems {
				err = problem
			}
			if err != nil {
				return "", err
			}
			path = dir
		}
		info, err := os.Stat(path)
		if err != nil || !info.IsDir() {
			return path, err
		}
		names, err := entries(path)
		if err != nil || len(names) != 1 {
			return path, err
		}
		only := filepath.Join(path, names[0])
		if info, err = os.Stat(only); err != nil || !info.IsDir() && !IsArchive(only) {
			return path, err
		}
		path = only
	}
	return path, nil
}

// entries returns the names in a folder, without those that systems add.
func entries(dir string) (names []string, err error) {
	list, err := os.ReadDir(dir)
	for _, entry := range list {
		if !hidden(entry.Name()) {
			names = append(names, entry.Name())
		}
	}
	return names, err
}
