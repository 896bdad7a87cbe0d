package remote

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/hexarena/hexarena/server/cup"
)

// skipping returns a result of match k whose first bot skipped some of a number of turns.
func (b *bench) skipping(k, turns, skipped int) playedOutcome {
	b.t.Helper()
	one := playedOutcome{Outcome: &cup.Outcome{Row: b.row(k)}}
	text := fmt.Sprintf(
		`{"k":%d,"seat":1,"bot":%s,"answers":%d,"skipped":%d}`,
		k, encode(one.Row.Bots[0]), turns-skipped, skipped)
	if err := json.Unmarshal([]byte(`[`+text+`]`), &one.Times); err != nil {
		b.t.Fatal(err)
	}
	return one
}

// A worker is named if its bots skip more than 1 % of turns, and more than three times as many as
// those of the others.
func TestOverloadedWorkers(t *testing.T) {
	for _, tt := range []struct {
		what    string
		skipped []int // of 1 000 turns, by worker
		want    []int // the workers that are named
	}{
		{"one worker is not compared", []int{900}, nil},
		{"all are as slow", []int{300, 310, 290, 300}, nil},
		{"few turns", []int{0, 10, 0, 0}, nil},
		{"many turns", []int{0, 0, 11, 0}, []int{2}},
		{"three times the median", []int{10, 30, 10, 9}, nil},
		{"more than that", []int{10, 31, 10, 9}, []int{1}},
		{"two workers", []int{2, 40}, []int{1}},
		{"two of five", []int{40, 0, 0, 50, 0}, []int{0, 3}},
	} {
		t.Run(tt.what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t, nil)
				defer b.Close()
				for i, skipped := range tt.skipped {
					if got := b.sendOne(fmt.Sprint(i), b.skipping(i, 1000, skipped)); got != 1 {
						t.Fatalf("the cup got %d results of worker %d", got, i)
					}
				}
				for i, w := range b.Report() {
					if w.Overloaded() != slices.Contains(tt.want, i) {
						t.Errorf("worker %d: %+v", i, w)
					}
				}
			})
		})
	}
}

// Few turns say nothing of a worker.
func TestFewTurnsAreNotJudged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, nil)
		defer b.Close()
		b.sendOne("0", b.skipping(0, 1000, 0))
		b.sendOne("1", b.skipping(1, judgedTurns-1, 500))
		if w := b.Report()[1]; w.Overloaded() {
			t.Errorf("%+v is named", w)
		}
		b.sendOne("1", b.skipping(2, 1, 0))
		if w := b.Report()[1]; !w.Overloaded() {
			t.Errorf("%+v is not named", w)
		}
	})
}

// A worker that counts turns which no match has is refused.
func TestImpossibleTurnsAreRefused(t *testing.T) {
	for _, turns := range [][2]int{{-1, 0}, {10, -1}, {maxMatchTurns + 1, 0}, {1 << 62, 1 << 62}} {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t, nil)
			defer b.Close()
			if got := b.sendOne("w", b.skipping(0, turns[0], turns[1])); got != 0 {
				t.Errorf("%v turns: the cup got %d results", turns, got)
			}
			if w := b.Report()[0]; w.Refused == "" {
				t.Errorf("%v turns: the worker is not refused", turns)
			}
		})
	}
}

// maxMatchTurns is the most turns that a match has.
const maxMatchTurns = 65_535
