package launch

import (
	"strings"

	"golang.org/x/sys/windows"
)

// plainBytes need no quotes in any shell.
const plainBytes = `abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@\`

// split splits the line by the system's function. Another word before it, because the system takes
// the first for the path of a program, and one after it, which an open quote would swallow.
func split(line string) ([]string, error) {
	words, err := windows.DecomposeCommandLine("x " + line + " x")
	if err != nil {
		return nil, err
	}
	last := len(words) - 1
	if words[last] != "x" {
		return nil, ErrQuote
	}
	return words[1:last], nil
}

// quote puts a word between double quotes. EscapeArg does so for the sake of white space only.
func quote(word string) string {
	return `"` + strings.TrimPrefix(windows.EscapeArg(" "+word), `" `)
}
