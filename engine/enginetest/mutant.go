package enginetest

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Mutant is a wrong rule: a piece of a file that is there exactly once, and what
// it would be if the rule were understood wrongly.
type Mutant = struct{ Name, File, Old, New string }

// Notice holds that tests notice every mutant: it runs them again, on the package
// in the working directory as it would be. run is which, as go test -run has it.
func Notice(t *testing.T, run string, mutants []Mutant) {
	for _, m := range mutants {
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command("go", "test", "-overlay="+Overlay(t, m), "-run="+run,
				"-short", "-failfast", "-count=1", "-vet=off", ".")
			out, err := cmd.CombinedOutput()
			if err == nil {
				t.Fatalf("nobody notices; go test says\n%s", out)
			}
			if text := string(out); !strings.Contains(text, "--- FAIL: Test") || strings.Contains(text, "[build failed]") {
				t.Fatalf("go test did not get as far as a failing test: %v\n%s", err, out)
			}
		})
	}
}

// Overlay writes a changed copy of the file and the description that has go test and
// go build take it for the file.
func Overlay(t *testing.T, m Mutant) (description string) {
	t.Helper()
	path, err := filepath.Abs(m.File)
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(source), m.Old); n != 1 {
		t.Fatalf("%s holds %q %d times, want it once", path, m.Old, n)
	}
	dir := t.TempDir()
	mutant := filepath.Join(dir, filepath.Base(path))
	description = filepath.Join(dir, "overlay.json")
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {path: mutant}})
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{
		mutant:      []byte(strings.Replace(string(source), m.Old, m.New, 1)),
		description: replace,
	} {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return description
}
