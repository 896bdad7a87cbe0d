package hextictactoe

import (
	"slices"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine"
	rules "github.com/hexarena/hexarena/engine/hextictactoe"
)

// BenchmarkTimeUsed plays threat against itself with a time limit for each move, and reports the
// median share of the limit that it uses while neither side has a proven win.
func BenchmarkTimeUsed(b *testing.B) {
	for _, limit := range []time.Duration{100 * time.Millisecond, time.Second} {
		b.Run(limit.String(), func(b *testing.B) {
			var machine Machine
			var game *rules.Game
			var shares []float64
			bot, _ := New("threat")
			over := true
			for seed := uint64(0); b.Loop(); {
				if over {
					o := rules.Defaults()
					o.Setup = Opening(seed)
					seed++
					game = rules.New(o)
					if _, err := game.Start(engine.Setup{Players: 2, Turns: 100}); err != nil {
						b.Fatal(err)
					}
				}
				o := rules.Defaults()
				q := Question{
					Board: game.Board(), ToMove: game.ToMove(), View: o.ViewDistance, Win: o.WinDistance,
				}
				asked := time.Now()
				q.SetTimer(Clock{Left: limit, PerMove: true}, &machine)
				answer := bot.Move(b.Context(), q)
				if answer.WinIn == 0 {
					shares = append(shares, float64(time.Since(asked))/float64(limit))
				}
				over = game.Step([]engine.Input{{
					Player: q.ToMove.Player(), Actions: answer.AppendActions(nil),
				}}).Over
			}
			if slices.Sort(shares); len(shares) > 0 {
				b.ReportMetric(shares[len(shares)/2], "of-limit")
			}
		})
	}
}
