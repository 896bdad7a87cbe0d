package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// inRoot returns a command that sees nothing but the files below a folder.
func inRoot(dir, program string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Path = program // as it is called in the root
	cmd.Err = nil
	cmd.Dir = "/"
	cmd.Env = []string{}
	cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: dir}
	if id := os.Geteuid(); id != 0 { // others than root may do that in a user namespace of their own
		cmd.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: id, Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{
			{ContainerID: 0, HostID: os.Getegid(), Size: 1},
		}
	}
	return cmd
}

// playIn plays a match in a root that has the program and nothing that it might need.
func playIn(t *testing.T, dir, program string) {
	t.Helper()
	if got, _, _ := strings.Cut(output(t, inRoot(dir, program, "version")), "\n"); got != testVersion {
		t.Errorf("the version is %q; want %s", got, testVersion)
	}
	out := output(t,
		inRoot(dir, program, "play", "--map", "pebble", "--turns", "30", "--record", "/recordings"))
	recordings, err := filepath.Glob(filepath.Join(dir, "recordings/*.hexarena"))
	if err != nil || len(recordings) != 1 {
		t.Fatalf("recordings: %q, %v; hexarena play prints:\n%s", recordings, err, out)
	}
	output(t, inRoot(dir, program, "replay", "verify", strings.TrimPrefix(recordings[0], dir)))
}

func TestArchivePlaysInAnEmptyRoot(t *testing.T) {
	dir := t.TempDir()
	folder := unpack(t, dir)
	program := "/" + filepath.Base(folder) + "/hexarena"
	playIn(t, dir, program)
	licenses, err := os.ReadFile(filepath.Join(folder, "THIRD_PARTY.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if output(t, inRoot(dir, program, "version", "--licences")) != string(licenses) {
		t.Error("THIRD_PARTY.txt is not what version --licences prints")
	}
}

func TestWheelPlaysInAnEmptyRoot(t *testing.T) {
	dir := t.TempDir()
	pip := exec.Command("python3", "-m", "pip", "install", "--no-index", "--root", dir, "--prefix",
		"/usr", "--ignore-installed", made(t, ".whl"))
	if out, err := pip.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s\nThis test needs pip (apt-get install python3-pip).", pip, err, out)
	}
	var programs []string
	// where pip puts commands, and where Debian's does
	for _, pattern := range []string{"usr/bin/hexarena", "usr/local/bin/hexarena"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		programs = append(programs, found...)
	}
	if len(programs) != 1 {
		t.Fatalf("pip has installed the programs %q; want one", programs)
	}
	playIn(t, dir, strings.TrimPrefix(programs[0], dir))
}

// The archive has a bot and its kit in each language; the one in Python plays with them.
func TestKitsOfTheArchive(t *testing.T) {
	folder := unpack(t, t.TempDir())
	for _, file := range []string{
		"python/bot.py", "python/hexarena.py", "javascript/bot.js", "javascript/hexarena.js",
		"java/Bot.java", "java/Hexarena.java", "java/Hexabomb.java",
		"cpp/bot.cpp", "cpp/hexarena.hpp", "cpp/hexabomb.hpp", "rust/bot.rs", "rust/hexarena.rs",
		"rust/hexabomb.rs",
		"go/bot.go", "go/hexarena.go", "go/hexabomb.go",
	} {
		if _, err := os.Stat(filepath.Join(folder, "kits", file)); err != nil {
			t.Error(err)
		}
	}
	play := exec.Command("./hexarena", "play", "kits/python/bot.py", "painter", "--strict", "--map",
		"pebble", "--turns", "30", "--http", "", "--record", "")
	play.Dir = folder
	output(t, play)
}
