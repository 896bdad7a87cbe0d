package deflate

import (
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

// states returns messages that differ little from one to the next, as those of a match do.
func states(n int) (list [][]byte) {
	rng := rand.New(rand.NewPCG(1, 2))
	cells := make([]int, 270)
	for turn := range n {
		for range 8 {
			cells[rng.IntN(len(cells))] = rng.IntN(5)
		}
		var b bytes.Buffer
		fmt.Fprintf(&b, `{"message_type":"TURN","turn_number":%d,"game_state":{"cells":[`, turn)
		for i, color := range cells {
			fmt.Fprintf(&b, `{"q":%d,"r":%d,"color":%d},`, i/18-7, i%18-9, color)
		}
		b.WriteString("]}}")
		list = append(list, b.Bytes())
	}
	return list
}

// Each message is restored, and takes a few per cent of its size once there is a context.
func TestMessagesAreRestored(t *testing.T) {
	var w Writer
	var r Reader
	list := append(states(100), []byte("x"), bytes.Repeat([]byte("long"), 3*windowSize), nil,
		[]byte("{}"))
	sent := 0
	for i, want := range list {
		compressed, err := w.Compress(want)
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 && i < 100 {
			sent += len(compressed)
		}
		in, err := r.Open(bytes.NewReader(compressed))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(in); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("message %d of %d bytes is restored as %d bytes, %v", i, len(want), len(got), err)
		}
	}
	if share := float64(sent) / float64(99*len(list[0])); share > 0.05 {
		t.Errorf("messages take %.1f %% of their size, want at most 5 %%", 100*share)
	}
}

// Any implementation of deflate reads the messages: with the ends of the flushes they are one
// stream.
func TestMessagesAreOneStream(t *testing.T) {
	var w Writer
	var stream, want bytes.Buffer
	for _, m := range states(10) {
		compressed, err := w.Compress(m)
		if err != nil {
			t.Fatal(err)
		}
		stream.Write(compressed)
		stream.WriteString(flushEnd)
		want.Write(m)
	}
	stream.WriteString(streamEnd)
	if got, err := io.ReadAll(flate.NewReader(&stream)); err != nil ||
		!bytes.Equal(got, want.Bytes()) {
		t.Errorf("the stream holds %d bytes, %v, want %d", len(got), err, want.Len())
	}
}

// Bytes that are no compressed message are an error, and a message that is cut is not longer than
// it was.
func TestDamagedMessages(t *testing.T) {
	whole, err := new(Writer).Compress([]byte(strings.Repeat("some text ", 100)))
	if err != nil {
		t.Fatal(err)
	}
	for _, damaged := range [][]byte{{0xff, 0xff}, {0x07}, whole[:len(whole)/2], whole[1:]} {
		in, err := new(Reader).Open(bytes.NewReader(damaged))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(in); len(got) > 1000 {
			t.Errorf("%x is read as %d bytes, %v", damaged, len(got), err)
		}
	}
}

// There are as many contexts as are released.
func TestContextsAreBounded(t *testing.T) {
	c := NewContexts()
	for range maxContexts {
		if !c.Take() {
			t.Fatal("a context is missing")
		}
	}
	if c.Take() {
		t.Error("there is one context too many")
	}
	c.Release()
	if !c.Take() || (*Contexts)(nil).Take() {
		t.Error("a context that was released cannot be taken, or one can be taken of none")
	}
}

// FuzzRead reads any bytes as two messages, which must end.
func FuzzRead(f *testing.F) {
	for _, m := range states(2) {
		compressed, err := new(Writer).Compress(m)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(compressed, compressed)
	}
	const limit = 1 << 20 // what a session reads of a message at most
	f.Fuzz(func(t *testing.T, one, two []byte) {
		var r Reader
		for _, compressed := range [][]byte{one, two} {
			in, err := r.Open(bytes.NewReader(compressed))
			if err != nil {
				return
			}
			_, _ = io.Copy(io.Discard, io.LimitReader(in, limit))
		}
		if len(r.window) > windowSize {
			t.Errorf("the window has %d bytes", len(r.window))
		}
	})
}
