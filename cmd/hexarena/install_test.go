package main

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/cobra"
)

// Links beside the program are relative, so that the folder can be moved.
func TestInstallBeside(t *testing.T) {
	folder, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	self := filepath.Join(folder, "hexarena")
	if err := os.WriteFile(self, []byte("program"), 0o755); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := install(noOutput(), self, folder, false); err != nil {
			t.Fatal(err)
		}
	}
	for name := range programs {
		if to, err := os.Readlink(filepath.Join(folder, name)); err != nil || to != "hexarena" {
			t.Errorf("%s links to %q, %v", name, to, err)
		}
	}
	list, err := os.ReadDir(folder)
	if err != nil || len(list) != 1+len(programs) {
		t.Errorf("the folder holds %v, %v", list, err)
	}
}

// A program that was renamed is not replaced by a link to itself.
func TestInstallRenamed(t *testing.T) {
	folder := t.TempDir()
	self := filepath.Join(folder, "netorcai")
	if err := os.WriteFile(self, []byte("program"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := install(noOutput(), self, folder, true); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(self); err != nil || string(text) != "program" {
		t.Errorf("the program is %q, %v", text, err)
	}
}

func TestWriteNew(t *testing.T) {
	name := filepath.Join(t.TempDir(), "program")
	if err := writeNew(name, []byte("program"), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(name); err != nil || string(text) != "program" {
		t.Errorf("the file is %q, %v", text, err)
	}
	if writeNew(name, nil, 0o600) == nil {
		t.Error("the existing file was overwritten")
	}
}

func TestProgramName(t *testing.T) {
	for path, want := range map[string]string{
		"netorcai": "netorcai", "/usr/bin/netorcai": "netorcai", "./hexabomb": "hexabomb",
		"netorcai.exe": "netorcai", "netorcai.EXE": "netorcai", "hexarena": "hexarena",
		"netorcai.old": "netorcai.old",
	} {
		if got := programName(filepath.FromSlash(path)); got != want {
			t.Errorf("programName(%s) = %s, want %s", path, got, want)
		}
	}
}

// noOutput returns the output of a command that prints nothing.
func noOutput() *output {
	cmd := &cobra.Command{}
	cmd.SetOut(io.Discard)
	return addOutput(cmd)
}
