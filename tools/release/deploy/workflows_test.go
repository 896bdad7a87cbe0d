package deploy

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The workflows have no mistakes that can be seen without running them. The linter is run as a
// module of its own, since it and compose-go want different versions of one package.
func TestWorkflows(t *testing.T) {
	lint := exec.Command("go", "run", "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12",
		"-shellcheck=", "-pyflakes=")
	lint.Dir = root
	if out, err := lint.CombinedOutput(); err != nil {
		t.Errorf("%v: %v\n%s", lint, err, out)
	}
}

// Actions of others are named by commit, since tags can be moved.
func TestActionsAreNamedByCommit(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, ".github/workflows/*.yml"))
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	byCommit := regexp.MustCompile(`^[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	for _, file := range files {
		for line := range strings.Lines(string(read(t, ".github/workflows/"+filepath.Base(file)))) {
			_, action, ok := strings.Cut(strings.TrimSpace(line), "uses: ")
			if ok && !strings.HasPrefix(action, "./") && !byCommit.MatchString(action) {
				t.Errorf("%s uses %q; want a commit, and # with its version", filepath.Base(file), action)
			}
		}
	}
}
