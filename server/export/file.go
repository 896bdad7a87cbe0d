package export

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// ToFile calls write for the file of that name, or for stdout if the name is -. The file
// appears when it is complete: if write fails or is interrupted, an older file stays as it
// was, and nothing else is left.
func ToFile(name string, stdout io.Writer, write func(io.Writer) error) (err error) {
	if name == "-" {
		return write(stdout)
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return writeInto(name, write) // a pipe or a device: it cannot be replaced
	}
	part := fmt.Sprintf("%s.%d.part", name, os.Getpid())
	if err := writeInto(part, write); err != nil {
		if at := (*fs.PathError)(nil); errors.As(err, &at) && at.Path == part {
			at.Path = name // the name that the user gave
		}
		_ = os.Remove(part) // fails where the disk is read-only, and nothing was made
		return err
	}
	return os.Rename(part, name)
}

func writeInto(name string, write func(io.Writer) error) (err error) {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return write(f)
}
