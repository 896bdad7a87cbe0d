package rating

import (
	"math"
	"testing"

	"github.com/hexarena/hexarena/server/contest/score"
)

// The golden values are those of fastchess, app/tests/elo_test.cpp, to the digits that it prints.
func TestElo(t *testing.T) {
	for _, tt := range []struct {
		name    string
		blocks  score.Distribution
		matches int
		want    Elo
	}{
		{"pentanomial 1", score.Distribution{34, 54, 31 + 32, 64, 75}, 2, Elo{
			Score: 0.579, Elo: 55.58, Error: 27.65, NElo: 57.94, NEloError: 28.28, LOS: 1,
		}},
		{"pentanomial 2", score.Distribution{332, 433, 457 + 41, 333, 334}, 2, Elo{
			Score: 0.4876, Elo: -8.64, Error: 10.33, NElo: -9.17, NEloError: 10.96, LOS: 0.0505,
		}},
		{"pentanomial 3", score.Distribution{7895, 8757, 5485 + 200, 568, 9999}, 2, Elo{
			Score: 0.4697, Elo: -21.04, Error: 2.95, NElo: -19.01, NEloError: 2.65, LOS: 0,
		}},
		{"wins 136, losses 96, draws 111", score.Distribution{96, 111, 136}, 1, Elo{
			Score: 0.5583, Elo: 40.70, Error: 30.43, NElo: 49.77, NEloError: 36.77, LOS: 0.9960,
		}},
		{"none", make(score.Distribution, 5), 2, Elo{Score: 0.5, LOS: 0.5}},
	} {
		got := NewElo(tt.blocks, tt.matches)
		for _, figure := range []struct {
			name                 string
			got, want, tolerance float64
		}{
			{"Score", got.Score, tt.want.Score, 0.0005},
			{"Elo", got.Elo, tt.want.Elo, 0.005},
			{"Error", got.Error, tt.want.Error, 0.005},
			{"NElo", got.NElo, tt.want.NElo, 0.005},
			{"NEloError", got.NEloError, tt.want.NEloError, 0.005},
			{"LOS", got.LOS, tt.want.LOS, 0.00005},
		} {
			if !(math.Abs(figure.got-figure.want) <= figure.tolerance) {
				t.Errorf("%s: %s = %v, want %v", tt.name, figure.name, figure.got, figure.want)
			}
		}
	}
}

// Blocks that all have the same score have no variance, so that nothing is known but a bound if all
// were won or lost; nor has an interval an end beyond what a score can say.
func TestEloBounds(t *testing.T) {
	for _, tt := range []struct {
		blocks score.Distribution
		bound  Bound
		varied bool
		elo    float64
	}{
		{score.Distribution{0, 0, 1}, Unknown, false, 0},
		{score.Distribution{0, 0, 2}, AtLeast, false, -216.24}, // the square root of 0.05 is 0.2236
		{score.Distribution{0, 0, 26}, AtLeast, false, 365.17},
		{score.Distribution{26, 0, 0}, AtMost, false, -365.17},
		{score.Distribution{0, 26, 0}, Unknown, false, 0},
		{score.Distribution{0, 1, 39}, AtLeast, true, 567.68},
		{score.Distribution{1, 0, 1}, Unknown, true, 0},
		{score.Distribution{5, 10, 6}, Exact, true, 16.56},
	} {
		e := NewElo(tt.blocks, 2)
		if e.Bound != tt.bound || e.Varied != tt.varied || math.Abs(e.Elo-tt.elo) > 1 {
			t.Errorf("%v: %+v, want bound %d of %v", tt.blocks, e, tt.bound, tt.elo)
		}
	}
}

// Every figure is finite, however few or one-sided the results are.
func TestEloIsFinite(t *testing.T) {
	for _, blocks := range []score.Distribution{
		{0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1e9}, {1, 0, 1e9}, {0, 0, 0},
	} {
		e := NewElo(blocks, 1)
		for _, figure := range []float64{e.Score, e.Elo, e.Error, e.NElo, e.NEloError, e.LOS} {
			if math.IsNaN(figure) || math.IsInf(figure, 0) {
				t.Errorf("%v: %+v", blocks, e)
				break
			}
		}
	}
}
