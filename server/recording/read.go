package recording

import (
	"errors"
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
		before, statErr := os.Stat(path)
		err = readOnce(path, read)
		if statErr != nil || !errors.As(err, new(*DamageError)) {
			return err
		}
		after, statErr := os.Stat(path)
		if statErr != nil || after.Size() == before.Size() && after.ModTime().Equal(before.ModTime()) {
			return err
		}
	}
	return err
}

func readOnce(path string, read func(*Reader) error) error {
	r, err := Open(path)
	if err != nil {
		return err
	}
	defer r.Close()
	return read(r)
}
