package feed

import (
	"bytes"
	"encoding/json"
	"testing"
)

func TestApplyRefusesNonsense(t *testing.T) {
	for _, text := range []string{"", "[]", "{", `{"cells":[{"q":}]}`} {
		if _, err := Apply([]byte(text)); err == nil {
			t.Errorf("Apply(%s) does not fail", text)
		}
		if _, err := Apply([]byte("{}"), []byte(text)); err == nil {
			t.Errorf("Apply({}, %s) does not fail", text)
		}
	}
	got, err := Apply([]byte(`{"cells":[{"q":1,"r":0,"color":1},7],"x":1}`), []byte(`{"cells":[{"q":-1,"r":0}],"characters":3,"y":2}`))
	if want := `{"cells":[{"q":1,"r":0,"color":1},7,{"q":-1,"r":0}],"x":1,"characters":3,"y":2}`; err != nil || string(got) != want {
		t.Errorf("Apply = %s, %v, want %s", got, err, want)
	}
}

// The result of deltas is JSON, not larger than they are, and is a state itself.
func FuzzApply(f *testing.F) {
	d := newTestMatch(f, Options{})
	d.begin()
	start := d.game.AppendState(nil)
	for k := range 20 {
		d.play(1, k%3 == 0)
		f.Add(start, d.game.AppendDelta(nil))
	}
	f.Add([]byte(`{"board":{"cells":[{"q":3,"r":0,"p":"x"}],"name":"a"}}`),
		[]byte(`{"board":{"cells":[{"q":1,"r":0,"p":"o"}]}}`))
	f.Add([]byte(`{"cells":7,"cells":[{"q":1},{"q":1.0},null],"board":[]}`),
		[]byte("{\"board\":{\"board\":{}},\"c\xffells\":[],\"characters\":[{\"id\":-1},{}]}"))
	f.Fuzz(func(t *testing.T, state, delta []byte) {
		got, err := Apply(state, delta)
		if err != nil {
			return
		}
		if !json.Valid(got) {
			t.Fatalf("Apply(%q, %q) = %q, which is not JSON", state, delta, got)
		}
		// a byte of a key may be escaped as six
		if limit := 6 * (len(state) + len(delta)); len(got) > limit {
			t.Errorf("Apply(%q, %q) takes %d bytes, more than %d", state, delta, len(got), limit)
		}
		if again, err := Apply(got); err != nil || !bytes.Equal(again, got) {
			t.Errorf("Apply(%q, %q) = %q, and that applied to nothing = %q, %v", state, delta, got, again,
				err)
		}
	})
}

// The board of a game without a fixed board grows.
func TestApplyToAnInnerBoard(t *testing.T) {
	got, err := Apply([]byte(`{"board":{"cells":[{"q":3,"r":0,"p":"x"}],"name":"a"},"to_move":"o"}`),
		[]byte(`{"board":{"cells":[{"q":1,"r":0,"p":"o"}]},"to_move":"x"}`),
		[]byte(`{"board":{"cells":[]},"to_move":"o"}`))
	want := `{"board":{"cells":[{"q":3,"r":0,"p":"x"},{"q":1,"r":0,"p":"o"}],"name":"a"},"to_move":"o"}`
	if err != nil || string(got) != want {
		t.Errorf("Apply = %s, %v, want %s", got, err, want)
	}
}

func BenchmarkState(b *testing.B) {
	d := newTestMatch(b, Options{})
	d.begin()
	d.play(2*markInterval-1, false)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := d.State(2*markInterval - 1); err != nil {
			b.Fatal(err)
		}
	}
}
