//go:build unix

package archive_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/cup/cuptest"
)

// The folder of a stranger's cup neither fills the memory nor keeps its reader waiting.
func TestHostileFolder(t *testing.T) {
	device := func(path string) error { return os.Symlink("/dev/zero", path) }
	pipe := func(path string) error { return syscall.Mkfifo(path, 0o600) }
	// it is made longer below
	large := func(path string) error { return os.WriteFile(path, nil, 0o600) }
	p := cuptest.Plan(plan.RoundRobin, 3, 2)
	for _, tt := range []struct {
		file string
		make func(string) error
		want string // empty: the file is not needed
	}{
		{"plan.json", device, "it is no regular file"},
		{"plan.json", pipe, "it is no regular file"},
		{"plan.json", large, "it has more than 16 MiB"},
		{"shard.json", device, "it is no regular file"},
		{"log.ndjson", device, "it is no regular file"},
		{"log.ndjson", pipe, "it is no regular file"},
		{"times.csv", pipe, "it is no regular file"},
		{"checkpoint.json", device, ""},
		{"checkpoint.json", pipe, ""},
		{"origin.json", device, ""},
	} {
		dir := t.TempDir()
		cuptest.Write(t, dir, p, plan.Whole, cuptest.Rows(p, 2))
		path := filepath.Join(dir, tt.file)
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
		if err := tt.make(path); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(tt.want, "MiB") {
			if err := os.Truncate(path, 1<<40); err != nil {
				t.Skip(err) // the file system has no such files
			}
		}
		c, err := archive.Open(dir)
		if err == nil {
			s, rows := c.Resume()
			err = rows.AddTo(s, func(*results.Row) error { return nil })
		}
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.file, err, tt.want)
		}
	}
}
