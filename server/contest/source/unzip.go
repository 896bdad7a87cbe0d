package source

import (
	"archive/zip"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

const (
	// maxCourseBytes limits all that the archives of a course hold together: a course of 400 with 5 MB
	// each fits. The largest submission is refused when there is more, so that one does not harm
	// the others.
	maxCourseBytes = 2 << 30

	// Limits of a submission. A bot may have 256 MiB in 5000 files; its own archive in that of the
	// course counts as well, and so do folders.
	maxOneBytes   = 512 << 20
	maxOneEntries = 10_000

	// entryBytes counts for each entry beside its content: an empty file takes a block of the disk.
	entryBytes = 4 << 10
)

// Program text shrinks to a fifth, zeros to a thousandth. A small file may be of zeros.
const (
	maxRatio  = 100
	smallFile = 1 << 20
)

const (
	maxDirectory = 16 << 20 // bytes of an archive's list of entries: 300 for each of 50 000
	maxName      = 1 << 10  // bytes of an entry's path
	maxDepth     = 32       // folders of an entry's path
)

// unpacker unpacks archives.
type unpacker struct {
	scratch    string
	archives   int
	oneEntries int
	oneBytes   int64
	left       int64 // bytes for all submissions
	all        []*spent
}

// spent is what the archives of a submission hold.
type spent struct {
	entries int
	bytes   int64
	dirs    []string // files and folders that are the submission's
	err     error    // why the submission is refused
}

// size returns the bytes that the submission takes on a disk.
func (s *spent) size() int64 { return s.bytes + int64(s.entries)*entryBytes }

func newUnpacker(scratch string) *unpacker {
	return &unpacker{
		scratch: scratch, oneEntries: maxOneEntries, oneBytes: maxOneBytes, left: maxCourseBytes,
	}
}

// submission adds a submission.
func (u *unpacker) submission() *spent {
	s := &spent{}
	u.all = append(u.all, s)
	return s
}

// refuse refuses a submission, whose files it removes.
func (u *unpacker) refuse(s *spent, why error) {
	s.err = why
	for _, dir := range s.dirs {
		_ = os.RemoveAll(dir) // what stays by mistake goes with the scratch folder
	}
	u.left += s.size()
	s.entries, s.bytes = 0, 0
}

// refuseLargest refuses the largest submissions while all together are too large.
func (u *unpacker) refuseLargest() {
	for u.left < 0 {
		largest := slices.MaxFunc(u.all, func(a, b *spent) int { return cmp.Compare(a.size(), b.size()) })
		u.refuse(
			largest,
			fmt.Errorf("the submissions hold more than %d MiB, and this is the largest: hand it in without "+
				"what the bot does not need", maxCourseBytes>>20),
		)
	}
}

// openZip is an open archive.
type openZip struct {
	*zip.Reader
	name   string
	source *metered
	file   *os.File
}

func openArchive(name string) (*openZip, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	a := &openZip{name: filepath.Base(name), file: f}
	info, err := f.Stat()
	if err == nil {
		a.source = &metered{ReaderAt: f, left: maxDirectory}
		a.Reader, err = zip.NewReader(a.source, info.Size())
	}
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		_ = f.Close()
		return nil, fmt.Errorf("%s is no zip archive that can be read: %w", a.name, err)
	}
	a.source.opened = true
	return a, nil
}

// close closes the archive's file.
func (a *openZip) close() { _ = a.file.Close() }

// paths returns the paths of the entries, with slashes, which old programs for Windows do not
// write.
func (a *openZip) paths() (list []string) {
	for _, file := range a.File {
		list = append(list, strings.ReplaceAll(file.Name, `\`, "/"))
	}
	return list
}

// makeDir makes a folder for an archive.
func (u *unpacker) makeDir() (string, error) {
	dir := filepath.Join(u.scratch, strconv.Itoa(u.archives))
	u.archives++
	return dir, os.MkdirAll(dir, 0o700)
}

// unpack unpacks an archive to a folder. owner returns the submission that the entry with a path is
// part of, and the path that the entry gets; it returns nil for an entry that is left out.
func (u *unpacker) unpack(
	a *openZip, dir string, owner func(path string) (s *spent, to string),
) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for i, path := range a.paths() {
		s, to := owner(path)
		if s == nil || s.err != nil {
			continue
		}
		err := u.write(root, to, a.File[i], a.source, s)
		if err != nil && !errors.Is(err, errTooMuch) {
			err = fmt.Errorf("%s: entry %q: %w", a.name, to, err)
		}
		if err != nil {
			u.refuse(s, err)
		}
		u.refuseLargest()
	}
	return nil
}

// errTooMuch is why a submission is refused.
var errTooMuch = errors.New("it holds too much")

// tooMuch returns errTooMuch with the limits of a submission.
func (u *unpacker) tooMuch() error {
	return fmt.Errorf("%w: want at most %d entries and %d KiB; leave out what the bot does not need",
		errTooMuch, u.oneEntries, u.oneBytes>>10)
}

// write writes an entry of an archive.
func (u *unpacker) write(
	root *os.Root, name string, file *zip.File, source *metered, s *spent,
) error {
	if s.entries++; s.entries > u.oneEntries {
		return u.tooMuch()
	}
	u.left -= entryBytes
	mode := file.Mode()
	switch {
	case !filepath.IsLocal(filepath.FromSlash(name)) || len(name) > maxName ||
		strings.Count(name, "/") > maxDepth:
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
	return errors.Join(u.copy(to, from, source, s), to.Close())
}

// copy copies the content of an entry. Its limits follow from the bytes that are read and written,
// not from those that the archive declares.
func (u *unpacker) copy(to io.Writer, from io.Reader, source *metered, s *spent) error {
	const chunk = 64 << 10 // more than that over a limit is not written
	before := source.read
	var size int64
	for {
		n, err := io.CopyN(to, from, chunk)
		size += n
		s.bytes += n
		u.left -= n
		switch {
		case s.bytes > u.oneBytes:
			return u.tooMuch()
		case size > max(smallFile, maxRatio*(source.read-before)):
			return fmt.Errorf("it is compressed more than %d times", maxRatio)
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}

// metered counts the bytes that are read, which are no more than some before it is opened: a list
// of entries that has no end would fill the memory.
type metered struct {
	io.ReaderAt
	left   int
	opened bool
	read   int64
}

func (m *metered) ReadAt(p []byte, at int64) (int, error) {
	if m.left -= len(p); m.left < 0 && !m.opened {
		return 0, errors.New("its list of entries is too long")
	}
	n, err := m.ReaderAt.ReadAt(p, at)
	m.read += int64(n)
	return n, err
}
