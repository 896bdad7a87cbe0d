package recording

import (
	"fmt"
	"strings"

	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// Limits on what is read of a file depend on its size, so that reading takes memory and
// time in proportion to the file. A compressed line of 45 MB can be 4 kB of the file.
//
// Ordinary matches compress by a factor of 5 to 20. Bots that repeat one answer of many
// equal bytes reach about 1000; more is hardly possible, since each line has checksums
// and a digest, which do not compress.
const (
	maxRatio  = 1 << 10  // ratio of all lines to the file
	freePlain = 64 << 20 // bytes of lines that any file may contain
	// lineRatio and freeLine limit a line in the same way, since it is in memory while it is
	// read. Only game logics with large states need lines larger than freeLine.
	lineRatio = 1 << 9
	freeLine  = 4 << 20
)

// Limits on lists, larger than what a recorder writes. An element takes more memory than
// its text.
const (
	playerInputs = 2       // per player in a turn: a late answer and a lapse
	maxArguments = 1 << 12 // of a command
	maxOptions   = 1 << 8  // and labels
)

// maxPlain returns the most bytes of lines that a compressed file of a size may contain.
func maxPlain(size int64) int64 { return freePlain + maxRatio*size }

// maxLineOf returns the most bytes that a line of a compressed file of a size may have.
func maxLineOf(size int64) int64 { return min(maxLine, max(freeLine, lineRatio*size)) }

// headerLimits are the most elements of the lists in a header, and of the objects in it.
var headerLimits = []struct {
	name  string
	limit int
}{
	{"seats", 2 * maxPlayers},
	{"command", maxArguments},
	{"counts", maxCounts},
	{"options", maxOptions},
	{"labels", maxOptions},
}

// checkHeader returns an error if a list in an object or a seat is too long, before memory is
// allocated for it. It ignores the case of names, as encoding/json does.
func checkHeader(object jsonscan.Value) error {
	for key, v := range object.Fields() {
		for _, list := range headerLimits {
			if !strings.EqualFold(key.Text(), list.name) {
				continue
			}
			n := 0
			for range v.Fields() {
				n++
			}
			for _, member := range v.Elements() {
				if n++; n > list.limit {
					break
				}
				if err := checkHeader(member); err != nil {
					return err
				}
			}
			if n > list.limit {
				return tooMany(list.name, list.limit)
			}
		}
	}
	return nil
}

func tooMany(name string, limit int) error {
	return fmt.Errorf("%s: more than %d", name, limit)
}
