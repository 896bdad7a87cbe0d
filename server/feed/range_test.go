package feed

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/server/match"
)

// read returns all events of a range.
func read(t testing.TB, events iter.Seq2[[]byte, error]) (list []event) {
	t.Helper()
	for data, err := range events {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, parse(t, data))
	}
	return list
}

func TestRange(t *testing.T) {
	d := newTestMatch(t, Options{})
	d.begin()
	d.play(9, false)
	d.Ended(&match.Ending{Steps: 9})
	for _, test := range []struct {
		from, to int
		want     string
	}{
		{0, math.MaxInt, "start 1 2 3 4 5 6 7 8 9 end"},
		{3, 5, "3 4"},
		{-1, 1, "start"},
		{10, 12, "end"},
		{11, 12, ""},
		{5, 3, ""},
	} {
		if got := types(read(t, d.Range(test.from, test.to))); got != test.want {
			t.Errorf("Range(%d, %d) reads %q, want %q", test.from, test.to, got, test.want)
		}
	}
}

func TestRangeOfForgottenTurns(t *testing.T) {
	d := newTestMatch(t, Options{MaxBytes: 200 << 10})
	d.begin()
	d.play(500, false)
	m, _ := d.history.first(0)
	var want strings.Builder
	fmt.Fprintf(&want, "start %d!", m.turn)
	for k := m.turn + 1; k <= 500; k++ {
		fmt.Fprint(&want, " ", k)
	}
	if got := types(read(t, d.Range(0, math.MaxInt))); got != want.String() {
		t.Errorf("with forgotten turns a range reads %q, want %q", got, want.String())
	}
	if got := types(read(t, d.Range(1, m.turn))); got != "" {
		t.Errorf("a range of forgotten turns reads %q, want nothing", got)
	}
}

// When a match is released, its readers end and nothing of it is kept.
func TestRelease(t *testing.T) {
	d := newTestMatch(t, Options{})
	c := d.From(0)
	d.begin()
	d.play(70, false)
	readAll(t, c)
	next, stop := iter.Pull2(d.Range(0, math.MaxInt))
	defer stop()
	if _, err, _ := next(); err != nil {
		t.Fatal(err)
	}
	notified := 0
	defer d.Listen(func() { notified++ })()
	d.Release()
	d.play(3, false)
	d.play(1, true)
	if _, err, _ := next(); !errors.Is(err, ErrReleased) {
		t.Errorf("a range ends with %v, want %v", err, ErrReleased)
	}
	if got := types(readAll(t, c)); got != "" || !d.Released() || notified == 0 {
		t.Errorf("a cursor has %q, Released is %v, the listener was notified %d times", got, d.Released(),
			notified)
	}
	if _, err := d.State(3); !errors.Is(err, ErrNoTurn) {
		t.Errorf("State(3) = %v, want %v", err, ErrNoTurn)
	}
	d.Ended(&match.Ending{Steps: 74})
	if d.Size() != 0 || d.newest != nil {
		t.Errorf("%d bytes are kept", d.Size())
	}
	if got := types(readAll(t, d.From(0))); got != "" {
		t.Errorf("a late reader gets %q", got)
	}
}

// Two histories of maximal size, of a finished match and of the current one, take less
// than half the memory.
func TestMaxBytesFollowsTheMemoryLimit(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(before)
	for limit, want := range map[int64]int{
		400 << 20: 50 << 20, 8 << 30: 256 << 20, math.MaxInt64: 256 << 20,
	} {
		debug.SetMemoryLimit(limit)
		if got := New(Options{}).history.limit; got != want {
			t.Errorf("with %d bytes of memory a history may take %d, want %d", limit, got, want)
		}
	}
}
