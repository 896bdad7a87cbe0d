package disk

import (
	"bytes"
	"errors"
)

// Log is a file of lines that grows at its end.
type Log struct {
	File
	End  int64 // the offset after the last line
	torn bool  // there may be something after the end
}

// OpenLog opens a log, cuts off a last line that was being written, and returns the text of the
// other lines. A line with a zero byte, which a loss of power leaves, ends it as well.
func OpenLog(d Disk, path string) (l *Log, text []byte, err error) {
	file, err := d.OpenWrite(path)
	if err != nil {
		return nil, nil, err
	}
	l = &Log{File: file}
	text, err = ReadLog(d, path)
	for err == nil {
		line, _, whole := bytes.Cut(text[l.End:], []byte("\n"))
		if !whole || bytes.IndexByte(line, 0) >= 0 {
			break
		}
		l.End += int64(len(line)) + 1
	}
	if err == nil {
		err = Recover(file, l.End)
	}
	if err != nil {
		_ = file.Close()
		return nil, nil, err
	}
	return l, text[:l.End], nil
}

// OpenLogAt opens a log whose lines end at an offset, and cuts off the rest, for good: else a loss
// of power could mix it with what is written next.
func OpenLogAt(d Disk, path string, end int64) (*Log, error) {
	file, err := d.OpenWrite(path)
	if err != nil {
		return nil, err
	}
	if err = Recover(file, end); err != nil {
		_ = file.Close()
	}
	return &Log{File: file, End: end}, err
}

// Write writes lines, each with a line feed. They are on the disk after Sync.
func (l *Log) Write(lines []byte) error {
	_, err := l.WriteAt(lines, l.End)
	if err == nil {
		l.End += int64(len(lines))
	}
	return err
}

// Add writes lines, and returns once they are on the disk. After an error, the bytes that were
// written are cut off, at once or before the next lines are written: otherwise a part of them could
// follow a shorter line.
func (l *Log) Add(lines []byte) error {
	if err := l.Cut(); err != nil {
		return err
	}
	end := l.End
	err := l.Write(lines)
	if err == nil {
		err = l.Sync()
	}
	if err != nil {
		l.End, l.torn = end, true
	}
	return errors.Join(err, l.Cut())
}

// Cut cuts off the bytes that a failed Add has left.
func (l *Log) Cut() error {
	if !l.torn {
		return nil
	}
	err := l.Truncate(l.End)
	l.torn = err != nil
	return err
}
