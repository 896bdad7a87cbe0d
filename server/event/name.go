package event

import (
	"fmt"
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
	if taken[nickname.Fold(name)] {
		return "", fmt.Errorf("another team has the name %q, or one that looks the same: choose another one", name)
	}
	return name, nil
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
