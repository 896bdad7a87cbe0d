//go:build !windows

package launch

import "strings"

// plainBytes need no quotes in any shell. Braces are not among them: some
// shells expand them.
const plainBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%"

func split(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	var quote byte   // the one that is open
	started := false // a word is under way, be it empty
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case c == '\\' && quote != '\'' && i+1 < len(line) && escaped(line[i+1], quote):
			i++
			word.WriteByte(line[i])
			started = true
		case c == quote:
			quote = 0
		case quote != 0:
			word.WriteByte(c)
		case c == '"' || c == '\'':
			quote, started = c, true
		case strings.IndexByte(" \t\r\n", c) < 0:
			word.WriteByte(c)
			started = true
		case started:
			words = append(words, word.String())
			word.Reset()
			started = false
		}
	}
	if quote != 0 {
		return nil, ErrQuote
	}
	if started {
		words = append(words, word.String())
	}
	return words, nil
}

// escaped reports whether a backslash before c is special.
func escaped(c, quote byte) bool { return quote != '"' || strings.IndexByte("\"\\$`", c) >= 0 }

// quote puts a word between single quotes.
func quote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
