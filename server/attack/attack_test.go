//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/hexarena/hexarena/server/proc"
	"github.com/hexarena/hexarena/server/recording"
)

var hexarena string // built once

// TestMain lets the test binary be the bots and the attackers, as the command is.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && (os.Args[1] == confineCommand || os.Args[1] == honestCommand || os.Args[1] == hostileCommand) {
		main()
		return
	}
	dir, err := os.MkdirTemp("", "hexarena-test-")
	if err != nil {
		panic(err)
	}
	hexarena = filepath.Join(dir, "hexarena")
	code := 1
	if err := proc.Build(context.Background(), hexarena); err == nil {
		code = m.Run()
	} else {
		os.Stderr.WriteString(err.Error())
	}
	_ = os.RemoveAll(dir)
	if err := goleak.Find(); code == 0 && err != nil {
		os.Stderr.WriteString(err.Error())
		code = 1
	}
	os.Exit(code)
}

// attacked runs the command with few attackers for a moment, and returns what it
// prints. Bounds may be broken: a busy machine does that as well.
func attacked(t *testing.T, ctx context.Context, progress io.Writer, only string) (string, error) {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	var out strings.Builder
	err := run(ctx, []string{"-program", hexarena, "-quiet", "200ms", "-duration", "1s", "-scale", "30", "-only", only}, &out, progress)
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
	table, err := attacked(t, t.Context(), t.Output(), "events,connections,history")
	if err != nil && !errors.Is(err, errBroken) {
		t.Error(err)
	}
	t.Log(table)
	for _, a := range attacks {
		if n := strings.Count(table, "  "+a.what+"  "); n != 1 && strings.Contains("events connections history", a.name) {
			t.Errorf("the table has %d rows for %s, %s", n, a.name, a.what)
		}
	}
	if strings.Contains(table, "could not be made") {
		t.Error("an attack could not be made")
	}
}

func TestInterrupted(t *testing.T) {
	for _, when := range []string{"quiet for", "attacked for"} {
		ctx, cancel := context.WithCancel(t.Context())
		told := writer(func(text string) {
			if strings.Contains(text, when) {
				cancel()
			}
		})
		if _, err := attacked(t, ctx, told, "downloads"); err == nil || err.Error() != "interrupted" {
			t.Errorf("interrupted while %s, it ends with %v", when, err)
		}
	}
}

func TestWrongFlags(t *testing.T) {
	for _, args := range [][]string{{"-only", "H9"}, {"-quiet", "0s"}, {"-duration", "-1s"}, {"-scale", "0"}, {"more"}} {
		if err := run(t.Context(), args, io.Discard, io.Discard); err == nil {
			t.Errorf("attack %v is accepted", args)
		}
	}
}

func TestPayloads(t *testing.T) {
	for name, payload := range payloads {
		for _, size := range []int{2 << 10, largestAnswer, 1_000_000} {
			p := payload(size)
			text := slices.Concat(p.head, p.random, p.tail)
			var list []any
			if err := json.Unmarshal(text, &list); err != nil {
				t.Errorf("%s of %d bytes: %v", name, size, err)
			}
			if len(text) < size*9/10-200 || len(text) > size+2*levels {
				t.Errorf("%s of %d bytes has %d", name, size, len(text))
			}
		}
	}
}

// A bomb has to get past what a reader checks first, or it would show nothing.
func TestBombs(t *testing.T) {
	dir := t.TempDir()
	o := &options{program: hexarena}
	if err := o.story(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	if err := plantBombs(o, dir); err != nil {
		t.Fatal(err)
	}
	for _, b := range bombs {
		files, _ := filepath.Glob(filepath.Join(dir, "*-"+b.name+recording.Extension))
		if len(files) != 1 {
			t.Fatalf("there are %d bombs named %s", len(files), b.name)
		}
		if info, err := os.Stat(files[0]); err != nil || info.Size() > 100<<10 {
			t.Errorf("bomb %s: %v, %v", b.name, info.Size(), err)
		}
		r, err := recording.Open(files[0])
		if err != nil {
			t.Fatal(err)
		}
		if h := r.Header(); h.Players != defaultSeats {
			t.Errorf("bomb %s has %d players", b.name, h.Players)
		}
		_ = r.Close()
	}
}

func TestJudge(t *testing.T) {
	good := row{attack: attack{honest: 1, room: 100}, before: phase{P99: 2}, during: phase{Turns: 95, P99: 9}, peak: memoryBound, disk: 100}
	for name, test := range map[string]struct {
		change func(*row)
		faults int
	}{
		"good":    {func(*row) {}, 0},
		"alone":   {func(r *row) { r.honest, r.during = 0, phase{} }, 0},
		"memory":  {func(r *row) { r.peak++ }, 1},
		"disk":    {func(r *row) { r.disk++ }, 1},
		"no disk": {func(r *row) { r.room, r.disk = 0, 1000 }, 0},
		"lost":    {func(r *row) { r.during.Lost = 1 }, 1},
		"refused": {func(r *row) { r.during.Refused = 1 }, 1},
		"late":    {func(r *row) { r.during.P99 = 9.1 }, 1},
		"slow":    {func(r *row) { r.during.Turns = 89 }, 1},
		"stuck":   {func(r *row) { r.during = phase{} }, 1},
		"all":     {func(r *row) { r.peak, r.disk, r.during = 1<<30, 1<<30, phase{Lost: 1} }, 4},
	} {
		r := good
		test.change(&r)
		if r.judge(100); len(r.faults) != test.faults {
			t.Errorf("%s: %q, want %d faults", name, r.faults, test.faults)
		}
	}
}

type writer func(string)

func (w writer) Write(b []byte) (int, error) { w(string(b)); return len(b), nil }
