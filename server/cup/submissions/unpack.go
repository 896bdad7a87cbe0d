package submissions

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// Limits of all that the archives of a course hold together. A course of 400 with 5 MB each fits.
const (
	maxEntries = 50_000
	maxBytes   = 2 << 30
)

// Program text shrinks to a fifth, zeros to a thousandth. A small file may be of zeros.
const (
	maxRatio  = 100
	smallFile = 1 << 20
)

const (
	maxDirectory = 16 << 20 // bytes of an archive's list of entries: 300 for each
	maxName      = 1 << 10  // bytes of an entry's path
	maxDepth     = 32       // folders of an entry's path
)

// unpacker unpacks archives. Its limits are for all of them together.
type unpacker struct {
	scratch  string
	archives int
	entries  int
	left     int64 // bytes
}

func newUnpacker(scratch string) *unpacker { return &unpacker{scratch: scratch, left: maxBytes} }

// errTooMuch is why unpacking ends.
var errTooMuch = fmt.Errorf("the archives hold more than %d entries or %d MiB: hand them in without what bots do not need", maxEntries, maxBytes>>20)

// unpack unpacks an archive to a new folder. problems says which entries of that folder are incomplete,
// and why.
func (u *unpacker) unpack(name string) (dir string, problems map[string]error, err error) {
	f, err := os.Open(name)
	if err != nil {
		return "", nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", nil, err
	}
	source := &metered{ReaderAt: f, left: maxDirectory}
	archive, err := zip.NewReader(source, info.Size())
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return "", nil, fmt.Errorf("%s is no zip archive that can be read: %w", filepath.Base(name), err)
	}
	source.opened = true
	dir = filepath.Join(u.scratch, strconv.Itoa(u.archives))
	u.archives++
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", nil, err
	}
	defer root.Close()
	problems = map[string]error{}
	for _, file := range archive.File {
		if u.entries++; u.entries > maxEntries {
			return "", nil, errTooMuch
		}
		name := strings.ReplaceAll(file.Name, `\`, "/") // of old programs for Windows
		top, _, _ := strings.Cut(strings.TrimPrefix(name, "/"), "/")
		if hidden(top) && top != ".." {
			continue
		}
		err := u.write(root, name, file)
		if errors.Is(err, errTooMuch) {
			return "", nil, err
		}
		if err != nil {
			problems[top] = fmt.Errorf("%s: entry %q: %w", filepath.Base(f.Name()), name, err)
		}
	}
	return dir, problems, nil
}

// write writes an entry of an archive.
func (u *unpacker) write(root *os.Root, name string, file *zip.File) error {
	mode := file.Mode()
	switch {
	case !filepath.IsLocal(filepath.FromSlash(name)) || len(name) > maxName || strings.Count(name, "/") > maxDepth:
		return errors.New("its path leads out of the archive, or is too long")
	case file.Flags&1 != 0:
		return errors.New("it is encrypted; hand it in without a password")
	case mode.IsDir():
		return root.MkdirAll(path.Clean(name), 0o700)
	case !mode.IsRegular():
		return errors.New("it is a link or a device; hand in files and folders only")
	}
	if err := root.MkdirAll(path.Dir(name), 0o700); err != nil {
		return err
	}
	from, err := file.Open()
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode.Perm()&0o700|0o600)
	if errors.Is(err, fs.ErrExist) {
		return errors.New("it is in the archive twice")
	}
	if err != nil {
		return err
	}
	limit := u.limit(file)
	n, err := io.Copy(to, io.LimitReader(from, limit+1))
	u.left -= n
	switch {
	case u.left < 0:
		err = errTooMuch
	case err == nil && n > limit:
		err = fmt.Errorf("it is compressed more than %d times", maxRatio)
	}
	return errors.Join(err, to.Close())
}

// limit returns the most bytes that an entry may have by its compression, and by what is left.
func (u *unpacker) limit(file *zip.File) int64 {
	size := int64(min(file.CompressedSize64, maxBytes))
	return min(max(smallFile, size*maxRatio), max(u.left, 0))
}

// metered reads no more than some bytes before it is opened: a list of entries that has no end would
// fill the memory.
type metered struct {
	io.ReaderAt
	left   int
	opened bool
}

func (m *metered) ReadAt(p []byte, at int64) (int, error) {
	if m.left -= len(p); m.left < 0 && !m.opened {
		return 0, errors.New("its list of entries is too long")
	}
	return m.ReaderAt.ReadAt(p, at)
}
