package seat

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// characters, so that tables keep their shape; without the number that makes it unique
	maxLabel    = 24
	maxNickname = 10 // characters, as the metaprotocol has it
)

// commandLabel returns a short name for a command: that of its file, or of its folder as in
// "go run ./bot", if it has one, else that of its program.
func commandLabel(words []string) string {
	program := func(w string) bool { return !strings.Contains(w, "=") }
	if i := slices.IndexFunc(words[1:], program); words[0] == "env" && i >= 0 {
		words = words[1+i:] // of env NAME=value ./bot
	}
	name := words[0]
	for _, word := range words[1:] {
		if strings.HasPrefix(word, "-") {
			continue
		}
		info, err := os.Stat(word)
		if err == nil && (info.Mode().IsRegular() || info.IsDir() && isPackage(word)) {
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

// isPackage reports whether a folder is written as a package or a project of a command, such as
// ./bot: other words may be the name of a folder by chance.
func isPackage(word string) bool {
	return strings.ContainsAny(word, `/\`) && filepath.Base(word) != "." && filepath.Base(word) != ".."
}

// SetLabels makes the labels of seats unique: of those that share one, all but the
// first get a number.
func SetLabels(seats []Spec) {
	used := map[string]bool{}
	for i := range seats {
		label := seats[i].Label
		for n := 2; used[seats[i].Label]; n++ {
			seats[i].Label = fmt.Sprintf("%s#%d", label, n)
		}
		used[seats[i].Label] = true
	}
}

// Nickname returns what the seat's bot should call itself: the label, without what a
// nickname must not have and shortened to its length. A number at its end is kept.
func (s *Spec) Nickname() string {
	name := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return '_'
		}
		return r
	}, s.Label)
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

// cut returns the first n characters of s, or all of it.
func cut(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// LogName returns a name for the log of what the bot in the seat at an index prints. All
// systems accept it as the name of a file.
func (s *Spec) LogName(index int) string {
	return fmt.Sprintf("%d-%s.log", index+1, strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`<>:"/\|?*`, r) {
			return '_'
		}
		return r
	}, s.Label))
}
