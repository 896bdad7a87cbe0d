package play

import (
	"slices"
	"testing"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/match"
)

// Where a bot hangs is said once, also if it takes so long to find out that the bot misses its
// last turn meanwhile.
func TestTraceIsSaidOnce(t *testing.T) {
	began, found := make(chan struct{}, 2), make(chan struct{})
	var said []string
	w := &waiting{
		players: &players{seats: map[engine.PlayerID]match.SeatInfo{0: {}}},
		traced:  map[engine.PlayerID]bool{},
		label:   func(match.SeatInfo) string { return "bot" },
		warn:    func(text string) { said = append(said, text) },
		stack: func(int, bool) []string {
			began <- struct{}{}
			<-found
			return []string{"bot.py:7"}
		},
		turn: 4,
	}
	w.trace(0, false)
	<-began
	w.trace(0, true)
	<-began
	close(found)
	w.tracing.Wait()
	if want := []string{"bot is here in turn 4:\n    bot.py:7"}; !slices.Equal(said, want) {
		t.Errorf("said %q, want %q", said, want)
	}
}
