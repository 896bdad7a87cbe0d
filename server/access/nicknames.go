package access

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/hexarena/hexarena/server/nickname"
)

// ReadNicknames reads the nicknames to make tokens for, one per line. A # begins a comment.
// The error names every line with a mistake, and suggests a correction.
func ReadNicknames(r io.Reader) ([]string, error) {
	var list []string
	var faults []error
	lines := map[string]int{} // line numbers by folded nickname
	s := bufio.NewScanner(r)
	s.Buffer(nil, maxLine)
	number := 0
	for s.Scan() && len(faults) < maxFaults {
		number++
		name, comment, found := strings.Cut(strings.TrimPrefix(s.Text(), "\ufeff"), "#")
		if found && name != "" && strings.TrimRight(name, " \t") == name {
			faults = append(faults, fmt.Errorf("line %d: %q contains a #, which begins a comment", number, clip(name+"#"+comment)))
			continue
		}
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		err := checkNickname(name)
		if first := lines[nickname.Fold(name)]; err == nil && first > 0 {
			err = fmt.Errorf("%q looks like the nickname in line %d", clip(name), first)
		}
		if err != nil {
			faults = append(faults, fmt.Errorf("line %d: %w", number, err))
			continue
		}
		lines[nickname.Fold(name)] = number
		list = append(list, name)
	}
	if err := s.Err(); err != nil {
		faults = append(faults, fmt.Errorf("line %d: %w", number+1, err))
	}
	if len(faults) == 0 && len(list) == 0 {
		faults = append(faults, errors.New("the file contains no nickname; want one on each line"))
	}
	return list, errors.Join(faults...)
}

// checkNickname returns why a name cannot be a nickname, or nil.
func checkNickname(name string) error {
	switch n := utf8.RuneCountInString(name); {
	case !utf8.ValidString(name):
		return fmt.Errorf("%q is not UTF-8", clip(name))
	case strings.ContainsAny(name, " \t\f\v"):
		return fmt.Errorf("%q contains a space: want one word of at most %d characters, such as %s", clip(name), maxNickname, shortened(name))
	case n > maxNickname:
		return fmt.Errorf("%q has %d characters: want at most %d, such as %s", clip(name), n, maxNickname, shortened(name))
	}
	if err := nickname.Check(name); err != nil {
		return fmt.Errorf("%q: %w", clip(name), err)
	}
	return nil
}

// shortened returns a valid nickname made from name: its words joined and cut.
func shortened(name string) string {
	runes := []rune(strings.Join(strings.Fields(name), "_"))
	return string(runes[:min(len(runes), maxNickname)])
}
