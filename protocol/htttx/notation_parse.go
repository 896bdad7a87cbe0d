package htttx

import (
	"fmt"
	"strconv"
	"strings"
)

// NotationError is an error in a text in the notation.
type NotationError struct {
	Line    int // from 1
	Problem string
}

func (e *NotationError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Problem) }

// ParseNotation parses one game. White space between the parts is ignored; a move that wins
// with its first piece may have [/] as its second. The error is a *NotationError.
func ParseNotation(text string) (Record, error) {
	p := notation{text: strings.TrimPrefix(text, "\ufeff"), line: 1}
	var r Record
	for p.more() {
		if c := p.text[0]; '0' <= c && c <= '9' {
			p.move(&r)
		} else {
			p.tag(&r)
		}
	}
	if p.err != nil {
		return Record{}, p.err
	}
	return r, nil
}

// notation parses a text. Its first error is kept and ends the parsing.
type notation struct {
	text string // the rest
	line int
	err  error
}

// more skips white space and reports whether any text is left.
func (p *notation) more() bool {
	for p.err == nil && p.text != "" && strings.IndexByte(" \t\r\n", p.text[0]) >= 0 {
		if p.text[0] == '\n' {
			p.line++
		}
		p.text = p.text[1:]
	}
	return p.err == nil && p.text != ""
}

func (p *notation) fail(format string, args ...any) {
	if p.err == nil {
		p.err = &NotationError{p.line, fmt.Sprintf(format, args...)}
	}
}

// accept skips what and reports true if the text continues with it.
func (p *notation) accept(what string) bool {
	if !p.more() || !strings.HasPrefix(p.text, what) {
		return false
	}
	p.text = p.text[len(what):]
	return true
}

func (p *notation) expect(what string) {
	if p.accept(what) || p.err != nil {
		return
	}
	found := "the text ends"
	if p.text != "" {
		found = fmt.Sprintf("found %.10q", p.text)
	}
	p.fail("expected %s, but %s", what, found)
}

// take consumes and returns the longest prefix that consists of characters in set.
func (p *notation) take(set string) string {
	p.more()
	n := len(p.text) - len(strings.TrimLeft(p.text, set))
	taken := p.text[:n]
	p.text = p.text[n:]
	return taken
}

const keyLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-"

// tag parses key[value] and an optional separator.
func (p *notation) tag(r *Record) {
	key := p.take(keyLetters)
	if key == "" {
		p.fail("expected a key or the number of a move, but found %.10q", p.text)
		return
	}
	if len(r.Moves) > 0 {
		p.fail("the key %.20q follows a move", key)
	}
	for _, t := range r.Tags {
		if t.Key == key {
			p.fail("the key %.20q is repeated", key)
		}
	}
	p.expect("[")
	value, rest, closed := strings.Cut(p.text, "]")
	if !closed || strings.Contains(value, "\n") {
		p.fail("the value of %.20q has no closing ]", key)
		return
	}
	p.text = rest
	r.Tags = append(r.Tags, Tag{key, value})
	p.accept(";")
}

const digits = "0123456789"

// move parses 1. [q,r][q,r]!; with the number of the next move.
func (p *notation) move(r *Record) {
	due := len(r.Moves) + 1
	if number := p.take(digits); number != strconv.Itoa(due) {
		p.fail("expected move %d, but found move %.20s", due, number)
	}
	if due > 1 && len(r.Moves[due-2].Pieces) < MovePieces {
		p.fail("move %d has one piece, but the game continues", due-1)
	}
	p.expect(".")
	m := RecordedMove{Pieces: []Cell{p.cell()}}
	if !p.accept("[/]") && p.more() && p.text[0] == '[' {
		m.Pieces = append(m.Pieces, p.cell())
	}
	if m.Mark = p.take("!?"); len(m.Mark) > 2 && strings.Contains(m.Mark, "?") {
		p.fail("move %d has the mark %.10q; a mark is any number of !, or at most two of ! and ?", due,
			m.Mark)
	}
	p.expect(";")
	r.Moves = append(r.Moves, m)
}

func (p *notation) cell() (c Cell) {
	p.expect("[")
	c.Q = p.integer()
	p.expect(",")
	c.R = p.integer()
	p.expect("]")
	return c
}

func (p *notation) integer() int32 {
	text := p.take("+-" + digits)
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		p.fail("%.20q is not a coordinate", text)
	}
	return int32(n)
}
