package export

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An export that fails on the way leaves nothing behind, and changes no file.
func TestToFile(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "out")
	write := func(text string, err error) error {
		return ToFile(name, nil, func(w io.Writer) error {
			_, _ = io.WriteString(w, text)
			return err
		})
	}
	broken := errors.New("broken")
	if err := write("half", broken); !errors.Is(err, broken) {
		t.Errorf("ToFile = %v, want %v", err, broken)
	}
	for _, text := range []string{"whole", "again"} {
		if err := write(text, nil); err != nil {
			t.Error(err)
		}
		if err := write("half", broken); !errors.Is(err, broken) {
			t.Errorf("ToFile = %v, want %v", err, broken)
		}
		if got, err := os.ReadFile(name); err != nil || string(got) != text {
			t.Errorf("the file holds %q, %v; want %q", got, err, text)
		}
	}
	missing := filepath.Join(dir, "nosuch", "out")
	if err := ToFile(missing, nil, func(io.Writer) error { return nil }); err == nil ||
		strings.Contains(err.Error(), ".part") || !strings.Contains(err.Error(), missing) {
		t.Errorf("ToFile in a missing folder = %v, want the name that was given", err)
	}
	if err := ToFile(os.DevNull, nil, func(io.Writer) error { return nil }); err != nil {
		t.Error(err)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
		t.Errorf("the folder holds %v, %v; want one file", files, err)
	}
}
