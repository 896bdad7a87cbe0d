// Package nickname checks nicknames, decides which of them look the same, and makes those
// of a match unique. It is not used under the name netorcai.
package nickname

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/hexarena/hexarena/protocol/netorcai"
)

// ErrInvisible is the error for a nickname without visible characters.
var ErrInvisible = errors.New("the nickname has no visible character")

// CharacterError is the error for a nickname with a control or format character.
type CharacterError rune

func (e CharacterError) Error() string {
	return fmt.Sprintf("the nickname has the character %U, which is invisible or changes how others "+
		"are shown; leave it out", rune(e))
}

// Check returns an error for nicknames with control characters (C0, DEL, C1), line
// separators, or format characters such as those that change the direction of text. It
// accepts joiners, since scripts and emoji need them.
func Check(name string) error {
	for _, r := range name {
		if control(r) {
			return CharacterError(r)
		}
	}
	if Fold(name) == "" {
		return ErrInvisible
	}
	return nil
}

// Clean returns a text about a client without the characters that Check refuses in a
// nickname, without white space around it, and cut to at most limit characters.
func Clean(text string, limit int) string {
	text = strings.TrimSpace(strings.Map(func(r rune) rune {
		if control(r) {
			return -1
		}
		return r
	}, text))
	for i := range text {
		if limit--; limit < 0 {
			return text[:i]
		}
	}
	return text
}

// control reports whether r is a control or format character or a line separator, but no
// joiner.
func control(r rune) bool {
	return !joiner(r) && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// joiner reports whether r is ZERO WIDTH NON-JOINER or ZERO WIDTH JOINER.
func joiner(r rune) bool { return r == '\u200c' || r == '\u200d' }

// Fold returns a string that is the same for names that look the same, as far as Unicode's
// compatibility forms, case folding, invisible characters and the letters of other scripts that
// look like Latin ones are concerned.
func Fold(name string) string {
	name = norm.NFKC.String(visible(name))
	name = norm.NFKD.String(visible(cases.Fold().String(name)))
	return norm.NFKC.String(lookAlikes.Replace(name))
}

// lookAlikes holds Latin letters in the place of Cyrillic and Greek ones, and others, that look
// like them as capital or small letters: of Unicode's list of confusable characters those that
// keyboards have. A name has passed case folding.
var lookAlikes = strings.NewReplacer(
	"а", "a", "в", "b", "с", "c", "ԁ", "d", "е", "e", "һ", "h", "н", "h", "і", "i", "ј", "j", "к", "k",
	"ӏ", "l", "м", "m", "о", "o",
	"р", "p", "ԛ", "q", "ѕ", "s", "т", "t", "у", "y", "ү", "y", "ѵ", "v", "ԝ", "w", "х", "x",
	"α", "a", "β", "b", "ε", "e", "η", "h", "ι", "i", "κ", "k", "μ", "m", "ν", "n", "ο", "o", "ρ", "p",
	"τ", "t", "υ", "y", "χ", "x", "ζ", "z",
	"ı", "i", "ɑ", "a", "ɡ", "g", "ⅼ", "l",
)

// visible returns name without invisible characters: spaces, control and format characters,
// variation selectors, and others that are ignored by default.
func visible(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Z, unicode.Variation_Selector,
			unicode.Other_Default_Ignorable_Code_Point) || r == brailleBlank {
			return -1
		}
		return r
	}, name)
}

// brailleBlank is a symbol in Unicode, but blank in every font.
const brailleBlank = '\u2800'

// Gate refuses nicknames for which Check returns an error. It implements session.Gate.
type Gate struct {
	// Next decides on the login first, and may change the nickname; nil admits every
	// client.
	Next interface {
		Login(netorcai.Login) (nickname, key string, err error)
	}
}

// Login implements session.Gate.
func (g Gate) Login(m netorcai.Login) (name, key string, err error) {
	name = m.Nickname
	if g.Next != nil {
		if name, key, err = g.Next.Login(m); err != nil {
			return "", "", err
		}
	}
	return name, key, Check(name)
}
