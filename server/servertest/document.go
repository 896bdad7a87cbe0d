package servertest

import (
	"os"
	"testing"
)

// update is the environment variable with which tests write documents instead of comparing them.
const update = "UPDATE_DOCS"

// Document reports an error unless the document at a path has this text. With UPDATE_DOCS=1 in
// the environment it writes the text there.
func Document(t *testing.T, path, text string) {
	t.Helper()
	content, err := os.ReadFile(path)
	switch {
	case err != nil:
		t.Fatal(err)
	case string(content) == text:
	case os.Getenv(update) != "":
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s is not what this test computes; %s=1 go test -run %s in this folder writes it",
			path, update, t.Name())
	}
}
