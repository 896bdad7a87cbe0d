package event

import (
	"bytes"
	"errors"

	"github.com/hexarena/hexarena/server/machine/disk"
)

// logFile is a file of lines, each of which is on the disk once it is added.
type logFile struct {
	file disk.File
	end  int64
	torn bool // there may be something after the end
}

// openLog opens a log, cuts off a last line that was being written, and returns the text of the
// other lines. A line with a zero byte, which a loss of power leaves, ends it as well.
func openLog(d disk.Disk, path string) (l *logFile, text []byte, err error) {
	file, err := d.OpenWrite(path)
	if err != nil {
		return nil, nil, err
	}
	l = &logFile{file: file}
	text, err = disk.ReadLog(d, path)
	for err == nil {
		line, _, whole := bytes.Cut(text[l.end:], []byte("\n"))
		if !whole || bytes.IndexByte(line, 0) >= 0 {
			break
		}
		l.end += int64(len(line)) + 1
	}
	if err == nil {
		err = disk.Recover(file, l.end)
	}
	if err != nil {
		_ = file.Close()
		return nil, nil, err
	}
	return l, text[:l.end], nil
}

// add adds lines, each with a line feed, and returns once they are on the disk. After an error, the
// bytes that were written are cut off, at once or before the next lines are written: otherwise a
// part of them could follow a shorter line.
func (l *logFile) add(lines []byte) error {
	if err := l.cut(); err != nil {
		return err
	}
	l.torn = true
	_, err := l.file.WriteAt(lines, l.end)
	if err == nil {
		err = l.file.Sync()
	}
	if err == nil {
		l.end += int64(len(lines))
	}
	if err == nil {
		l.torn = false
	}
	return errors.Join(err, l.cut())
}

// cut cuts off the bytes that a failed write has left.
func (l *logFile) cut() error {
	if !l.torn {
		return nil
	}
	err := l.file.Truncate(l.end)
	l.torn = err != nil
	return err
}
