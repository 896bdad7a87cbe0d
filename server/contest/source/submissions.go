package source

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hexarena/hexarena/bots/kits"
	"github.com/hexarena/hexarena/config/textutil"
)

// Submission is one that was handed in.
type Submission struct {
	Name    string // of its entry, as UTF-8; no two are equal
	Path    string // of the file or folder that holds the bot; empty if there is a problem
	Problem error

	spent *spent // what its archives hold
}

// ignored are entries that systems and platforms add.
var ignored = []string{"__MACOSX", "Thumbs.db", "desktop.ini"}

// hidden reports whether an entry is no submission: kits of bots in files are beside them.
func hidden(name string) bool {
	return strings.HasPrefix(name, ".") || slices.Contains(ignored, name) || kits.IsLibrary(name)
}

// IsArchive reports whether a file is taken for an archive, by its name.
func IsArchive(path string) bool { return strings.EqualFold(filepath.Ext(path), ".zip") }

// Submissions returns the bots that the members of a course have handed in: the entries of a
// folder, or of the zip archive that a course's platform hands out, in the order of their names.
// Archives are unpacked to the folder scratch. An entry that holds nothing but one folder or one
// archive stands for what is in that.
func Submissions(source, scratch string) ([]Submission, error) {
	return newUnpacker(scratch).list(source)
}

// list is [Submissions].
func (u *unpacker) list(source string) (list []Submission, err error) {
	if IsArchive(source) {
		list, err = u.course(source)
	} else {
		list, err = inFolder(source)
	}
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s holds no submissions: want a file or a folder for each", source)
	}
	slices.SortFunc(list, func(a, b Submission) int { return strings.Compare(a.Name, b.Name) })
	for i := range list {
		s := &list[i]
		if s.spent == nil {
			s.spent = u.submission()
		}
		if s.spent.err == nil {
			s.Path, s.Problem = u.open(s.Path, s.spent)
		}
	}
	for i := range list {
		if s := &list[i]; s.spent.err != nil { // perhaps because of what was opened later
			s.Path, s.Problem = "", s.spent.err
		}
	}
	return list, nil
}

// inFolder returns the entries of a folder.
func inFolder(dir string) (list []Submission, err error) {
	names, err := entries(dir)
	used := map[string]bool{}
	for _, name := range names {
		list = append(list,
			Submission{Name: unique(textutil.Decode(name), used), Path: filepath.Join(dir, name)})
	}
	return list, err
}

// course unpacks the archive of a course, and returns the entries that it has, or that its only
// folder has.
func (u *unpacker) course(source string) (list []Submission, err error) {
	a, err := openArchive(source)
	if err != nil {
		return nil, err
	}
	defer a.close()
	dir, err := u.makeDir()
	if err != nil {
		return nil, err
	}
	wrapper := wrapperOf(a.paths())
	found, used := map[string]int{}, map[string]bool{} // by the name as the archive has it
	err = u.unpack(a, dir, func(path string) (*spent, string) {
		relative, absolute := strings.CutPrefix(path, "/")
		relative, inside := strings.CutPrefix(relative, wrapper)
		top, rest, isFolder := strings.Cut(relative, "/")
		if !inside || top == "" || hidden(top) && top != ".." {
			return nil, ""
		}
		i, known := found[top]
		if !known {
			i = len(list)
			found[top] = i
			s := Submission{Name: unique(textutil.Decode(top), used), spent: u.submission()}
			s.Path = filepath.Join(dir, textutil.Decode(wrapper), s.Name)
			if filepath.IsLocal(s.Name) {
				s.spent.dirs = []string{s.Path}
			}
			list = append(list, s)
		}
		to := textutil.Decode(wrapper) + list[i].Name
		if isFolder {
			to += "/" + textutil.Decode(rest)
		}
		if absolute {
			to = "/" + to
		}
		return list[i].spent, to
	})
	return list, err
}

// wrapperOf returns the only folder of an archive with a slash, by the paths of the archive's
// entries. It returns "" if the archive has several entries, or if the folder is the only
// submission.
func wrapperOf(paths []string) string {
	wrapper := ""
	var inside []string
	for _, path := range paths {
		top, rest, isFolder := strings.Cut(strings.TrimPrefix(path, "/"), "/")
		below, _, _ := strings.Cut(rest, "/")
		switch {
		case top == "" || hidden(top) && top != "..":
		case !isFolder || below == rest && isMain(rest) || wrapper != "" && wrapper != top+"/" ||
			!filepath.IsLocal(top) || below == "..":
			return ""
		default:
			wrapper, inside = top+"/", append(inside, rest)
		}
	}
	if isOne(inside) {
		return ""
	}
	return wrapper
}

// isOne reports whether the files of a folder are those of one bot: a source, and beside it a
// library of a kit, data, or the program that was built from the source.
func isOne(paths []string) bool {
	sources, others := 0, 0
	for _, path := range paths {
		switch {
		case path == "":
		case strings.Contains(path, "/") || IsArchive(path):
			return false
		case kits.IsLibrary(path):
			others++
		case hidden(path):
		case filepath.Ext(path) == "": // perhaps another bot
			return false
		case kits.Of(path) != nil:
			sources++
		default:
			others++
		}
	}
	return sources == 1 && others > 0
}

// unique returns a name with a number before its extension if it is in used, and adds it to used.
func unique(name string, used map[string]bool) string {
	extension := filepath.Ext(name)
	base := strings.TrimSuffix(name, extension)
	for n := 2; used[name]; n++ {
		name = fmt.Sprintf("%s#%d%s", base, n, extension)
	}
	used[name] = true
	return name
}

// Unzip returns the file or folder that holds the bot of an archive with a single submission, which
// is unpacked to the folder scratch and may have no more than some entries and bytes.
func Unzip(archive, scratch string, entries int, bytes int64) (path string, err error) {
	u := newUnpacker(scratch)
	u.oneEntries, u.oneBytes = entries, bytes
	return u.open(archive, u.submission())
}

// maxNested is the number of folders or archives that may hold nothing but the next one.
const maxNested = 4

// open returns the file or folder that holds the bot of a submission with a path.
func (u *unpacker) open(path string, s *spent) (string, error) {
	for range maxNested {
		if IsArchive(path) {
			dir, err := u.openNested(path, s)
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

// openNested unpacks the archive of a submission, and returns the folder.
func (u *unpacker) openNested(path string, s *spent) (string, error) {
	a, err := openArchive(path)
	if err != nil {
		return "", err
	}
	defer a.close()
	dir, err := u.makeDir()
	if err != nil {
		return "", err
	}
	s.dirs = append(s.dirs, dir)
	err = u.unpack(a, dir, func(path string) (*spent, string) {
		if top, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/"); hidden(top) && top != ".." {
			return nil, ""
		}
		return s, textutil.Decode(path)
	})
	return dir, cmp.Or(err, s.err)
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
