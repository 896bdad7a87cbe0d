// Package textutil shortens what a message quotes, finds the name that was probably meant by a
// misspelt one, writes names that nothing interprets, and numbers with their nouns.
package textutil

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"
)

// Clip returns s shortened to at most limit bytes, with an ellipsis in place of the rest.
// It cuts between characters.
func Clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + "…"
}

// negative matches the sign of a negative figure.
var negative = regexp.MustCompile(`(^|[ (])-([0-9])`)

// Minus returns a text for people: its negative figures have true minus signs. What programs read
// keeps hyphens.
func Minus(text string) string { return negative.ReplaceAllString(text, "${1}−${2}") }

// Counted returns a number with its noun in the singular or the plural.
func Counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// maxCompared is the most bytes of a name that are compared, since a name may be a whole
// file by mistake.
const maxCompared = 64

// Nearest returns the first of names, which are in lower case, with the smallest edit
// distance from name, and that distance. Without names it returns an empty string.
func Nearest(name string, names []string) (nearest string, distance int) {
	name = strings.ToLower(name[:min(len(name), maxCompared)])
	for i, candidate := range names {
		if d := levenshtein.ComputeDistance(name, candidate); i == 0 || d < distance {
			nearest, distance = candidate, d
		}
	}
	return nearest, distance
}
