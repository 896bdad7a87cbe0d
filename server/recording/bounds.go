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

// checkHeader returns an error if a list is too long, before memory is allocated for it.
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
		case strings.EqualFold(name, "options"), strings.EqualFold(name, "labels"):
			err = checkMap(v, strings.ToLower(name), maxOptions)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkEnd returns an error if a list in the end of a match is too long.
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

// checkField calls checkList for the fields with a name, in upper or lower case, since
// encoding/json accepts both.
func checkField(object jsonscan.Value, name string, limit int) error {
	if object.Kind() != jsonscan.Object {
		return nil // the caller reports that later
	}
	for key, v := range object.Fields() {
		if !strings.EqualFold(key.Text(), name) {
			continue
		}
		if err := checkList(v, name, limit); err != nil {
			return err
		}
	}
	return nil
}

// checkList returns an error if a list has more than limit elements.
func checkList(list jsonscan.Value, name string, limit int) error {
	if list.Kind() != jsonscan.Array {
		return nil
	}
	n := 0
	for range list.Elements() {
		if n++; n > limit {
			return tooMany(name, limit)
		}
	}
	return nil
}

// checkMap returns an error if an object has more than limit fields.
func checkMap(object jsonscan.Value, name string, limit int) error {
	if object.Kind() != jsonscan.Object {
		return nil
	}
	n := 0
	for range object.Fields() {
		if n++; n > limit {
			return tooMany(name, limit)
		}
	}
	return nil
}

func tooMany(name string, limit int) error {
	return fmt.Errorf("%s: more than %d", name, limit)
}
