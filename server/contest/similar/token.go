package similar

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is a token of a source: a keyword or a sign as it is; "a" for any name, "1" for any number
// and `"` for any text, so that other names and values change nothing.
type token struct {
	text string
	line int // from 1
}

// extensions are those of the six languages.
var extensions = []string{
	".py", ".js", ".mjs", ".ts", ".java", ".cpp", ".cc", ".hpp", ".h", ".rs", ".go",
}

// IsSource reports whether a file is in one of the six languages.
func IsSource(name string) bool {
	return slices.Contains(extensions, strings.ToLower(path.Ext(name)))
}

// keywords are words of the six languages that decide what a program does. All other words are
// names.
var keywords = func() map[string]bool {
	m := map[string]bool{}
	for word := range strings.FieldsSeq(`and as assert async await break case catch class const
		continue def default del do elif else enum except extends final finally fn for foreach from func
		function global go goto if impl implements import in interface is lambda let loop map match mut
		namespace new not or package pass private protected pub public raise range return select static
		struct switch template this throw throws trait try type typedef union unsafe use using var virtual
		void where while with yield`) {
		m[word] = true
	}
	return m
}()

// scanner reads tokens.
type scanner struct {
	rest   []byte
	line   int
	python bool
	rust   bool
	list   []token
}

// tokens returns the tokens of a file, without comments and semicolons, which some languages need
// at the end of a line and others do not.
func tokens(f File) []token {
	ext := strings.ToLower(path.Ext(f.Name))
	s := &scanner{rest: f.Text, line: 1, python: ext == ".py", rust: ext == ".rs"}
	for len(s.rest) > 0 {
		s.next()
	}
	return s.list
}

// take returns the first n bytes of the rest, and counts their lines.
func (s *scanner) take(n int) []byte {
	text := s.rest[:min(n, len(s.rest))]
	s.line += bytes.Count(text, []byte("\n"))
	s.rest = s.rest[len(text):]
	return text
}

// takeUntil takes all up to the end of a text, or all if it is missing.
func (s *scanner) takeUntil(end string, from int) {
	i := bytes.Index(s.rest[min(from, len(s.rest)):], []byte(end))
	if i < 0 {
		s.take(len(s.rest))
		return
	}
	s.take(from + i + len(end))
}

func (s *scanner) add(text string) { s.list = append(s.list, token{text, s.line}) }

// has reports whether the rest begins with a text.
func (s *scanner) has(text string) bool { return bytes.HasPrefix(s.rest, []byte(text)) }

// next reads what comes next.
func (s *scanner) next() {
	c, size := utf8.DecodeRune(s.rest)
	switch {
	case s.python && c == '#', !s.python && s.has("//"):
		s.takeUntil("\n", 0)
	case !s.python && s.has("/*"):
		s.takeUntil("*/", 2)
	case s.python && (s.has(`"""`) || s.has("'''")):
		s.add(`"`)
		s.takeUntil(string(s.rest[:3]), 3)
	case c == '`':
		s.add(`"`)
		s.takeUntil("`", 1)
	case c == '"', c == '\'' && !s.lifetime():
		s.add(`"`)
		s.takeText(byte(c))
	case unicode.IsDigit(c):
		s.add("1")
		s.take(wordLength(s.rest, func(c rune) bool { return isPart(c) || c == '.' }))
	case isPart(c):
		word := string(s.rest[:wordLength(s.rest, isPart)])
		if !keywords[word] {
			s.add("a")
		} else {
			s.add(word)
		}
		s.take(len(word))
	case unicode.IsSpace(c), c == ';':
		s.take(size)
	default:
		s.add(string(s.rest[:size]))
		s.take(size)
	}
}

// takeText takes a text in quotes, which ends with its line at the latest.
func (s *scanner) takeText(quote byte) {
	for i := 1; i < len(s.rest); i++ {
		switch s.rest[i] {
		case '\\':
			i++
		case quote:
			s.take(i + 1)
			return
		case '\n':
			s.take(i)
			return
		}
	}
	s.take(len(s.rest))
}

// lifetime reports whether a quote begins a lifetime of Rust, and no character.
func (s *scanner) lifetime() bool {
	if !s.rust || len(s.rest) < 3 {
		return false
	}
	c, size := utf8.DecodeRune(s.rest[1:])
	return isPart(c) && (len(s.rest) <= 1+size || s.rest[1+size] != '\'')
}

// isPart reports whether a character may be in a name.
func isPart(c rune) bool {
	return c == '_' || c == '$' || unicode.IsLetter(c) || unicode.IsDigit(c)
}

// wordLength returns the number of bytes at the beginning of a text whose characters fit.
func wordLength(text []byte, fits func(rune) bool) int {
	n := bytes.IndexFunc(text, func(c rune) bool { return !fits(c) })
	if n < 0 {
		return len(text)
	}
	return n
}
