package cup

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/contest/plan"
)

// idle does nothing, so that what is measured is the cup.
type idle struct{}

func (idle) Start(netorcai.GameStarts) error    { return nil }
func (idle) Turn(netorcai.Turn) ([]byte, error) { return []byte("[]"), nil }
func (idle) End(netorcai.GameEnds)              {}

// hexagon writes a map of 91 cells with a place in each of four corners, and returns the file.
func hexagon(t testing.TB) string {
	t.Helper()
	const radius = 5
	type cell struct {
		Q int `json:"q"`
		R int `json:"r"`
	}
	var cells []cell
	for q := -radius; q <= radius; q++ {
		for r := -radius; r <= radius; r++ {
			if at := (hexgrid.Coord{Q: q, R: r}); hexgrid.Distance(at, hexgrid.Coord{}) <= radius {
				cells = append(cells, cell{q, r})
			}
		}
	}
	text, err := json.Marshal(map[string]any{
		"cells": cells,
		"initial_positions": map[string][]cell{
			"0": {{radius, 0}}, "1": {{-radius, 0}}, "2": {{0, radius}}, "3": {{0, -radius}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "hexagon.json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// BenchmarkMatches plays matches of four bots that do nothing, with 100 turns on 91 cells.
func BenchmarkMatches(b *testing.B) {
	c := contest(b, plan.RoundRobin, b.N, 4, []string{"idle", "idle", "idle", "idle"}, hexagon(b))
	c.Turns = 100
	b.ResetTimer()
	if err := run(b.Context(), b, c, b.TempDir(), Options{Jobs: 1}); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "matches/s")
}
