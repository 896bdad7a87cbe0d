package plan

import "testing"

// Each match is in exactly one shard, together with its block.
func TestShards(t *testing.T) {
	const matches, last = 4, 200
	for of := 1; of <= 5; of++ {
		shards := make([]int, last)
		for number := 1; number <= of; number++ {
			s := Shard{number, of}
			if err := s.Check(); err != nil {
				t.Error(err)
			}
			for k := s.Next(0, matches); k < last; k = s.Next(k+1, matches) {
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
