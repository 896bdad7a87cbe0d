package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/server/proc"
)

// TestMain lets the test binary be the players, as the command itself is.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == playersCommand {
		main()
		return
	}
	os.Exit(m.Run())
}

func TestCompare(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "hexarena.exe")
	if err := proc.Build(t.Context(), binary); err != nil {
		t.Fatal(err)
	}
	args := []string{"-compare", "-binary", binary, "-rounds", "1", "-viewers", "20"}
	t.Run("whole", func(t *testing.T) {
		var table strings.Builder
		if err := load(t.Context(), append(args, "-turns", "20"), &table, t.Output()); err != nil {
			t.Fatal(err)
		}
		t.Log(table.String())
		for _, want := range []string{"20 viewers", "TURN to TURN", "TURN to answer", "turn to viewer, p99", "viewers lost"} {
			if !strings.Contains(table.String(), want) {
				t.Errorf("the table lacks %q", want)
			}
		}
	})
	t.Run("interrupted", func(t *testing.T) {
		t.Setenv("TMPDIR", t.TempDir())
		ctx, cancel := context.WithCancel(t.Context())
		told := writer(func(text string) {
			if strings.Contains(text, " 0 viewers: turns of") {
				cancel()
			}
		})
		if err := load(ctx, append(args, "-turns", "20"), io.Discard, told); err == nil || err.Error() != "interrupted" {
			t.Errorf("it ends with %v, want interrupted", err)
		}
	})
}

func TestWrongFlags(t *testing.T) {
	for _, args := range [][]string{{"-viewers", "0"}, {"-rounds", "0"}, {"-turns", "19"}, {"-turns", "70000"}, {"more"}} {
		if err := load(t.Context(), append([]string{"-compare"}, args...), io.Discard, io.Discard); err == nil {
			t.Errorf("viewload %v is taken", args)
		}
	}
}

type writer func(string)

func (w writer) Write(b []byte) (int, error) { w(string(b)); return len(b), nil }
