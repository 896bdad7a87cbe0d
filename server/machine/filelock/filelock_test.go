package filelock

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// The test binary is also a process that has a temporary folder until it is killed.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == "filelock-test" {
		t, err := MkdirTemp()
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println(t.Dir)
		_, _ = io.Copy(io.Discard, os.Stdin)
	}
	os.Exit(m.Run())
}

// Temporary folders of running processes and other files are kept; folders of killed processes are
// removed.
func TestRemoveAbandoned(t *testing.T) {
	temp := t.TempDir()
	for _, name := range []string{"TMPDIR", "TMP"} { // of Unix and Windows
		t.Setenv(name, temp)
	}
	strange := filepath.Join(temp, prefix+"other")
	if err := os.Mkdir(strange, 0o755); err != nil {
		t.Fatal(err)
	}
	mine, err := MkdirTemp()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "filelock-test")
	stdin, open, err1 := os.Pipe()
	out, stdout, err2 := os.Pipe()
	cmd.Stdin, cmd.Stdout = stdin, stdout
	if err := errors.Join(err1, err2, cmd.Start()); err != nil {
		t.Fatal(err)
	}
	defer open.Close() // the process waits for that
	line, err := bufio.NewReader(out).ReadString('\n')
	theirs := strings.TrimSpace(line)
	check := func(when, dir string, there bool) {
		t.Helper()
		if _, err := os.Stat(dir); (err == nil) != there {
			t.Errorf("%s: %s: %v, want that it is there: %t", when, dir, err, there)
		}
	}
	RemoveAbandoned()
	check("while both run", mine.Dir, true)
	check("while both run", theirs, true)
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	check("after a kill", theirs, true)
	RemoveAbandoned()
	check("after a kill", theirs, false)
	check("after a kill", mine.Dir, true)
	check("after a kill", strange, true)
	mine.Close()
	check("when closed", mine.Dir, false)
	if err != nil {
		t.Errorf("%q, %v, want a folder", line, err)
	}
}

// A file that is unlocked can be locked although a process that was started has a copy of it.
func TestUnlock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	open := func() *os.File {
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := Lock(f); err != nil {
			t.Fatal(err)
		}
		return f
	}
	f := open()
	child := exec.Command(os.Args[0], "filelock-test")
	child.Env = append(os.Environ(), "TMPDIR="+t.TempDir())
	if runtime.GOOS != "windows" {
		child.ExtraFiles = []*os.File{f}
	}
	in, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	Unlock(f)
	Unlock(open())
	_ = in.Close()
	_ = child.Process.Kill()
	_ = child.Wait()
}
