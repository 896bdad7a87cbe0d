package maps

import (
	"slices"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
)

// sketch builds a map from a drawing with one line per row; cells are in every other column
// and shifted by one from row to row. A letter is a starting position of that player, @ a
// special position, · an empty cell.
func sketch(t *testing.T, rows ...string) *hexabomb.Map {
	t.Helper()
	var cells, specials []hexgrid.Coord
	starts := map[rune][]hexgrid.Coord{}
	for r, row := range rows {
		for x, mark := range []rune(row) {
			if mark == ' ' {
				continue
			}
			if (x-r)%2 != 0 {
				t.Fatalf("row %d: there is no cell in column %d", r, x)
			}
			c := hexgrid.Coord{Q: (x - r) / 2, R: r}
			cells = append(cells, c)
			switch mark {
			case '·':
			case '@':
				specials = append(specials, c)
			default:
				starts[mark] = append(starts[mark], c)
			}
		}
	}
	var lists [][]hexgrid.Coord
	for p := 'A'; starts[p] != nil; p++ {
		lists = append(lists, starts[p])
	}
	m, err := assemble(cells, lists, specials)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestJudge(t *testing.T) {
	tests := []struct {
		name       string
		m          *hexabomb.Map
		want       Verdict
		symmetries int
		says       []string
	}{
		{"a row", sketch(t, "A · · · B"), Symmetric, 4, nil},
		{"alone", sketch(t, "· · A ·"), Symmetric, 2, nil},
		{"one cell", sketch(t, "A"), Symmetric, 12, nil},
		{"off centre", sketch(t, "A · · B ·"), Unfair, 2, []string{
			"cells nearer to it than to any other player: 2 for player 0, 3 for player 1",
		}},
		{
			"special nearer to one",
			sketch(t, "A @ · B"),
			Unfair, 2,
			[]string{
				"steps to the special positions: 1 to 1, 1.00 on average for player 0, 2 to 2, 2.00 on " +
					"average for player 1",
			},
		},
		{
			"one in the middle",
			sketch(t, "A · B · C"),
			Unfair, 4,
			[]string{
				"steps to the other players' characters: 2 to 2, 2.00 on average for player 1, 2 to 4, 3.00 " +
					"on average for player 0",
			},
		},
		{
			"own characters apart",
			sketch(t,
				"A A · · B · B",
				" · · · · · ·"),
			Unfair, 1,
			[]string{"steps among its own characters"},
		},
		{
			"cut off",
			sketch(t, "A · B   C"),
			Unfair, 2,
			[]string{"(2 unreachable)"},
		},
		{
			"bent, yet even", // a path without symmetry
			sketch(t,
				"A · · ·",
				"       ·",
				"        B"),
			Even, 1, nil,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Judge(tt.m)
			if got.Verdict != tt.want || got.Symmetries != tt.symmetries {
				t.Errorf("Judge = %v with %d symmetries (%q), want %v with %d",
					got.Verdict, got.Symmetries, got.Differences, tt.want, tt.symmetries)
			}
			if fair(got.Verdict) != (len(got.Differences) == 0) {
				t.Errorf("Judge = %v, but differences are %q", got.Verdict, got.Differences)
			}
			all := strings.Join(got.Differences, "\n")
			for _, part := range tt.says {
				if !strings.Contains(all, part) {
					t.Errorf("the differences are %q, want %q", all, part)
				}
			}
		})
	}
}

func TestJudgeFollowsMotions(t *testing.T) {
	m, err := Load("clover")
	if err != nil {
		t.Fatal(err)
	}
	all := func(at []hexgrid.Coord, by motion) (moved []hexgrid.Coord) {
		for _, c := range at {
			moved = append(moved, by.apply(c))
		}
		return moved
	}
	for _, by := range pointMotions() {
		by.shift = hexgrid.Coord{Q: 1000, R: -77}
		var starts [][]hexgrid.Coord
		for _, list := range m.Starts {
			starts = append(starts, all(list, by))
		}
		moved, err := assemble(all(m.Cells, by), starts, all(m.Specials, by))
		if err != nil {
			t.Fatal(err)
		}
		if got := Judge(moved); got.Verdict != Symmetric || got.Symmetries != 6 {
			t.Errorf("Judge after %+v = %v with %d symmetries, want symmetric with 6", by, got.Verdict,
				got.Symmetries)
		}
	}
}

func TestJudgeDetectsAnyMovedPiece(t *testing.T) {
	for _, name := range Names() {
		m, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		spoilt := hexabomb.Map{Cells: m.Cells, Specials: m.Specials, Starts: slices.Clone(m.Starts)}
		spoilt.Starts[0] = slices.Clone(m.Starts[0])
		spoilt.Starts[0][0] = freeCell(t, m)
		if got := Judge(&spoilt); got.Verdict != Unfair {
			t.Errorf("%s with a start moved: %v, want unfair", name, got.Verdict)
		}
	}
}

// freeCell returns a cell near the first starting position that is not one itself.
func freeCell(t *testing.T, m *hexabomb.Map) hexgrid.Coord {
	t.Helper()
	used := slices.Concat(append(m.Starts, m.Specials)...)
	for _, c := range m.Cells {
		if hexgrid.Distance(c, m.Starts[0][0]) <= 2 && !slices.Contains(used, c) {
			return c
		}
	}
	t.Fatal("no free cell")
	return hexgrid.Coord{}
}

func TestDescribe(t *testing.T) {
	tests := []struct {
		name string
		m    *hexabomb.Map
		want Info
	}{
		{"a cell", sketch(t, "A"), Info{Cells: 1, Corridors: 1}},
		{
			"ring around a hole",
			sketch(t,
				"  A ·",
				" ·   ·",
				"  · ·"),
			Info{Cells: 6, Holes: 1, Corridors: 1},
		},
		{
			"filled",
			sketch(t,
				"  A ·",
				" · · ·",
				"  · ·"),
			Info{Cells: 7, Corridors: 6. / 7},
		},
		{
			"an island with a hole in a hole",
			sketch(t,
				"    A · · ·",
				"   ·       ·",
				"  ·   · ·   ·",
				" ·   ·   ·   ·",
				"  ·   · ·   ·",
				"   ·       ·",
				"    · · · ·"),
			Info{Cells: 24, Parts: 2, Holes: 2, Corridors: 1},
		},
		{
			"two holes, two parts",
			sketch(t,
				"  A · ·   ·",
				" ·   ·   ·",
				"  · · · ·   ·",
				"   ·   ·",
				"    · ·"),
			Info{Cells: 16, Parts: 2, Holes: 2, Corridors: 13. / 16},
		},
	}
	for _, tt := range tests {
		want := tt.want
		want.Name, want.Players, want.Characters = tt.name, 1, 1
		want.Parts = max(want.Parts, 1)
		if got := Describe(tt.name, tt.m); got != want {
			t.Errorf("Describe = %+v, want %+v", got, want)
		}
	}
}

// fair reports whether a verdict means that all players are treated equally.
func fair(v Verdict) bool { return v == Symmetric || v == Even }
