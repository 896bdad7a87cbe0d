package launch

import (
	"errors"
	"runtime"
	"strings"
)

// ErrQuote is the error of a command line whose last quote is not closed.
var ErrQuote = errors.New("a quote is not closed")

// Split splits a command line into words as a shell does: at white space, but
// not inside '…' or "…". A backslash takes the special meaning from what
// follows it; on Windows, where paths are full of them, only from a double
// quote, and two before one are one. Nothing else is special: no shell runs.
func Split(line string) ([]string, error) {
	return split(line, runtime.GOOS != "windows")
}

func split(line string, escapes bool) ([]string, error) {
	var words []string
	var word strings.Builder
	var quote byte   // the one that is open
	started := false // a word is under way, be it empty
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case c == '\\' && !escapes:
			n := len(line[i:]) - len(strings.TrimLeft(line[i:], `\`))
			i += n - 1
			started = true
			if !strings.HasPrefix(line[i+1:], `"`) {
				word.WriteString(line[i+1-n : i+1])
				continue
			}
			word.WriteString(line[i+1-n/2 : i+1])
			if n%2 == 1 {
				i++
				word.WriteByte('"')
			}
		case c == '\\' && quote != '\'' && i+1 < len(line) && escaped(line[i+1], quote):
			i++
			word.WriteByte(line[i])
			started = true
		case c == quote:
			quote = 0
		case quote != 0:
			word.WriteByte(c)
		case c == '"' || c == '\'' && escapes:
			quote, started = c, true
		case strings.IndexByte(" \t\r\n", c) >= 0:
			if started {
				words = append(words, word.String())
				word.Reset()
				started = false
			}
		default:
			word.WriteByte(c)
			started = true
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

// Quote returns a command line that a shell, and Split, splits into these words.
func Quote(words []string) string {
	return quoteAll(words, runtime.GOOS != "windows")
}

func quoteAll(words []string, escapes bool) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = quote(w, escapes)
	}
	return strings.Join(quoted, " ")
}

// plainBytes need no quotes in any shell. Braces are not among them: some
// shells expand them.
const plainBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%"

func quote(word string, escapes bool) string {
	plain := plainBytes
	if !escapes {
		plain = strings.ReplaceAll(plain, "%", "") + `\`
	}
	switch {
	case word != "" && strings.Trim(word, plain) == "":
		return word
	case escapes:
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	var b strings.Builder
	b.WriteByte('"')
	slashes := "" // backslashes before a quote are doubled, or they would escape it
	for i := range len(word) {
		c := word[i]
		switch c {
		case '\\':
			slashes += `\`
		case '"':
			b.WriteString(slashes + `\`)
			fallthrough
		default:
			slashes = ""
		}
		b.WriteByte(c)
	}
	return b.String() + slashes + `"`
}
