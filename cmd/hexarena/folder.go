package main

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// checkFolder makes a folder for recordings when needed, and reports why files cannot
// be written there. A full disk is no fault: there may be room later. The empty
// name stands for no folder.
func checkFolder(name string) error {
	if name == "" {
		return nil
	}
	const advice = `name a folder, which is made when needed, or "" for none`
	if info, err := os.Stat(name); err == nil && !info.IsDir() {
		return fmt.Errorf("%q is a file; %s", name, advice)
	}
	if err := os.MkdirAll(name, 0o755); err != nil {
		return fmt.Errorf("%w; %s", err, advice)
	}
	f, err := os.CreateTemp(name, ".writable-*")
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return nil
	case err != nil:
		return fmt.Errorf("files cannot be written in %q: %w; %s", name, cause(err), advice)
	}
	_ = f.Close()
	return os.Remove(f.Name())
}

// cause returns what the system says, without the name of the file that was tried.
func cause(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
