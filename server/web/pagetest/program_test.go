//go:build browser

package pagetest

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/hexarena/hexarena/tools/harness"
)

// build holds the program of all tests, which is built when it is first needed.
var build struct {
	once sync.Once
	dir  string
	err  error
}

// built returns the file of the program.
func built(t *testing.T) string {
	t.Helper()
	build.once.Do(func() {
		if build.dir, build.err = os.MkdirTemp("", "pagetest"); build.err == nil {
			build.err = harness.Build(context.Background(), filepath.Join(build.dir, "hexarena.exe"))
		}
	})
	if build.err != nil {
		t.Fatal(build.err)
	}
	return filepath.Join(build.dir, "hexarena.exe")
}

// removeProgram removes the program.
func removeProgram() error { return os.RemoveAll(build.dir) }
