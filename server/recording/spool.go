package recording

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"
)

// spool is a file that is written when the disk lets it be: what the disk does
// not take waits, and is tried again now and then. A file that somebody deletes
// is made anew, from what can still be read of it.
type spool struct {
	create func() (*file, error)
	tell   func(error) // that something goes wrong; nil: no longer

	file    *file // nil: it could not be made
	waiting []byte
	step    int       // the last turn that is in the file
	latest  int       // the last turn that was appended
	retry   time.Time // not before this; zero: nothing is wrong
	looked  time.Time // when the file was seen last
}

const (
	// retryEvery is how long the disk is left alone after it refused.
	retryEvery = time.Second
	// maxWaiting bounds what waits, in bytes. A recording that needs more ends.
	maxWaiting = 64 << 20
)

var (
	errDeleted = errors.New("somebody deleted it")
	errGaveUp  = fmt.Errorf("the disk took nothing while %d MiB were to be written", maxWaiting>>20)
)

// append writes a turn, or keeps it for later. It fails when it gives up.
func (s *spool) append(step int, line []byte) error {
	s.latest = step
	if s.retry.IsZero() {
		err := s.write(line)
		if err == nil {
			s.step = step
			return nil
		}
		s.tell(err)
	}
	if len(s.waiting)+len(line) > maxWaiting {
		return errGaveUp
	}
	s.waiting = append(s.waiting, line...)
	switch now := time.Now(); {
	case s.retry.IsZero():
		s.retry = now.Add(retryEvery)
	case !now.Before(s.retry):
		_ = s.flush()
	}
	return nil
}

// flush tries to write what waits.
func (s *spool) flush() error {
	if s.retry.IsZero() {
		return nil
	}
	if err := s.write(s.waiting); err != nil {
		s.retry = time.Now().Add(retryEvery)
		return err
	}
	s.waiting, s.retry, s.step = nil, time.Time{}, s.latest
	s.tell(nil)
	return nil
}

func (s *spool) write(data []byte) error {
	if s.file != nil && s.deleted() {
		if err := s.remake(); err != nil {
			return errors.Join(errDeleted, err)
		}
		if s.retry.IsZero() { // else it was told
			s.tell(errDeleted)
			s.tell(nil)
		}
	}
	if s.file == nil {
		f, err := s.create()
		if err != nil {
			return err
		}
		s.file, s.looked = f, time.Now()
	}
	return s.file.append(data)
}

// deleted says whether the file's name does not lead to it any more. It looks
// once a second at the most.
func (s *spool) deleted() bool {
	now := time.Now()
	if now.Sub(s.looked) < retryEvery {
		return false
	}
	s.looked = now
	there, err := os.Stat(s.file.Name())
	if err != nil {
		return errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
	}
	ours, err := s.file.Stat()
	return err == nil && !os.SameFile(there, ours)
}

// remake writes what the deleted file holds into a new one.
func (s *spool) remake() error {
	s.looked = time.Time{} // until there is one, it is deleted
	f, err := s.create()
	if err != nil {
		return err
	}
	f.size, err = io.Copy(io.NewOffsetWriter(f, 0), io.NewSectionReader(s.file, 0, s.file.size))
	if err != nil {
		_ = f.close()
		_ = os.Remove(f.Name())
		return err
	}
	_ = s.file.close()
	s.file = f
	return nil
}

// path is the file's name, "" if there is none.
func (s *spool) path() string {
	if s.file == nil {
		return ""
	}
	return s.file.Name()
}

// end packs and closes the file, in which everything is.
func (s *spool) end() error { return errors.Join(s.file.pack(), s.file.close()) }

// abandon closes the file as it is.
func (s *spool) abandon() {
	if s.file != nil {
		_ = s.file.close()
	}
}
