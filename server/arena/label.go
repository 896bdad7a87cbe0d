package arena

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxLabel    = 24 // characters, without what makes it unique
	maxNickname = 10 // characters, as the metaprotocol has it
)

// commandLabel is a short name for a command: its file's, if it has one.
func commandLabel(words []string) string {
	name := words[0]
	for _, word := range words[1:] {
		if strings.HasPrefix(word, "-") {
			continue
		}
		if info, err := os.Stat(word); err == nil && info.Mode().IsRegular() {
			name = word
			break
		}
	}
	name = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '_'
	}, strings.ToValidUTF8(filepath.Base(name), "_"))
	return cut(strings.TrimSuffix(name, ".exe"), maxLabel)
}

// SetLabels makes the labels of seats unique, by numbers after all but the
// first of those that share one.
func SetLabels(seats []Seat) {
	used := map[string]bool{}
	for i := range seats {
		label := seats[i].Label
		for n := 2; used[seats[i].Label]; n++ {
			seats[i].Label = fmt.Sprintf("%s#%d", label, n)
		}
		used[seats[i].Label] = true
	}
}

// nickname is what a bot with that label calls itself: the label, without what
// is not allowed or does not fit. Its number is kept.
func nickname(label string) string {
	name := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return '_'
		}
		return r
	}, label)
	if utf8.RuneCountInString(name) <= maxNickname {
		return name
	}
	number := ""
	if i := strings.LastIndexByte(name, '#'); i > 0 && len(name)-i < maxNickname/2 {
		name, number = name[:i], name[i:]
	}
	if ext := filepath.Ext(name); ext != name {
		name = strings.TrimSuffix(name, ext)
	}
	return cut(name, maxNickname-utf8.RuneCountInString(number)) + number
}

// cut is the beginning of s, of at most n characters.
func cut(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// logName is the name of a seat's log, which any system takes for a file's.
func logName(index int, label string) string {
	return fmt.Sprintf("%d-%s.log", index+1, strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`<>:"/\|?*`, r) {
			return '_'
		}
		return r
	}, label))
}
