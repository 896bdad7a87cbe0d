package recording

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"github.com/hexarena/hexarena/server/machine/disk"
)

// CheckFolder makes a folder for recordings if needed, and returns why files cannot be
// written there. A full disk is not an error: there may be space later. An empty name stands
// for no folder.
func CheckFolder(name string) error {
	if name == "" {
		return nil
	}
	const advice = `name a folder, which is made when needed, or "" for none`
	if info, err := os.Stat(name); err == nil && !info.IsDir() {
		return errors.New("is a file; " + advice)
	}
	if err := disk.MakeFolder(name, disk.PrivateFolder); err != nil {
		return fmt.Errorf("cannot be made: %w; %s", cause(err), advice)
	}
	f, err := os.CreateTemp(name, ".writable-*")
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return nil
	case err != nil:
		return fmt.Errorf("files cannot be written there: %w; %s", cause(err), advice)
	}
	_ = f.Close()
	return os.Remove(f.Name())
}

// cause returns the error of the system, without the name of the file.
func cause(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
