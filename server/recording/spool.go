package recording

import (
	"errors"
	"fmt"
	"io"
	"time"
)

// spool writes a file when the disk allows it: what the disk does not take is queued and
// tried again later. If the file is deleted meanwhile, it is created again with what can
// still be read of it.
type spool struct {
	create func() (*file, error)
	notify func(error) // called with an error, and with nil when writing works again
	packer *Packer     // compresses the file at the end

	file    *file // nil if it could not be created
	waiting []byte
	step    int       // the last turn in the file
	latest  int       // the last turn that was appended
	retry   time.Time // when to try again; zero while nothing is wrong
	looked  time.Time // when the file was last checked for deletion
}

const (
	// retryInterval is the time between attempts to write after an error.
	retryInterval = time.Second
	// maxWaiting is the most bytes in the queue. A recording that needs more ends.
	maxWaiting = 64 << 20
)

var (
	errDeleted = errors.New("the file was deleted")
	errGaveUp  = fmt.Errorf("the disk accepted nothing while %d MiB were waiting to be written",
		maxWaiting>>20)
)

// append writes a turn or queues it. It returns an error when it gives up.
func (s *spool) append(step int, line []byte) error {
	s.latest = step
	if s.retry.IsZero() {
		err := s.write(line)
		if err == nil {
			s.step = step
			return nil
		}
		s.notify(err)
	}
	if len(s.waiting)+len(line) > maxWaiting {
		return errGaveUp
	}
	s.waiting = append(s.waiting, line...)
	switch now := time.Now(); {
	case s.retry.IsZero():
		s.retry = now.Add(retryInterval)
	case !now.Before(s.retry):
		_ = s.flush()
	}
	return nil
}

// flush tries to write the queue.
func (s *spool) flush() error {
	if s.retry.IsZero() {
		return nil
	}
	if err := s.write(s.waiting); err != nil {
		s.retry = time.Now().Add(retryInterval)
		return err
	}
	s.waiting, s.retry, s.step = nil, time.Time{}, s.latest
	s.notify(nil)
	return nil
}

func (s *spool) write(data []byte) error {
	if s.file != nil && s.deleted() {
		if err := s.recreate(); err != nil {
			return errors.Join(errDeleted, err)
		}
		if s.retry.IsZero() { // otherwise an error was already reported
			s.notify(errDeleted)
			s.notify(nil)
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

// deleted reports whether the file was deleted. It checks at most once a second.
func (s *spool) deleted() bool {
	now := time.Now()
	if now.Sub(s.looked) < retryInterval {
		return false
	}
	s.looked = now
	return s.file.disk.Deleted(s.file.File)
}

// recreate copies the deleted file into a new one.
func (s *spool) recreate() error {
	s.looked = time.Time{} // check again until it succeeds
	f, err := s.create()
	if err != nil {
		return err
	}
	f.size, err = io.Copy(io.NewOffsetWriter(f, 0), io.NewSectionReader(s.file, 0, s.file.size))
	if err != nil {
		_ = f.close()
		_ = f.disk.Remove(f.Name())
		return err
	}
	_ = s.file.close()
	s.file = f
	return nil
}

// path returns the file's name, or "" if there is no file.
func (s *spool) path() string {
	if s.file == nil {
		return ""
	}
	return s.file.Name()
}

// end packs and closes the file, which must be complete. Packing writes all of it again, so
// that it does not matter whether a sync has failed before.
func (s *spool) end() error {
	s.file.stopSyncs()
	return errors.Join(s.file.pack(s.packer), s.file.close())
}

// abandon closes the file without packing it.
func (s *spool) abandon() {
	if s.file != nil {
		_ = s.file.close()
	}
}
