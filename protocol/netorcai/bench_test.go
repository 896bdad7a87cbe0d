package netorcai

import (
	"bytes"
	"strings"
	"testing"
)

// Sizes as in a hexabomb match on about 400 cells with 7 characters per player.
var (
	benchState = []byte(
		`{"cells":[` + strings.TrimSuffix(strings.Repeat(`{"q":-3,"r":12,"color":1},`, 500), ",") + `]}`)
	benchActions = []byte(
		"[" + strings.TrimSuffix(strings.Repeat(`{"id":10,"movement":"move","direction":"x+"},`, 7),
			",") + "]",
	)
)

func BenchmarkAppendTurn(b *testing.B) {
	b.SetBytes(int64(len(benchState)))
	b.ReportAllocs()
	var dst []byte
	for b.Loop() {
		dst, _ = AppendTurn(dst[:0], 42, benchState, nil)
	}
}

func BenchmarkParseTurn(b *testing.B) {
	frame, err := AppendTurn(nil, 42, benchState, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(frame)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseTurn(frame[headerSize:]); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReadAndParseTurnAck(b *testing.B) {
	frame, err := AppendTurnAck(nil, 42, benchActions, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(frame)))
	b.ReportAllocs()
	var r bytes.Reader
	var buf []byte
	for b.Loop() {
		r.Reset(frame)
		if buf, err = ReadFrame(&r, buf, Limit); err != nil {
			b.Fatal(err)
		}
		if _, err := ParseTurnAck(buf, 42); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppendDoTurn(b *testing.B) {
	players := []PlayerActions{
		{0, 42, benchActions}, {1, 42, benchActions}, {2, 42, benchActions}, {3, 42, benchActions},
	}
	b.ReportAllocs()
	var dst []byte
	for b.Loop() {
		dst, _ = AppendDoTurn(dst[:0], players)
	}
}

// BenchmarkAppendPlain writes a state of nearly 16 MiB in which everything has to be changed.
func BenchmarkAppendPlain(b *testing.B) {
	const cell = `{"q":1.0,"r":-2.50,"name":"\u00e9\ud800","q":2e1},`
	state := []byte("[" + strings.Repeat(cell, Limit/len(cell)-1) + "0.0]")
	var out []byte
	b.SetBytes(int64(len(state)))
	b.ReportAllocs()
	for b.Loop() {
		out = AppendPlain(out[:0], state, nil)
	}
}
