// Package filelock locks files, and makes temporary folders whose lock shows that they are in use,
// so that those of processes that were killed can be removed.
package filelock

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// prefix begins the names of temporary folders.
const prefix = "hexarena-"

// lockName is the file in a temporary folder that its process has locked.
const lockName = "lock"

// Temp is a temporary folder of this process.
type Temp struct {
	Dir  string
	lock *os.File
}

// MkdirTemp makes a temporary folder. The caller must call Close.
func MkdirTemp() (*Temp, error) {
	dir, err := os.MkdirTemp("", prefix)
	if err != nil {
		return nil, fmt.Errorf("a folder for temporary files: %w; name one in TMPDIR that exists and "+
			"can be written to", err)
	}
	t := &Temp{Dir: dir}
	if t.lock, err = lockNew(dir); err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

// lockNew makes the lock of a folder. It has its name only when it is locked: RemoveAbandoned takes
// a file that is not for one whose process has ended.
func lockNew(dir string) (*os.File, error) {
	unlocked := filepath.Join(dir, "new")
	f, err := os.Create(unlocked)
	if err != nil {
		return nil, err
	}
	if err = Lock(f); err == nil {
		err = os.Rename(unlocked, filepath.Join(dir, lockName))
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// Close removes the folder.
func (t *Temp) Close() {
	if t.lock != nil {
		_ = t.lock.Close() // first: Windows does not remove open files
	}
	_ = os.RemoveAll(t.Dir)
}

// RemoveAbandoned removes the temporary folders of this user whose processes have ended without
// Close. It keeps what it cannot remove.
func RemoveAbandoned() {
	entries, err := os.ReadDir(os.TempDir())
	if err != nil {
		return
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !e.IsDir() || !strings.HasPrefix(e.Name(), prefix) || !owned(info) {
			continue
		}
		dir := filepath.Join(os.TempDir(), e.Name())
		if f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR, 0); err == nil {
			if err := Lock(f); err == nil {
				(&Temp{dir, f}).Close()
			} else {
				_ = f.Close()
			}
		}
	}
}
