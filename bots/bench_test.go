package bots

import (
	"testing"

	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/maps"
)

// midgame returns a state of four painters in the middle of a match on a large map.
func midgame(tb testing.TB) (Info, []byte) {
	tb.Helper()
	m, err := maps.Load("archipelago")
	if err != nil {
		tb.Fatal(err)
	}
	g := newGame(tb, m, "painter", "painter", "random", "random")
	g.play(45)
	return Info{Player: 0, Players: 4, Turns: 100}, g.state
}

func BenchmarkRead(b *testing.B) {
	info, state := midgame(b)
	run := func(b *testing.B, forget bool) {
		board, err := newBoard(info, state)
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(len(state)))
		b.ReportAllocs()
		for b.Loop() {
			if forget {
				board.layout.ends = nil
			}
			if err := board.read(1, state); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.Run("known layout", func(b *testing.B) { run(b, false) })
	b.Run("unknown layout", func(b *testing.B) { run(b, true) })
	b.Run("encoding/json", func(b *testing.B) {
		b.SetBytes(int64(len(state)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := hexabomb.ParseState(state); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkTurn(b *testing.B) {
	info, state := midgame(b)
	for _, name := range Names() {
		b.Run(name, func(b *testing.B) {
			s, err := New(name, 1)
			if err != nil {
				b.Fatal(err)
			}
			if err := s.Start(info, state); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			var answer []byte
			for b.Loop() {
				if answer, err = s.Turn(1, state, answer[:0]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
