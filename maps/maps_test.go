package maps

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hexarena/hexarena/engine/hexabomb"
)

func TestShippedMapsAreFair(t *testing.T) {
	for _, info := range List() {
		t.Run(info.Name, func(t *testing.T) {
			data, err := Read(info.Name)
			if err != nil {
				t.Fatal(err)
			}
			r := Check(info.Name, data)
			if len(r.Problems)+len(r.Remarks) > 0 {
				t.Fatalf("Check = %q, %q, want nothing", r.Problems, r.Remarks)
			}
			if r.Fairness.Verdict != Symmetric || r.Fairness.Symmetries < info.Players {
				t.Errorf("Judge = %v with %d symmetries, want a symmetric one for %d players",
					r.Fairness.Verdict, r.Fairness.Symmetries, info.Players)
			}
			// Measuring distances must agree.
			if lines := differences(measure(NewGraph(r.Map.Cells), r.Map)); lines != nil {
				t.Errorf("differences = %q, want none", lines)
			}
			if info.Specials < 2 || info.Parts != 1 || info.Description == "" {
				t.Errorf("%+v: want special positions, a board in one part, a description", info)
			}
			if text := r.Map.AppendJSON(nil); !bytes.Equal(text, data) {
				t.Error("the file differs from the output of AppendJSON")
			}
			again, err := hexabomb.ParseMap(r.Map.AppendJSON(nil))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(r.Map, again); diff != "" {
				t.Errorf("ParseMap(AppendJSON(m)) differs from m:\n%s", diff)
			}
		})
	}
}

func TestShippedMapsAreVaried(t *testing.T) {
	players := map[int]int{}
	var cells []int
	holes, corridors := 0, 0
	for _, info := range List() {
		players[info.Players]++
		cells = append(cells, info.Cells)
		if info.Holes > 0 {
			holes++
		}
		if info.Corridors >= 0.2 {
			corridors++
		}
	}
	if len(cells) < 6 || holes < 4 || corridors < 3 {
		t.Errorf("%d maps, %d with holes, %d with corridors, want 6, 4 and 3 at least", len(cells), holes,
			corridors)
	}
	for _, n := range []int{2, 3, 4, 6} {
		if players[n] == 0 {
			t.Errorf("no map for %d players", n)
		}
	}
	if slices.Min(cells) != 37 || slices.Max(cells) < 600 {
		t.Errorf("%d to %d cells, want 37 to 600 or more", slices.Min(cells), slices.Max(cells))
	}
}

func TestDefaultMapIsSmall(t *testing.T) {
	m, err := Load(Default)
	if err != nil {
		t.Fatal(err)
	}
	info := Describe(Default, m)
	if info.Players != 4 || info.Characters > 7 || info.Cells < 200 || info.Cells > 420 ||
		info.Holes == 0 || info.Specials == 0 {
		t.Errorf(
			"%+v: want 4 players with 7 characters at most, 200 to 420 cells, holes, special positions",
			info)
	}
}

func TestEachMapFileIsListed(t *testing.T) {
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, e := range entries {
		found = append(found, strings.TrimSuffix(e.Name(), ".json"))
	}
	if want := slices.Sorted(slices.Values(Names())); !slices.Equal(found, want) {
		t.Errorf("embedded %v, want %v", found, want)
	}
}

func TestLoadFile(t *testing.T) {
	want, err := Load("pebble")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "own.json")
	if err := os.WriteFile(file, want.AppendJSON(nil), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := Load(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Load(%s) differs:\n%s", file, diff)
	}
}

func TestLoadRefuses(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	var broken *hexabomb.MapError
	tests := []struct {
		name string
		is   func(error) bool
		says []string
	}{
		{"lagoom", func(err error) bool { return errors.Is(err, ErrUnknown) }, []string{
			`"lagoom"`, `did you mean "lagoon"?`, "pebble, ",
		}},
		{"Lagoon", func(err error) bool { return errors.Is(err, ErrUnknown) }, []string{
			`did you mean "lagoon"?`,
		}},
		{"xyzzy", func(err error) bool { return errors.Is(err, ErrUnknown) }, []string{
			`"xyzzy" is neither a shipped map nor a file; the shipped maps are pebble`,
		}},
		{"", func(err error) bool { return errors.Is(err, ErrUnknown) }, []string{`""`}},
		{filepath.Join(dir, "none"), func(err error) bool { return errors.Is(err, fs.ErrNotExist) }, []string{filepath.Join(dir, "none")}},
		{dir, func(err error) bool { return err != nil }, []string{dir}},
		{
			write("bad.json",
				[]byte(`{"cells": [{"q":0,"r":0},{"q":0}], "initial_positions": {"0": [{"q":5,"r":5}]}}`)),
			func(err error) bool { return errors.As(err, &broken) },
			[]string{filepath.Join(dir, "bad.json"), "cells[1].r is missing", "there is no cell (5,5)"},
		},
		{write(
			"huge.json", make([]byte, MaxFileSize+1),
		), func(err error) bool { return err != nil }, []string{"huge.json", "16 MiB"}},
	}
	for _, tt := range tests {
		_, err := Load(tt.name)
		if err == nil || !tt.is(err) {
			t.Errorf("Load(%q) = %v, want another error", tt.name, err)
			continue
		}
		for _, part := range tt.says {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("Load(%q) = %q, want it to say %q", tt.name, err, part)
			}
		}
	}
}
