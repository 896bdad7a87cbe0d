package source

import (
	"archive/tar"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hexarena/hexarena/server/contest/plan"
)

// Limits of a bot's files. A model of a hundred megabytes fits; a folder with the packages of a
// language's package manager, which is better installed once, does not.
const (
	maxBytes = 256 << 20
	maxFiles = 5000
)

// skipped are entries of a bot's folder that are no part of it: they change when it runs, or hold
// its past.
var skipped = []string{".git", "__pycache__", ".DS_Store", ".mypy_cache", ".pytest_cache", ".venv"}

// written are folders that play and cup write in the folder in which they are called, which may be
// the bot's.
var written = []string{"bot-logs", "cups", "recordings"}

// tree is a bot's file, or all files of its folder.
type tree struct {
	root  *os.Root
	files []string // relative to the root, with slashes, in the order of their names
}

// openTree lists a file or a folder. A link out of the folder is an error, and so is too much of
// everything. The caller must close the tree.
func openTree(source string) (*tree, error) {
	info, err := os.Stat(source)
	if err != nil {
		return nil, err
	}
	dir, only := source, ""
	if !info.IsDir() && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", source)
	}
	if !info.IsDir() {
		dir, only = filepath.Split(source)
	}
	if dir == "" {
		dir = "."
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	t := &tree{root: root}
	if only != "" {
		t.files = []string{only}
		if info.Size() > maxBytes {
			err = fmt.Errorf("%s has %d bytes: a bot may have %d", source, info.Size(), maxBytes)
		}
	} else {
		err = t.list(source)
	}
	if err != nil {
		t.close()
		return nil, err
	}
	return t, nil
}

func (t *tree) close() { _ = t.root.Close() }

// list finds the files of a folder.
func (t *tree) list(source string) error {
	var bytes int64
	err := fs.WalkDir(t.root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name != "." && slices.Contains(skipped, d.Name()),
			d.IsDir() && slices.Contains(written, name):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			return nil
		}
		info, err := t.root.Stat(name) // of what a link leads to, in the folder
		if err != nil {
			return fmt.Errorf("%s: %w; a link must not lead out of the bot's folder",
				filepath.Join(source, name), err)
		}
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%s is no file, nor a link to one", filepath.Join(source, name))
		}
		if bytes += info.Size(); bytes > maxBytes || len(t.files) == maxFiles {
			return fmt.Errorf("%s has more than %d files or %d bytes: a bot may have no more; move what it "+
				"does not need elsewhere", source, maxFiles, maxBytes)
		}
		t.files = append(t.files, name)
		return nil
	})
	slices.Sort(t.files)
	return err
}

// digest returns the sum of the files' names, contents and, as it may be what makes them run,
// whether their owner may execute them.
func (t *tree) digest() (d plan.Digest, err error) {
	sum := sha256.New()
	for _, name := range t.files {
		if err := t.read(name, func(f io.Reader, info fs.FileInfo) error {
			head := binary.BigEndian.AppendUint64(nil, uint64(len(name)))
			head = append(head, name...)
			head = append(head, byte(info.Mode()>>6&1))
			head = binary.BigEndian.AppendUint64(head, uint64(info.Size()))
			sum.Write(head)
			_, err := io.Copy(sum, io.LimitReader(f, info.Size()))
			return err
		}); err != nil {
			return d, err
		}
	}
	copy(d[:], sum.Sum(nil))
	return d, nil
}

// read passes a file to a function.
func (t *tree) read(name string, use func(io.Reader, fs.FileInfo) error) error {
	f, err := t.root.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	return use(f, info)
}

// makeRoot makes a folder if it is missing, and opens it.
func makeRoot(dir string) (*os.Root, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	return os.OpenRoot(dir)
}

// writeTo writes a file below a folder, with the folders that it is in. Its owner may read and
// write it, whatever the mode says.
func writeTo(to *os.Root, name string, flag int, mode fs.FileMode, from io.Reader) error {
	if parent := path.Dir(name); parent != "." {
		if err := to.MkdirAll(parent, 0o755); err != nil {
			return err
		}
	}
	f, err := to.OpenFile(name, os.O_WRONLY|os.O_CREATE|flag, mode.Perm()|0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	return errors.Join(err, f.Close())
}

// untar writes the files of an archive below a folder, as many and as large ones as a bot may have,
// and returns the comment on the whole archive. Links are errors unless they are allowed; those
// that lead out of the folder are refused when the files are read, as those of any bot are.
func untar(to *os.Root, archive io.Reader, links bool) (comment string, err error) {
	var bytes int64
	files := 0
	for r := tar.NewReader(archive); ; {
		h, err := r.Next()
		if err == io.EOF {
			return comment, nil
		}
		if err != nil {
			return "", err
		}
		files++
		bytes += h.Size
		switch {
		case h.Typeflag == tar.TypeXGlobalHeader:
			comment = h.PAXRecords["comment"]
		case files > maxFiles || bytes > maxBytes:
			return "", fmt.Errorf("%.80q: it has more than %d files or %d bytes", h.Name, maxFiles, maxBytes)
		case h.Typeflag == tar.TypeReg:
			err = writeTo(to, path.Clean(h.Name), os.O_EXCL, fs.FileMode(h.Mode), r)
		case links && h.Typeflag == tar.TypeDir:
			err = to.MkdirAll(path.Clean(h.Name), 0o755)
		case links && h.Typeflag == tar.TypeSymlink:
			err = to.Symlink(h.Linkname, path.Clean(h.Name))
		default:
			err = fmt.Errorf("%.80q is no file", h.Name)
		}
		if err != nil {
			return "", err
		}
	}
}

// copyTo copies all files below a folder, which it makes.
func (t *tree) copyTo(dir string) error {
	to, err := makeRoot(dir)
	if err != nil {
		return err
	}
	defer to.Close()
	for _, name := range t.files {
		if err := t.read(name, func(f io.Reader, info fs.FileInfo) error {
			return writeTo(to, name, os.O_TRUNC, info.Mode(), f)
		}); err != nil {
			return err
		}
	}
	return nil
}

// State returns the names, sizes and times of a file or a folder's files and, if they are not those
// of the last state, the digest.
func State(name, last string) (now string, digest plan.Digest, err error) {
	t, err := openTree(name)
	if err != nil {
		return "", digest, err
	}
	defer t.close()
	var b strings.Builder
	for _, file := range t.files {
		info, err := t.root.Stat(file)
		if err != nil {
			return "", digest, err
		}
		fmt.Fprintf(&b, "%q %d %d\n", file, info.Size(), info.ModTime().UnixNano())
	}
	if now = b.String(); now != last {
		digest, err = t.digest()
	}
	return now, digest, err
}

// digestOf returns the digest of a file or folder.
func digestOf(source string) (plan.Digest, error) {
	t, err := openTree(source)
	if err != nil {
		return plan.Digest{}, err
	}
	defer t.close()
	return t.digest()
}
