package deploy

import (
	"os"
	"path/filepath"
	"testing"
)

// root is the top of the repository.
const root = "../../.."

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}
