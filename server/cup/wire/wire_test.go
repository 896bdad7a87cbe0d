package wire

import (
	"math"
	"reflect"
	"testing"
)

type values struct {
	N     int
	Sum   uint64
	Text  string
	Data  []byte
	Texts []string
	More  []int64
}

func (v *values) on(w *Wire) {
	Number(w, &v.N)
	Number(w, &v.Sum)
	String(w, &v.Text)
	Bytes(w, &v.Data)
	List(w, &v.Texts, String)
	List(w, &v.More, Number)
}

// Values are read as they were written, and a truncated text is an error.
func TestValues(t *testing.T) {
	for _, want := range []values{{}, {-1, math.MaxUint64, "\xff\x00", []byte{0}, []string{"", "a", "b", "c", "d", "e", "f", "g", "h"}, []int64{math.MinInt64, math.MaxInt64}}} {
		w := Writer(nil)
		want.on(w)
		got, r := values{Text: "before"}, Reader(w.Text())
		if got.on(r); r.Err() != nil || len(r.Text()) > 0 || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v is read as %+v, %v", want, got, r.Err())
		}
		for n := range w.Text() {
			if r = Reader(w.Text()[:n]); func() error { new(values).on(r); return r.Err() }() == nil {
				t.Errorf("the first %d bytes of %+v are read without an error", n, want)
			}
		}
	}
}

// No text panics, and none takes much more memory than it has bytes.
func FuzzValues(f *testing.F) {
	w := Writer(nil)
	(&values{N: 1, Text: "a", Texts: []string{"b"}, More: []int64{2}}).on(w)
	f.Add(w.Text())
	f.Fuzz(func(t *testing.T, text []byte) {
		var v values
		v.on(Reader(text))
		if len(v.Texts)+len(v.More)+len(v.Text) > len(text) {
			t.Errorf("%d bytes are read as %d values", len(text), len(v.Texts)+len(v.More))
		}
	})
}
