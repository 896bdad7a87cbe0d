package prompt

import (
	"slices"
	"strings"
)

// completer completes commands and variables when Tab is pressed.
type completer struct {
	names []string     // of the variables
	show  func(string) // shows the choices
}

// key is the callback of term.Terminal; pos is in bytes.
func (c completer) key(line string, pos int, key rune) (newLine string, newPos int, ok bool) {
	if key != '\t' {
		return "", 0, false
	}
	done, choices := c.complete(line[:pos])
	if done == line[:pos] && len(choices) > 1 {
		c.show(strings.Join(choices, "  "))
	}
	return done + line[pos:], len(done), true
}

// complete returns text extended as far as there is only one way, and the choices for its
// last word.
func (c completer) complete(text string) (done string, choices []string) {
	word := text[strings.LastIndexByte(text, ' ')+1:]
	before := text[:len(text)-len(word)]
	for _, choice := range c.choices(before) {
		if strings.HasPrefix(choice, word) {
			choices = append(choices, choice)
		}
	}
	if len(choices) == 0 {
		return text, nil
	}
	common := choices[0]
	for _, choice := range choices[1:] {
		for !strings.HasPrefix(choice, common) {
			common = common[:len(common)-1]
		}
	}
	return before + common, choices
}

// choices returns the words that may follow the beginning of a line.
func (c completer) choices(before string) []string {
	switch strings.TrimLeft(before, " \t") {
	case "":
		return []string{"start", "quit", "print ", "set ", "help"}
	case "print ":
		return append(slices.Clone(c.names), all)
	case "set ":
		list := slices.Clone(c.names)
		for i := range list {
			list[i] += "="
		}
		return list
	}
	return nil
}
