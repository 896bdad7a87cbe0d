// Package doctest holds documents to what tests compute.
package doctest

import (
	"os"
	"strings"
	"testing"
)

// update is the environment variable with which tests write documents instead of comparing them.
const update = "UPDATE_DOCS"

// Section reports an error unless the document at a path, below the package's folder, has this text between the lines <!-- name --> and
// <!-- end of name -->. With UPDATE_DOCS=1 in the environment it writes the text there.
func Section(t *testing.T, path, name, text string) {
	t.Helper()
	begin, end := "<!-- "+name+" -->\n", "<!-- end of "+name+" -->\n"
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, begins := strings.Cut(string(content), begin)
	_, after, ends := strings.Cut(rest, end)
	if !begins || !ends {
		t.Fatalf("%s has no lines %q and %q", path, begin, end)
	}
	compare(t, path, string(content), before+begin+text+end+after)
}

// File reports an error unless the document at a path has this text. With UPDATE_DOCS=1 in the environment it writes the text there.
func File(t *testing.T, path, text string) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	compare(t, path, string(content), text)
}

func compare(t *testing.T, path, got, want string) {
	t.Helper()
	switch {
	case got == want:
	case os.Getenv(update) != "":
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s is not what this test computes; %s=1 go test -run %s in this folder writes it", path, update, t.Name())
	}
}
