package state

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/hexarena/hexarena/server/access/nickname"
)

const (
	maxName     = 30 // characters of a team's name, which has to fit into a table
	maxNickname = 10 // characters, as the metaprotocol has it
)

// checkName returns the name of a team as it is shown, or why a team cannot have it.
func (ts *Teams) checkName(name string) (string, error) {
	if err := checkNotBuiltin(name, ts.builtins); err != nil {
		return "", err
	}
	return checkName(name, ts.names)
}

// checkName returns a name as it is shown, or why a team cannot have it. taken has the folded names
// of the other teams.
func checkName(name string, taken map[string]bool) (string, error) {
	name = strings.TrimSpace(norm.NFC.String(strings.ToValidUTF8(name, "")))
	if n := utf8.RuneCountInString(name); n == 0 || n > maxName {
		return "", fmt.Errorf("the name has %d characters: choose one of 1 to %d", n, maxName)
	}
	if err := nickname.Check(name); err != nil {
		return "", fmt.Errorf("the name cannot be used: %w", err)
	}
	if strings.Trim(fold(name), ".") == "" {
		return "", fmt.Errorf("the name %q has only dots, which addresses understand as another page: "+
			"add a letter", name)
	}
	if taken[fold(name)] {
		return "", fmt.Errorf("another team has the name %q, or one that looks the same: "+
			"choose another one", name)
	}
	return name, nil
}

// builtinName matches the suffix of built-in bots on pages, in a folded name.
var builtinName = regexp.MustCompile(`(#[0-9]+)?(\(built-in\))?$`)

// checkNotBuiltin returns an error if a team's name looks like that of a built-in bot.
func checkNotBuiltin(name string, builtins []string) error {
	folded := builtinName.ReplaceAllString(fold(name), "")
	if slices.ContainsFunc(builtins, func(b string) bool { return fold(b) == folded }) {
		return fmt.Errorf("the name %q is that of a built-in bot: choose another one", name)
	}
	return nil
}

// nicknameOf returns a nickname for a team's name: its letters and digits, cut and numbered. It
// differs from those that are taken, which are folded.
func nicknameOf(name string, taken map[string]bool) string {
	letters := []rune(strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.L, unicode.N, unicode.M) {
			return r
		}
		return -1
	}, norm.NFKC.String(name)))
	if len(letters) == 0 {
		letters = []rune("team")
	}
	for number := 1; ; number++ {
		suffix := ""
		if number > 1 {
			suffix = fmt.Sprint("-", number)
		}
		nick := string(letters[:min(len(letters), maxNickname-len(suffix))]) + suffix
		if nickname.Check(nick) == nil && !taken[fold(nick)] {
			return nick
		}
	}
}

// NewNames returns the names in a list, one a line, that no team has or had. The error names every
// line with a mistake.
func (ts *Teams) NewNames(list string) (names []string, err error) {
	if strings.HasPrefix(list, "\xff\xfe") || strings.HasPrefix(list, "\xfe\xff") {
		return nil, errors.New("it is UTF-16: save it as UTF-8")
	}
	var wrong []error
	lines := map[string]int{} // line numbers by folded name
	for i, name := range strings.Split(strings.TrimPrefix(list, "\ufeff"), "\n") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		folded := fold(name)
		_, found := ts.Called(name)
		_, err := checkName(name, nil)
		switch {
		case !utf8.ValidString(name):
			err = fmt.Errorf("%q is not UTF-8: save the file as UTF-8", name)
		case err != nil:
		case lines[folded] > 0:
			err = fmt.Errorf("%q looks like the name in line %d: add what tells them apart",
				name, lines[folded])
		case !found:
			names = append(names, name)
		}
		if lines[folded] == 0 {
			lines[folded] = i + 1
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("line %d: %w", i+1, err))
		}
	}
	if all := ts.Present() + len(names); all > MaxTeams {
		wrong = append(wrong, fmt.Errorf("there would be %d teams: an event has %d at most",
			all, MaxTeams))
	}
	return names, errors.Join(wrong...)
}
