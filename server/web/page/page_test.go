// Package page_test checks the structure of the sources, and that the committed bundle
// is built from them.
package page_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

const committed = "../dist"

// TestDistIsUpToDate bundles the sources again where Node and the page's
// dependencies are installed (npm ci). Elsewhere there is nothing to compare
// with, and building the program needs neither.
func TestDistIsUpToDate(t *testing.T) {
	thorough.Long(t)
	if _, err := os.Stat("node_modules/esbuild"); err != nil {
		t.Log("the page's dependencies are not installed; nothing to compare with")
		return
	}
	built := t.TempDir()
	if out, err := exec.CommandContext(t.Context(), "node", "build.mjs", built).CombinedOutput(); err != nil {
		t.Fatalf("node build.mjs: %v\n%s", err, out)
	}
	want, got := files(t, built), files(t, committed) // decompressed: versions of zlib differ
	for name, data := range want {
		if !bytes.Equal(got[name], data) {
			t.Errorf("dist/%s differs from what the sources give; run npm run build in server/web/page",
				name)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("dist/%s has no source", name)
		}
	}
}

// TestStructure holds the sources to the rules for imports and names where Node is
// installed. The build holds them as well.
func TestStructure(t *testing.T) {
	thorough.Long(t)
	if _, err := exec.LookPath("node"); err != nil {
		t.Log("Node is not installed; the structure is not checked")
		return
	}
	const script = `import { problemsIn, sourcesIn } from "./structure.mjs";
		for (const problem of problemsIn(sourcesIn("src"))) console.log(problem);`
	out, err := exec.CommandContext(t.Context(), "node", "--input-type=module", "-e", script).CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("structure.mjs: %v\n%s", err, out)
	}
}

// files returns the contents of the regular files in a folder, by their paths in it.
// Compressed files are decompressed.
func files(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	found := map[string][]byte{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, path))
		if err == nil && strings.HasSuffix(path, ".gz") {
			data, err = decompressed(data)
		}
		found[path] = data
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func decompressed(data []byte) ([]byte, error) {
	plain, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(plain)
}
