package event

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/hexarena/hexarena/server/nickname"
)

const (
	maxName     = 30 // characters of a team's name, which has to fit into a table
	maxNickname = 10 // characters, as the metaprotocol has it
)

// checkName returns the name of a team as it is shown, or why it cannot be one. taken are the folded names of the others.
func checkName(name string, taken map[string]bool) (string, error) {
	name = strings.TrimSpace(norm.NFC.String(strings.ToValidUTF8(name, "")))
	if n := utf8.RuneCountInString(name); n == 0 || n > maxName {
		return "", fmt.Errorf("the name has %d characters: choose one of 1 to %d", n, maxName)
	}
	if err := nickname.Check(name); err != nil {
		return "", fmt.Errorf("the name cannot be used: %w", err)
	}
	if strings.Trim(nickname.Fold(name), ".") == "" {
		return "", fmt.Errorf("the name %q has only dots, which addresses understand as another page: add a letter", name)
	}
	if taken[nickname.Fold(name)] {
		return "", fmt.Errorf("another team has the name %q, or one that looks the same: choose another one", name)
	}
	return name, nil
}

// checkName returns the name of a new team, or why it cannot be one. The caller holds mu.
func (e *Event) checkName(name string) (string, error) {
	if err := checkNotBuiltin(name, e.builtins()); err != nil {
		return "", err
	}
	return checkName(name, e.state.names)
}

// builtinName matches how pages call built-in bots beside their names, in a folded name.
var builtinName = regexp.MustCompile(`(#[0-9]+)?(\(built-in\))?$`)

// checkNotBuiltin returns an error if a team's name looks like that of a built-in bot.
func checkNotBuiltin(name string, builtins []string) error {
	folded := builtinName.ReplaceAllString(nickname.Fold(name), "")
	if slices.ContainsFunc(builtins, func(b string) bool { return nickname.Fold(b) == folded }) {
		return fmt.Errorf("the name %q is that of a built-in bot: choose another one", name)
	}
	return nil
}

// nicknameOf returns a nickname for a team's name that differs from those that are taken, which are folded: its
// letters and digits, cut and numbered.
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
		if nickname.Check(nick) == nil && !taken[nickname.Fold(nick)] {
			return nick
		}
	}
}
