package access

import (
	"bufio"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hexarena/hexarena/config/textutil"
	"github.com/hexarena/hexarena/server/access/nickname"
)

// Limits of a list.
const (
	maxNickname = 10 // characters, as in the metaprotocol
	minToken    = 10 // characters
	maxToken    = 200
	maxEntries  = 10_000
	maxLine     = 1 << 10
	maxFaults   = 20 // mistakes that are reported
)

// Read reads a list: each line contains a role, a token and, optionally, the nickname that
// the token reserves. A # begins a comment. The error names every line with a mistake, and
// repeats no token.
func Read(r io.Reader) (*List, error) {
	l := new(List)
	seen := map[digest]int{}
	err := eachLine(r, func(number int, line string) error {
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(line)
		if len(words) == 0 {
			return nil
		}
		e, err := parse(words)
		switch {
		case err != nil:
			return err
		case len(l.entries) >= maxEntries:
			return fmt.Errorf("more than %d tokens", maxEntries)
		case seen[e.digest] > 0:
			return fmt.Errorf("the same token as in line %d", seen[e.digest])
		}
		seen[e.digest] = number
		l.entries = append(l.entries, e)
		return nil
	})
	if err == nil && len(l.entries) == 0 {
		err = errors.New("the list contains no token; hexarena tokens prints one to start from")
	}
	return l, err
}

// eachLine calls do with each line, and joins the errors with their lines' numbers.
func eachLine(r io.Reader, do func(number int, line string) error) error {
	var faults []error
	s := bufio.NewScanner(r)
	s.Buffer(nil, maxLine)
	number := 1
	for ; s.Scan() && len(faults) < maxFaults; number++ {
		if err := do(number, s.Text()); err != nil {
			faults = append(faults, fmt.Errorf("line %d: %w", number, err))
		}
	}
	if err := s.Err(); err != nil {
		faults = append(faults, fmt.Errorf("line %d: %w", number, err))
	}
	return errors.Join(faults...)
}

func parse(words []string) (entry, error) {
	e := entry{role: Role(words[0])}
	if !slices.Contains(roles, e.role) {
		return e, fmt.Errorf("role %q: want player, special, visualization, logic or operator",
			clip(words[0]))
	}
	if len(words) < 2 || len(words) > 3 {
		return e, fmt.Errorf("%d words: want ROLE TOKEN [NICKNAME]", len(words))
	}
	if n := len(words[1]); n < minToken || n > maxToken {
		return e, fmt.Errorf("a token of %d characters: want %d to %d", n, minToken, maxToken)
	}
	e.digest = digestOf(words[1])
	if len(words) == 3 {
		e.nickname = words[2]
		if n := utf8.RuneCountInString(e.nickname); n > maxNickname || !utf8.ValidString(e.nickname) {
			return e, fmt.Errorf("nickname %q: want at most %d characters", clip(e.nickname), maxNickname)
		}
		if err := nickname.Check(e.nickname); err != nil {
			return e, fmt.Errorf("nickname %q: %w", clip(e.nickname), err)
		}
		e.reserved = nickname.Fold(e.nickname)
	}
	return e, nil
}

// clip shortens text that an error repeats.
func clip(s string) string { return textutil.Clip(s, 20) }

// NewToken returns a random token of 50 bits, short enough to be a nickname.
func NewToken() string { return rand.Text()[:minToken] }

// Append appends a line to a list.
func Append(dst []byte, role Role, token, nickname string) []byte {
	return fmt.Appendf(dst, "%-13s %s %s\n", role, token, nickname)
}
