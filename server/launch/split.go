package launch

import (
	"errors"
	"strings"
)

// ErrQuote is the error of a command line whose last quote is not closed.
var ErrQuote = errors.New("a quote is not closed")

// Split splits a command line into words as a shell does: at white space, but
// not inside '…' or "…". A backslash takes the special meaning from what
// follows it. Nothing else is special: no shell runs. On Windows, where paths are full
// of backslashes, it splits as programs there do: '…' is not special, a backslash takes the
// special meaning only from a double quote, and two before one are one.
func Split(line string) ([]string, error) { return split(line) }

// Quote returns a command line that a shell, and Split, splits into these words.
func Quote(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		if quoted[i] = w; w == "" || strings.Trim(w, plainBytes) != "" {
			quoted[i] = quote(w)
		}
	}
	return strings.Join(quoted, " ")
}
