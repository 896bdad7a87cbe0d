package config

import (
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestPrint(t *testing.T) {
	golden, err := filepath.Abs("testdata/values.golden")
	if err != nil {
		t.Fatal(err)
	}
	e := mustLoad(t, origins{
		file: "map: my \"map\".txt\nnb-players-max: 4\nquiet: true\ndelay-turns: 50.5\n",
		env:  []string{"HEXARENA_SEED=0x10", "HEXARENA_BIND=::1", "HEXARENA_TURN_TIMEOUT=1500ms"},
		args: []string{"--debug", "--fast", "--port", "5000"},
	})
	var b strings.Builder
	if err := e.Print(&b); err != nil {
		t.Fatal(err)
	}
	checkGolden(t, golden, b.String())

	again := mustLoad(t, origins{file: b.String()})
	if diff := cmp.Diff(e.Config(), again.Config()); diff != "" {
		t.Errorf("Load(what Print wrote) (-want +got):\n%s", diff)
	}
}

func checkGolden(t *testing.T, golden, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("Print() (-want +got):\n%s", diff)
	}
}

func TestPrintStrangeFileName(t *testing.T) {
	path := t.TempDir() + "/a\nport: 1 #.yaml"
	if err := os.WriteFile(path, []byte("port: 2"), 0o600); err != nil {
		return // Windows does not allow such names
	}
	var b strings.Builder
	if err := mustLoad(t, origins{args: []string{"--config", path}}).Print(&b); err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`(?m)^port: 2 .*\.yaml":1$`).MatchString(b.String()) {
		t.Errorf("Print() = %s, want the file's name quoted on one line", b.String())
	}
}

func TestPrintError(t *testing.T) {
	r, w := io.Pipe()
	r.Close()
	if err := mustLoad(t, origins{}).Print(w); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("Print(closed pipe) = %v, want %v", err, io.ErrClosedPipe)
	}
}
