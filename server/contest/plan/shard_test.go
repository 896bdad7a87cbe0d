package plan

import (
	"math"
	"testing"
)

// Each match is in exactly one shard, together with its stretch.
func TestShards(t *testing.T) {
	const matches, last = 4, 200
	for of := 1; of <= 5; of++ {
		shards := make([]int, last)
		for number := 1; number <= of; number++ {
			s := Shard{number, of}
			if err := s.Check(); err != nil {
				t.Error(err)
			}
			played := 0
			for k := s.Next(0, matches); k < last; k = s.Next(k+1, matches) {
				if got := s.Matches(k, matches); got != played {
					t.Fatalf("shard %s plays %d of %d matches, want %d", s, got, k, played)
				}
				played++
				if shards[k] != 0 {
					t.Fatalf("match %d is in shards %d and %s", k, shards[k], s)
				}
				shards[k] = number
			}
		}
		for k, number := range shards {
			if number != k/matches%of+1 {
				t.Fatalf("match %d is in shard %d of %d", k, number, of)
			}
		}
	}
	for _, s := range []Shard{{}, {0, 2}, {3, 2}, {1, 0}, {-1, -1}} {
		if s.Check() == nil {
			t.Errorf("there is a shard %s", s)
		}
	}
}

// A stretch is whole blocks, gives each bot some 30 matches, and leaves a small contest three
// parts.
func TestStretch(t *testing.T) {
	for _, tt := range []struct {
		format             Format
		bots, seats, count int
		want               int
	}{
		{RoundRobin, 4, 4, 100_000, 32},
		{RoundRobin, 4, 2, 100_000, 60},
		{RoundRobin, 40, 4, 100_000, 300},
		{Gauntlet, 40, 2, 1_000_000, 600},
		{RoundRobin, 40, 4, 400, 132},
		{RoundRobin, 4, 3, 60, 18},
		{RoundRobin, 4, 3, 5, 3},
		{RoundRobin, 4, 4, 0, math.MaxInt},
		{Swiss, 8, 2, 400, math.MaxInt},
		{Comparison, 2, 2, 400, math.MaxInt},
	} {
		p := &Plan{Format: tt.format, Bots: make([]Bot, tt.bots), Seats: tt.seats, Count: tt.count}
		if got := p.Stretch(); got != tt.want {
			t.Errorf("a stretch of %+v has %d matches", tt, got)
		}
	}
}
