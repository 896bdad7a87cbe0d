package hexabomb

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// mutants are wrong rules. Each is a piece of a file that is there exactly once
// and what it would be if the rule were understood wrongly.
var mutants = []struct{ name, file, old, new string }{
	{
		"bombs can be walked over", "apply.go",
		"return c.living == none && c.bomb == none", "return c.living == none",
	},
	{
		"blocked actions are not tried again", "apply.go",
		"for moved && len(g.kept) > 0 {", "for moved && false {",
	},
	{
		"the last action of a character counts as well", "actions.go",
		"case g.seen[a.id] == g.entry:", "case false:",
	},
	{
		"bombs explode a turn too early", "apply.go",
		"due: g.turn + a.delay}", "due: g.turn + a.delay - 1}",
	},
	{
		"bombs do not set off others", "explode.go",
		"if c.bomb != none {", "if false {",
	},
	{
		"equally close bombs: the last one colours", "explode.go",
		"c.blastColor = 0", "c.blastColor = color",
	},
	{
		"the closest bomb does not colour", "explode.go",
		"case dist < c.blastDist:", "case false:",
	},
	{
		"the dead are not struck again", "explode.go",
		"if c.special || at.blastIn != g.turn {", "if c.special || !c.alive || at.blastIn != g.turn {",
	},
	{
		"special characters lose their cell", "explode.go",
		"c.living == none || !g.chars[c.living].special", "true",
	},
	{
		"the dead of sudden death go on scoring", "game.go",
		"case p >= g.specials && a.alive > 0:", "case p >= g.specials:",
	},
}

// TestMutants holds that the recorded games and the model notice every mutant:
// it runs their tests again, on the package as it would be.
func TestMutants(t *testing.T) {
	for _, m := range mutants {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			path, err := filepath.Abs(m.file)
			if err != nil {
				t.Fatal(err)
			}
			overlay := overlayWith(t, path, m.old, m.new)
			cmd := exec.Command("go", "test", "-overlay="+overlay, "-run=^(TestVectors|TestModel)$",
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

// overlayWith writes a changed copy of a file and the description that has go
// test take it for the file.
func overlayWith(t *testing.T, path, old, changed string) (overlay string) {
	t.Helper()
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(source), old); n != 1 {
		t.Fatalf("%s holds %q %d times, want it once", path, old, n)
	}
	dir := t.TempDir()
	mutant := filepath.Join(dir, filepath.Base(path))
	overlay = filepath.Join(dir, "overlay.json")
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {path: mutant}})
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{
		mutant:  []byte(strings.Replace(string(source), old, changed, 1)),
		overlay: replace,
	} {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return overlay
}
