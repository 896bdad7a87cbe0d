package kits_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/bots/botstest"
	"github.com/hexarena/hexarena/bots/kits"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// vector is a conversation that every kit must have; vectors/README.md describes its form.
type vector struct {
	About     string
	Args, Env []string
	Wire      string
	Languages []string
	Closed    bool
	Steps     []step
	Calls     []map[string]any
}

type step struct {
	Accept            bool
	Want              map[string]any
	Absent            []string
	Send              json.RawMessage
	Content           string
	Split             int
	Bytes             string
	Close             any
	Deaf              bool
	Exit              any
	Stderr, Unprinted []string
}

// basic are the conversations that kits have at ordinary size: matches, a mistake, a kick and a
// lost connection.
var basic = []string{"match", "stay", "failure", "kicked", "reconnect", "restart", "replaced", "simulator"}

// The kits have the basic conversations over one wire, and at full size each kit has all of them
// over each.
func TestVectors(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	paths, err := filepath.Glob("vectors/*.json")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no vectors: %v", err)
	}
	for _, k := range botstest.Kits(kits.All) {
		for _, wire := range []string{"tcp", "stdio"} {
			for _, path := range paths {
				v := readVector(t, path)
				name := strings.TrimSuffix(filepath.Base(path), ".json")
				if !v.concerns(k, wire) || !thorough.Enabled && !slices.Contains(basic, name) {
					continue
				}
				t.Run(k.Folder+"/"+wire+"/"+name, func(t *testing.T) {
					t.Parallel()
					play(t, v, wire, build(t, k, k.Vectors))
				})
			}
		}
	}
}

// concerns reports whether a kit has the conversation over a wire. At full size it has one that
// names no wire over each, otherwise over TCP only.
func (v *vector) concerns(k *kits.Kit, wire string) bool {
	wires := []string{v.Wire}
	if v.Wire == "" {
		wires = thorough.Size([]string{"tcp"}, []string{"tcp", "stdio"})
	}
	return slices.Contains(wires, wire) &&
		(len(v.Languages) == 0 || slices.Contains(v.Languages, k.Folder))
}

func readVector(t *testing.T, path string) (v vector) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(strings.NewReader(string(content)))
	d.DisallowUnknownFields()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return v
}
