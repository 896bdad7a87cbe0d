package kits_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/bots/kits"
	"github.com/hexarena/hexarena/bots/script"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// The engine that hexarena brings along has all conversations that Node has over standard input and
// output. Its simulators need no program beside it.
func TestVectorsOfTheEngine(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("vectors/*.json")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no vectors: %v", err)
	}
	k := kits.In("javascript")
	argv, err := script.Command(filepath.Join(k.Folder, k.Vectors), 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		v := readVector(t, path)
		name := strings.TrimSuffix(filepath.Base(path), ".json")
		if v.Wire == "tcp" || !v.concerns(k, thorough.Size("tcp", "stdio")) ||
			!thorough.Enabled && !slices.Contains(basic, name) {
			continue
		}
		if name == "simulator-without" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			play(t, v, "stdio", argv)
		})
	}
}
