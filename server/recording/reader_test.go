package recording

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestOpenForeign(t *testing.T) {
	for text, want := range map[string]error{
		"":                      ErrEmpty,
		"3f2a":                  ErrEmpty,
		"hello":                 ErrForeign,
		"{\"a\":1}\n":           ErrForeign,
		string(newer(t)):        ErrVersion,
		string(zstdMagic) + "x": nil,
	} {
		_, err := NewReader(strings.NewReader(text), int64(len(text)))
		if err == nil || want != nil && !errors.Is(err, want) {
			t.Errorf("NewReader(%q) = %v, want %v", text, err, want)
		}
	}
}

func newer(t *testing.T) []byte {
	line, err := appendJSONLine(nil, Header{Format: formatVersion + 1})
	if err != nil {
		t.Fatal(err)
	}
	return line
}

// No contents of a file make the reader panic or allocate without limit.
func FuzzReader(f *testing.F) {
	m := small(20)
	live, finished := m.files(f)
	f.Add(live)
	f.Add(finished)
	f.Add(finished[:len(finished)/2])
	f.Fuzz(func(t *testing.T, data []byte) {
		_, _ = verifyBytes(data)
		// Also with contents that have correct checksums.
		var turn Turn
		h := Header{Seats: make([]Seat, 3), Counts: []string{"a"}}
		if v, err := unwrap(endLine(append(beginLine(nil), bytes.ReplaceAll(data, []byte("\n"), nil)...), 0)); err == nil {
			_ = turn.parse(v, &h)
		}
	})
}

// A turn that lacks a field which every recorder writes is damaged.
func TestTurnsLackNothing(t *testing.T) {
	const header = `{"hexarena_recording":1,"rules":"external","players":1,"specials":0,"turns":9,"seats":[{"nickname":"a"}],"counts":["n"]}`
	fields := []string{
		`"turn":0`, `"inputs":[]`, `"tally":[[0]]`, `"digest":"0000000000000000"`, `"state":{}`,
	}
	read := func(fields []string) error {
		return readAll(packRecords(t, header, "{"+strings.Join(fields, ",")+"}", `{"end":{"turns":0}}`))
	}
	if err := read(fields); err != nil {
		t.Errorf("all fields: %v", err)
	}
	for i, field := range fields {
		if err := read(slices.Delete(slices.Clone(fields), i, i+1)); !errors.As(err, new(*DamageError)) {
			t.Errorf("without %s: %v, want damage", field, err)
		}
	}
}
