package main

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// writeTo lets write fill the file of that name, or stdout for -. The file
// appears when it is whole: what write fails at, or is interrupted in, leaves
// nothing behind and changes no file that was there before.
func writeTo(name string, stdout io.Writer, write func(io.Writer) error) (err error) {
	if name == "-" {
		return write(stdout)
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return writeInto(name, write) // a pipe or a device: it cannot be replaced
	}
	part := fmt.Sprintf("%s.%d.part", name, os.Getpid())
	if err := writeInto(part, write); err != nil {
		return errors.Join(err, os.RemoveAll(part))
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
