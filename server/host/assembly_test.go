package host_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The parts of a match are made in one place, here: a command, a route or a match of a
// series describes its match.
func TestOnePlaceMakesMatches(t *testing.T) {
	const root = "../.."
	calls := map[string][]string{}
	for _, folder := range []string{"server", "cmd"} {
		err := filepath.WalkDir(filepath.Join(root,
			folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			for _, call := range []string{
				"match.New(", "recording.New(", "feed.New(", "result.New(", "web.Listen", "web.ListenNear",
			} {
				if strings.Contains(string(text), call) {
					calls[call] = append(calls[call],
						filepath.ToSlash(strings.TrimPrefix(path, root+string(filepath.Separator))))
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(calls) < 5 {
		t.Errorf("only these calls were found: %v", calls)
	}
	for call, files := range calls {
		for _, file := range slices.Compact(files) {
			if filepath.ToSlash(filepath.Dir(file)) != "server/host" {
				t.Errorf("%s calls %s; describe the match to a host instead", file,
					strings.TrimSuffix(call, "("))
			}
		}
	}
}
