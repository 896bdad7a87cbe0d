//go:build linux && thorough

package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/tools/harness"
	"github.com/hexarena/hexarena/tools/harness/harnesstest"
)

func TestMain(m *testing.M) { harnesstest.Main(m, &program) }

// runBriefly runs the command with few attackers for a second and returns its table.
// Limits may be broken, since a busy machine does that as well.
func runBriefly(
	t *testing.T, ctx context.Context, progress io.Writer, only string,
) (string, error) {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	var out strings.Builder
	err := program.Run(
		ctx,
		[]string{
			"-program", harnesstest.Hexarena, "-quiet", "200ms", "-duration", "1s", "-scale", "30", "-only",
			only,
		},
		&out, progress,
	)
	left, _ := filepath.Glob(filepath.Join(os.Getenv("TMPDIR"), "*"))
	for _, root := range []string{unifiedRoot, memoryRoot} {
		groups, _ := filepath.Glob(filepath.Join(root, "hexarena-attack-"+strconv.Itoa(os.Getpid())+"-*"))
		left = append(left, groups...)
	}
	if len(left) > 0 {
		t.Errorf("it leaves %q behind", left)
	}
	return out.String(), err
}

func TestAttacks(t *testing.T) {
	const only = "events,connections,clients,history,sign-ups,codes,tokens,workers,folders"
	table, err := runBriefly(t, t.Context(), t.Output(), only)
	if err != nil && !errors.Is(err, errBroken) {
		t.Error(err)
	}
	t.Log(table)
	for _, a := range attacks {
		n := strings.Count(table, "  "+a.what+"  ")
		if n != 1 && slices.Contains(strings.Split(only, ","), a.name) {
			t.Errorf("the table has %d rows for %s, %s", n, a.name, a.what)
		}
	}
	if strings.Contains(table, "could not be run") {
		t.Error("an attack could not be run")
	}
}

func TestInterrupted(t *testing.T) {
	for _, when := range []string{"quiet for", "attacked for"} {
		ctx, cancel := context.WithCancel(t.Context())
		progress := harnesstest.Writer(func(text string) {
			if strings.Contains(text, when) {
				cancel()
			}
		})
		if _, err := runBriefly(t, ctx, progress, "downloads"); err != harness.ErrInterrupted {
			t.Errorf("interrupted while %s, it returns %v", when, err)
		}
	}
}

// A bomb must pass the first checks of a reader, or it would test nothing.
func TestBombs(t *testing.T) {
	o := &options{Job: &harness.Job{Hexarena: harnesstest.Hexarena}}
	story, err := o.recordStory(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := plantBombs(story); err != nil {
		t.Fatal(err)
	}
	for _, b := range bombs {
		file := bombFile(story, b.name)
		if info, err := os.Stat(file); err != nil || info.Size() > 100<<10 {
			t.Errorf("bomb %s: %v, %v", b.name, info, err)
		}
		r, err := recording.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		if h := r.Header(); h.Players != defaultSeats {
			t.Errorf("bomb %s has %d players", b.name, h.Players)
		}
		_ = r.Close()
	}
}
