package cup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/server/contest/plan"
)

// A folder of another cup is refused with what differs; the same plan goes on in it, one process at
// a time.
func TestFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cups", "one")
	c := contest(t, plan.RoundRobin, 12, 2, []string{"random", "painter"}, "pebble")
	first, err := OpenFolder(dir, c, []MapFile{{Name: "my/map", Text: []byte("{}")}})
	if err != nil || !first.Fresh {
		t.Fatalf("a new folder is %+v, %v", first, err)
	}
	if _, err := os.Stat(filepath.Join(dir, mapsDir, "my_map.json")); err != nil {
		t.Error(err)
	}
	if _, err := OpenFolder(dir, c, nil); err == nil ||
		!strings.Contains(err.Error(), "another process") {
		t.Errorf("a folder that is in use opens with %v", err)
	}
	first.Close()
	again, err := OpenFolder(dir, c, nil)
	if err != nil || again.Fresh {
		t.Fatalf("the folder opens again with %+v, %v", again, err)
	}
	again.Close()

	other := contest(t, plan.RoundRobin, 24, 2, []string{"random", "hunter"}, "pebble")
	_, err = OpenFolder(dir, other, nil)
	for _, want := range []string{
		"another cup", "count was 12 and is 24", "bots 2 seat was painter and is hunter",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("a folder with another plan opens with %v, want %q in it", err, want)
		}
	}

	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "thesis.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenFolder(full, c, nil); err == nil || !strings.Contains(err.Error(), "thesis.txt") {
		t.Errorf("a folder with other files opens with %v", err)
	}
}
