package cupcli

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/cli"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/cup"
	"github.com/hexarena/hexarena/server/cup/cuptest"
	"github.com/hexarena/hexarena/server/cup/standings"
)

// Once the first blocks are played, one line says how long all matches take at their rate.
func TestHowLongItTakes(t *testing.T) {
	for _, tt := range []struct {
		name   string
		format plan.Format
		count  int
		shard  plan.Shard
		start  time.Duration // of the programs
		pause  time.Duration // of each match
		want   string
	}{
		// its lines have a forecast
		{"comparison", plan.Comparison, 0, plan.Whole, 0, 500 * time.Millisecond, ""},
		{"comparison with a limit", plan.Comparison, 100, plan.Whole, 0, 100 * time.Millisecond, "at 10.0 matches a " +
			"second 100 matches take about 10 s\n"},
		{"round robin", plan.RoundRobin, 72_000, plan.Whole, 0, 250 * time.Millisecond, "at 4.0 matches a " +
			"second 72000 matches take about 5.0 h\n"},
		{"a shard", plan.RoundRobin, 36, plan.Shard{
			Number: 1, Of: 3,
		}, 0, 250 * time.Millisecond, "at 4.0 matches a second 12 matches take about 3 s\n"},
		{
			"programs that start slowly", plan.RoundRobin, 700, plan.Whole, 6 * time.Second,
			50 * time.Millisecond, "at 20.0 matches a second 700 matches take about 35 s\n",
		},
		{"no limit", plan.RoundRobin, 0, plan.Whole, 0, 250 * time.Millisecond, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := cuptest.Plan(tt.format, 2, 2)
				p.Count = tt.count
				var said bytes.Buffer
				l := newProgress(&prepared{
					Options: Options{Program: cli.Program{Stderr: &said}, Jobs: 2},
					contest: &cup.Contest{Plan: p, Shard: tt.shard}, dir: "cups/one",
				}, standings.New(p), true)
				l.begin(false)
				time.Sleep(tt.start)
				for _, row := range cuptest.Rows(p, 24) {
					time.Sleep(tt.pause)
					l.add(row, true)
				}
				l.end()
				got := ""
				for line := range strings.Lines(said.String()) {
					if strings.HasPrefix(line, "at ") {
						got += line
					}
				}
				if forecast := strings.Contains(said.String(), "left with a probability of 90 %"); forecast != (tt.name == "comparison") {
					t.Errorf("a forecast: %v", forecast)
				}
				if got != tt.want {
					t.Errorf("it says\n%s\nwant %q", &said, tt.want)
				}
			})
		})
	}
}
