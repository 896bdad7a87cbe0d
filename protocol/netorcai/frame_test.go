package netorcai

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"testing"
	"testing/iotest"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// frameOf returns a frame with that content, whether or not it ends in a line feed.
func frameOf(content string) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(content))), content...)
}

func TestReadFrame(t *testing.T) {
	thorough.Long(t)
	full := string(bytes.Repeat([]byte{'x'}, Limit))
	tests := []struct {
		name    string
		wire    []byte
		limit   int
		want    string
		wantErr string
	}{
		{"with a line feed", frameOf("{}\n"), FirstLimit, "{}\n", ""},
		{"without a line feed", frameOf("{}"), FirstLimit, "{}", ""},
		{"empty", frameOf(""), FirstLimit, "", ""},
		{"followed by more", append(frameOf("{}"), "..."...), FirstLimit, "{}", ""},
		{"largest first message", frameOf(full[:1023]), FirstLimit, full[:1023], ""},
		{
			"first message too large", frameOf(full[:1024]), FirstLimit, "",
			"Received message size of first message is too big: 1024 does not fit in 10 bits",
		},
		{"largest", frameOf(full), Limit, full, ""},
		{
			"too large",
			[]byte{0, 0, 0, 1},
			Limit, "",
			"Received message size is too big: 16777216 does not fit in 24 bits",
		},
		{
			"largest announced size",
			[]byte{255, 255, 255, 255},
			Limit, "",
			"Received message size is too big: 4294967295 does not fit in 24 bits",
		},
		{
			"a text protocol", []byte("GET / HTTP/1.1\r\n\r\n"), FirstLimit, "",
			"Received message size of first message is too big: 542393671 does not fit in 10 bits",
		},
		{"no bytes", nil, Limit, "", "Remote endpoint closed? Read error: EOF"},
		{"half a header", []byte{1, 0}, Limit, "", "Remote endpoint closed? Read error: unexpected EOF"},
		{"header alone", []byte{1, 0, 0, 0}, Limit, "", "Remote endpoint closed? Read error: EOF"},
		{"half a frame", []byte{
			2, 0, 0, 0, '{',
		}, Limit, "", "Remote endpoint closed? Read error: unexpected EOF"},
	}
	for _, test := range tests {
		for _, buf := range [][]byte{nil, make([]byte, 7, 2000)} {
			for _, r := range []io.Reader{bytes.NewReader(test.wire), iotest.HalfReader(bytes.NewReader(test.wire))} {
				got, err := ReadFrame(r, buf, test.limit)
				text := ""
				if err != nil {
					text = err.Error()
				}
				if string(got) != test.want || text != test.wantErr {
					t.Errorf("%s: ReadFrame = %.40q (%d bytes), %q, want %.40q, %q",
						test.name, got, len(got), text, test.want, test.wantErr)
				}
			}
		}
	}
}

func TestReadFrameErrorTypes(t *testing.T) {
	reset := errors.New("connection reset")
	_, err := ReadFrame(iotest.ErrReader(reset), nil, Limit)
	if broken := (*ReadError)(nil); !errors.As(err, &broken) || !errors.Is(err, reset) {
		t.Errorf("ReadFrame error = %v, want a ReadError of %v", err, reset)
	}
	_, err = ReadFrame(bytes.NewReader([]byte{0, 4, 0, 0}), nil, FirstLimit)
	if size := (*SizeError)(nil); !errors.As(err, &size) || size.Size != 1024 ||
		size.Limit != FirstLimit {
		t.Errorf("ReadFrame error = %v, want a SizeError of 1024", err)
	}
}

// TestTruncatedFrames cuts the frame of a message at every length.
func TestTruncatedFrames(t *testing.T) {
	whole := frameOf(goldens(t, "TURN_ACK")[1].content + "\n")
	for n := range len(whole) {
		want := io.ErrUnexpectedEOF
		if n == 0 {
			want = io.EOF
		}
		if _, err := ReadFrame(bytes.NewReader(whole[:n]), nil, Limit); !errors.Is(err, want) {
			t.Errorf("ReadFrame of %d bytes: error = %v, want %v", n, err, want)
		}
	}
}

// spaceMeter is a reader that records the largest space offered by its callers.
type spaceMeter struct {
	io.Reader
	most int
}

func (g *spaceMeter) Read(p []byte) (int, error) {
	g.most = max(g.most, len(p))
	return g.Reader.Read(p)
}

func TestReadFrameTakesMemoryAsBytesArrive(t *testing.T) {
	thorough.Long(t)
	for _, sent := range []int{0, 1, 100_000, 1 << 20} {
		g := &spaceMeter{Reader: bytes.NewReader(frameOf(string(make([]byte, Limit)))[:headerSize+sent])}
		if _, err := ReadFrame(g, nil, Limit); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("after %d bytes: error = %v, want %v", sent, err, io.ErrUnexpectedEOF)
		}
		if bound := readStep + 2*sent; g.most > bound {
			t.Errorf("after %d bytes ReadFrame allocated space for %d more, want at most %d", sent, g.most,
				bound)
		}
	}
}

func TestReadFrameReusesItsBuffer(t *testing.T) {
	wire := frameOf(goldens(t, "TURN_ACK")[1].content + "\n")
	r := bytes.NewReader(nil)
	var buf []byte
	n := testing.AllocsPerRun(100, func() {
		r.Reset(wire)
		var err error
		if buf, err = ReadFrame(r, buf, Limit); err != nil {
			t.Fatal(err)
		}
	})
	if n != 0 {
		t.Errorf("ReadFrame into a large enough buffer allocates %v times, want 0", n)
	}
}

func TestEndFrame(t *testing.T) {
	thorough.Long(t)
	const before = "frames before this one"
	for size, want := range map[int]error{0: nil, 1: nil, Limit - 1: nil, Limit: ErrTooBig} {
		dst := append(BeginFrame([]byte(before)), make([]byte, size)...)
		got, err := EndFrame(dst, len(before))
		if !errors.Is(err, want) {
			t.Errorf("EndFrame of %d bytes: error = %v, want %v", size, err, want)
		}
		if err != nil {
			if string(got) != before {
				t.Errorf("EndFrame of %d bytes leaves %d bytes, want the bytes before it", size, len(got))
			}
			continue
		}
		content, err := ReadFrame(bytes.NewReader(got[len(before):]), nil, Limit)
		if err != nil || len(content) != size+1 || content[size] != '\n' {
			t.Errorf("EndFrame of %d bytes reads back as %d bytes, %v", size, len(content), err)
		}
	}
}

// FuzzFrame reads frames until an error and compares each with the bytes of the wire.
func FuzzFrame(f *testing.F) {
	for name := range decoders {
		for _, g := range goldens(f, name) {
			frame := frameOf(g.content + "\n")
			f.Add(frame, true)
			f.Add(append(frame, frame[:len(frame)-1]...), false)
		}
	}
	f.Add([]byte{255, 3, 0, 0}, true)
	f.Add([]byte{0, 0, 0, 1}, false)
	f.Fuzz(func(t *testing.T, wire []byte, first bool) {
		limit := Limit
		if first {
			limit = FirstLimit
		}
		var buf []byte
		r := bytes.NewReader(wire)
		for rest := wire; ; {
			content, err := ReadFrame(r, buf, limit)
			size, whole := 0, len(rest) >= headerSize
			if whole {
				size = int(binary.LittleEndian.Uint32(rest))
				whole = size <= limit && len(rest) >= headerSize+size
			}
			if (err == nil) != whole {
				t.Fatalf("ReadFrame of %q: error = %v, want a whole frame = %v", rest, err, whole)
			}
			if err != nil {
				return
			}
			if want := rest[headerSize : headerSize+size]; !bytes.Equal(content, want) {
				t.Fatalf("ReadFrame of %q = %q, want %q", rest, content, want)
			}
			rest, buf = rest[headerSize+size:], content
		}
	})
}
