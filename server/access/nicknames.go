package access

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/hexarena/hexarena/server/access/nickname"
)

// ReadNicknames reads the nicknames to make tokens for, one per line. A # begins a comment.
// The error names every line with a mistake, and suggests a correction.
func ReadNicknames(r io.Reader) ([]string, error) {
	var list []string
	lines := map[string]int{} // line numbers by folded nickname
	err := eachLine(r, func(number int, line string) error {
		name, comment, found := strings.Cut(strings.TrimPrefix(line, "\ufeff"), "#")
		if found && name != "" && strings.TrimRight(name, " \t") == name {
			return fmt.Errorf("%q contains a #, which begins a comment", clip(name+"#"+comment))
		}
		if name = strings.TrimSpace(name); name == "" {
			return nil
		}
		if err := checkNickname(name); err != nil {
			return err
		}
		folded := nickname.Fold(name)
		if first := lines[folded]; first > 0 {
			return fmt.Errorf("%q looks like the nickname in line %d", clip(name), first)
		}
		lines[folded] = number
		list = append(list, name)
		return nil
	})
	if err == nil && len(list) == 0 {
		err = errors.New("the file contains no nickname; want one on each line")
	}
	return list, err
}

// checkNickname returns why a name cannot be a nickname, or nil.
func checkNickname(name string) error {
	switch n := utf8.RuneCountInString(name); {
	case !utf8.ValidString(name):
		return fmt.Errorf("%q is not UTF-8", clip(name))
	case strings.ContainsAny(name, " \t\f\v"):
		return fmt.Errorf("%q contains a space: want one word of at most %d characters, such as %s",
			clip(name), maxNickname, shortened(name))
	case n > maxNickname:
		return fmt.Errorf("%q has %d characters: want at most %d, such as %s", clip(name), n, maxNickname,
			shortened(name))
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
