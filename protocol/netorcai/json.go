package netorcai

import (
	"math"
	"strconv"
	"unicode/utf8"
)

// appendString appends s as a JSON string. Each byte of invalid UTF-8 becomes U+FFFD.
func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for _, r := range s {
		dst = appendRune(dst, r)
	}
	return append(dst, '"')
}

// appendRune appends a character of a JSON string.
func appendRune(dst []byte, r rune) []byte {
	const hex = "0123456789abcdef"
	switch {
	case r == '"' || r == '\\':
		return append(dst, '\\', byte(r))
	case r < ' ':
		return append(dst, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
	}
	return utf8.AppendRune(dst, r)
}

func appendInt(dst []byte, n int) []byte { return strconv.AppendInt(dst, int64(n), 10) }

// appendFloat appends f, which must be finite, as encoding/json does: the shortest digits that
// represent f, with an exponent only for very small and very large numbers, and without leading
// zeros in the exponent.
func appendFloat(dst []byte, f float64) []byte {
	if abs := math.Abs(f); abs == 0 || 1e-6 <= abs && abs < 1e21 {
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
	if last := len(dst) - 1; dst[last-2] == '-' && dst[last-1] == '0' {
		dst[last-1] = dst[last]
		dst = dst[:last]
	}
	return dst
}

// appendRaw appends the JSON text raw, or empty if raw is empty.
func appendRaw(dst, raw []byte, empty string) []byte {
	if len(raw) == 0 {
		return append(dst, empty...)
	}
	return append(dst, raw...)
}

// ValidUTF8 returns content with every byte that is not part of valid UTF-8 replaced by U+FFFD,
// as netorcai does when it relays text. If there is nothing to replace, it returns content and
// allocates nothing; otherwise it returns a copy, up to three times as long.
func ValidUTF8(content []byte) []byte {
	if utf8.Valid(content) {
		return content
	}
	valid := make([]byte, 0, len(content)+len(content)/8+utf8.UTFMax)
	for len(content) > 0 {
		r, size := utf8.DecodeRune(content)
		valid = utf8.AppendRune(valid, r)
		content = content[size:]
	}
	return valid
}
