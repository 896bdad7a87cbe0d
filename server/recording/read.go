package recording

import (
	"errors"
	"io/fs"
	"os"
)

// readAttempts is how often Read tries. A recorder replaces the lines of a file by
// compressed ones once, when the match ends.
const readAttempts = 3

// Read opens a recording and calls read with it. If the file proves damaged and has changed
// since it was opened, as when its match has just ended and the recorder is compressing it,
// Read starts again: read must be able to discard what it did before. Errors of opening
// contain the path.
func Read(path string, read func(*Reader) error) (err error) {
	for range readAttempts {
		var r *Reader
		var opened fs.FileInfo
		r, opened, err = open(path)
		if err == nil {
			err = read(r)
			r.Close()
		}
		if !changed(path, opened, err) {
			break
		}
	}
	return err
}

// changed reports whether a file that could not be read, and was like this when it was opened, is
// another one by now: the recorder may be compressing it.
func changed(path string, opened fs.FileInfo, err error) bool {
	return (errors.As(err, new(*DamageError)) || errors.Is(err, ErrForeign)) && !same(path, opened)
}

// same reports whether a file is as it was when it was opened. Its size is compared too, since
// the clocks of file systems are coarse.
func same(path string, opened fs.FileInfo) bool {
	now, err := os.Stat(path)
	return err != nil || now.Size() == opened.Size() && now.ModTime().Equal(opened.ModTime())
}
