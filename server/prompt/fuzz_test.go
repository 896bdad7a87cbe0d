package prompt

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/engine/enginetest"
	"github.com/hexarena/hexarena/server/match"
)

// Whatever the operator types, settings stay within their ranges.
func FuzzRead(f *testing.F) {
	for _, line := range []string{
		"start", "quit", "print all", "print nb-turns-max", "set nb-turns-max=7", "set nb-turns-max 1e9",
		"set delay-turns=1.5\nprint delay-turns",
		"set x=1", "set nb-turns-max=-0", "set nb-turns-max=NaN", "  set nb-turns-max=\t3",
	} {
		f.Add(line)
	}
	m := match.New(
		match.Options{
			Settings: match.Settings{Turns: 5, Players: 1}, Referee: match.Local(enginetest.NewToy()),
			Log: zerolog.Nop(),
		},
	)
	ctx, stop := context.WithCancel(context.Background())
	over := make(chan struct{})
	go func() {
		defer close(over)
		m.Run(ctx)
	}()
	f.Cleanup(func() {
		stop()
		<-over
	})
	turns := config.Variables[0]
	f.Fuzz(func(t *testing.T, lines string) {
		if strings.Contains(lines, "start") { // all inputs share the match
			return
		}
		var out bytes.Buffer
		p := Prompt{Match: func() *match.Match { return m }, Out: &out, Quit: func() {}, Variables: []Variable{{
			Variable: turns,
			Get:      func(s match.Settings) float64 { return float64(s.Turns) },
			Set:      func(s *match.Settings, v float64) { s.Turns = int(v) },
		}}}
		p.Read(strings.NewReader(lines))
		if s, ok := m.Settings(); !ok || float64(s.Turns) < turns.Min || float64(s.Turns) > turns.Max {
			t.Errorf("%q sets %s to %d, %v", lines, turns.Name, s.Turns, ok)
		}
	})
}
