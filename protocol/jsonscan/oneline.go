package jsonscan

import "encoding/binary"

// OneLine reports whether text holds no control characters, such as line feeds.
func OneLine(text []byte) bool {
	for len(text) >= 8 { // eight bytes at a time
		const spaces, tops = 0x2020202020202020, 0x8080808080808080
		x := binary.LittleEndian.Uint64(text)
		if (x-spaces)&^x&tops != 0 { // one of the bytes is below a space
			return false
		}
		text = text[8:]
	}
	for _, c := range text {
		if c < ' ' {
			return false
		}
	}
	return true
}
