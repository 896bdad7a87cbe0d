package recording

import (
	"fmt"
	"strings"

	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// Bounds of what is read of a file of some size, so that reading takes memory and time
// in proportion to the file. A compressed line of 45 MB can be 4 kB of the file.
//
// Matches as bots usually play them are compressed 5 to 20 times. The most is reached by
// bots that repeat one answer of many equal bytes: about 1000 times, since each line has
// checksums and a digest, which do not compress.
const (
	maxRatio  = 1 << 10  // of all lines to the file
	freePlain = 64 << 20 // bytes of lines that any file may hold
	// lineRatio and freeLine bound a line in the same way, as it is in memory while it is
	// read. A line that is larger than freeLine is one of a game logic with large states.
	lineRatio = 1 << 9
	freeLine  = 4 << 20
)

// Bounds of lists, beyond what a recorder writes. An element takes more memory than text.
const (
	playerInputs = 2       // in a turn, of one player: an answer that was late, and a lapse
	maxArguments = 1 << 12 // of a command
	maxOptions   = 1 << 8
)

// mostPlain returns how many bytes of lines a compressed file of a size may hold.
func mostPlain(size int64) int64 { return freePlain + maxRatio*size }

// mostLine returns how long a line of a compressed file of a size may be.
func mostLine(size int64) int64 { return min(maxLine, max(freeLine, lineRatio*size)) }

// checkHeader finds lists that are too long, before memory is taken for them.
func checkHeader(record jsonscan.Value) error {
	for key, v := range record.Fields() {
		var err error
		switch name := key.Text(); {
		case strings.EqualFold(name, "seats"):
			err = checkList(v, "seats", 2*maxPlayers)
			for _, seat := range v.Elements() {
				if err == nil {
					err = checkField(seat, "command", maxArguments)
				}
			}
		case strings.EqualFold(name, "counts"):
			err = checkList(v, "counts", maxCounts)
		case strings.EqualFold(name, "options"):
			n := 0
			for range v.Fields() {
				if n++; n > maxOptions {
					return tooMany("options", maxOptions)
				}
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkEnd finds lists that are too long in an end of a match of players.
func checkEnd(end jsonscan.Value, players int) error {
	if err := checkField(end, "left", players); err != nil {
		return err
	}
	for key, v := range end.Fields() {
		if !strings.EqualFold(key.Text(), "printed") {
			continue
		}
		if err := checkList(v, "printed", players); err != nil {
			return err
		}
		for _, output := range v.Elements() {
			if err := checkField(output, "lines", MaxPrinted); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkField is checkList for the fields of an object with a name, in whatever case:
// encoding/json reads them all.
func checkField(object jsonscan.Value, name string, most int) error {
	if object.Kind() != jsonscan.Object {
		return nil // which is found later
	}
	for key, v := range object.Fields() {
		if !strings.EqualFold(key.Text(), name) {
			continue
		}
		if err := checkList(v, name, most); err != nil {
			return err
		}
	}
	return nil
}

// checkList finds a list of more elements than there may be.
func checkList(list jsonscan.Value, name string, most int) error {
	if list.Kind() != jsonscan.Array {
		return nil
	}
	n := 0
	for range list.Elements() {
		if n++; n > most {
			return tooMany(name, most)
		}
	}
	return nil
}

func tooMany(name string, most int) error {
	return fmt.Errorf("%s: more than %d", name, most)
}
