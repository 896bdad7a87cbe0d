package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Each file of this package is a command, except for a few: what commands share or need beyond
// flags and printing belongs in packages.
func TestFilesAreCommands(t *testing.T) {
	const most = 6
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var others []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(file, "_test.go") && !bytes.Contains(text, []byte("&cobra.Command{")) {
			others = append(others, file)
		}
	}
	if len(others) > most {
		t.Errorf("%d files define no command: %v; want at most %d", len(others), others, most)
	}
}
