package jsonscan

import (
	"bytes"
	"testing"
)

// TestOneLine puts each byte at each place of short texts.
func TestOneLine(t *testing.T) {
	for _, filler := range []byte{' ', 'x', 0x80, 0xff} {
		for n := range 20 {
			text := bytes.Repeat([]byte{filler}, n)
			if !OneLine(text) {
				t.Errorf("OneLine(%q) = false", text)
			}
			for at := range text {
				for c := range 256 {
					text[at] = byte(c)
					if got, want := OneLine(text), c >= ' '; got != want {
						t.Errorf("OneLine(%q) = %v", text, got)
					}
				}
				text[at] = filler
			}
		}
	}
}
