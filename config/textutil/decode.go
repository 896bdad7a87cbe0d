package textutil

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// Decode returns a name as UTF-8, so that it stays the same when it is written as JSON and read
// back. Other names come from archives and disks of old systems, which do not say their encoding:
// the characters from 0x80 to 0xBF are letters in code page 437, as zip has it, and hardly ever
// in Latin-1, whose letters begin at 0xC0.
func Decode(name string) string {
	if utf8.ValidString(name) {
		return name
	}
	page := charmap.ISO8859_1
	for i := range len(name) {
		if name[i] >= 0x80 && name[i] < 0xC0 {
			page = charmap.CodePage437
		}
	}
	var b strings.Builder
	for i := range len(name) {
		b.WriteRune(page.DecodeByte(name[i]))
	}
	return b.String()
}
