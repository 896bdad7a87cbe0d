package enginetest

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Mutant is a wrong rule: Old occurs exactly once in File, and New replaces it.
type Mutant = struct{ Name, File, Old, New string }

// CheckMutants checks that the tests selected by run (a -run pattern of go test)
// fail for every mutant of the package in the working directory.
func CheckMutants(t *testing.T, run string, mutants []Mutant) {
	for _, m := range mutants {
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command("go", "test", "-overlay="+Overlay(t, m), "-run="+run,
				"-short", "-failfast", "-count=1", "-vet=off", ".")
			out, err := cmd.CombinedOutput()
			if err == nil {
				t.Fatalf("no test fails:\n%s", out)
			}
			if text := string(out); !strings.Contains(text, "--- FAIL: Test") ||
				strings.Contains(text, "[build failed]") {
				t.Fatalf("go test failed for another reason: %v\n%s", err, out)
			}
		})
	}
}

// Overlay writes the mutated copy of a file and returns the path of the description
// that go build and go test take by -overlay.
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
