package hexabomb

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// Limits of a MapError.
const (
	maxProblems = 1000 // problems kept
	maxShown    = 20   // problems shown in the message
	maxQuoted   = 40   // bytes quoted from the file
)

// MapError lists the problems of a map.
type MapError struct {
	Problems []string // each begins with its place, such as `cells[3]: …`
	More     int      // the number of further problems
}

// Error returns the first problems, one a line.
func (e *MapError) Error() string {
	shown := e.Problems[:min(len(e.Problems), maxShown)]
	text := strings.Join(shown, "\n")
	if rest := len(e.Problems) - len(shown) + e.More; rest > 0 {
		text += fmt.Sprintf("\nand %d more", rest)
	}
	return text
}

// ParseMap parses a map file. Unknown keys are ignored; if a key is repeated, the last
// one counts. The error is a [*MapError] that lists every problem; it does not include
// the file's name.
//
// Unlike the original, ParseMap refuses two cells in one place, and "0" beside "00".
func ParseMap(data []byte) (*Map, error) {
	p := mapParser{taken: map[hexgrid.Coord]string{}}
	m := p.parse(data)
	if len(p.problems) > 0 {
		return nil, &MapError{Problems: p.problems, More: p.more}
	}
	return m, nil
}

type mapParser struct {
	problems []string
	more     int
	// index in the file of each valid cell; nil without a list of cells
	board map[hexgrid.Coord]int
	taken map[hexgrid.Coord]string // where in the file each starting position is
}

func (p *mapParser) complain(format string, args ...any) {
	if len(p.problems) == maxProblems {
		p.more++
		return
	}
	p.problems = append(p.problems, fmt.Sprintf(format, args...))
}

func (p *mapParser) parse(data []byte) *Map {
	file, err := jsonscan.Parse(data)
	if err != nil {
		p.complain("%s", describeSyntax(data, err))
		return nil
	}
	if file.Kind() != jsonscan.Object {
		p.complain("the map is %s, not an object", quote(file))
		return nil
	}
	var m Map
	m.Cells = p.parseCells(field(file, "cells"))
	m.Starts = p.parseStarts(field(file, "initial_positions"))
	if v := field(file, "special_initial_positions"); v != nil {
		m.Specials = p.parseList("special_initial_positions", v)
	}
	return &m
}

func (p *mapParser) parseCells(v jsonscan.Value) []hexgrid.Coord {
	if !p.hasKind("cells", v, jsonscan.Array) {
		return nil
	}
	p.board = map[hexgrid.Coord]int{}
	var cells []hexgrid.Coord
	for i, v := range v.Elements() {
		c, ok := p.parseCoord("cells["+strconv.Itoa(i)+"]", v)
		if !ok {
			continue
		}
		if first, dup := p.board[c]; dup {
			p.complain("cells[%d]: the cell %s is already there as cells[%d]", i, at(c), first)
			continue
		}
		p.board[c] = i
		cells = append(cells, c)
	}
	slices.SortFunc(cells, hexgrid.Coord.Compare)
	return cells
}

func (p *mapParser) parseStarts(v jsonscan.Value) [][]hexgrid.Coord {
	const name = "initial_positions"
	if !p.hasKind(name, v, jsonscan.Object) {
		return nil
	}
	lists := map[string]jsonscan.Value{}
	var keys []string // in the order of the file
	for key, list := range v.Fields() {
		text := key.Text()
		if _, again := lists[text]; !again {
			keys = append(keys, text)
		}
		lists[text] = list
	}
	if len(keys) == 0 {
		p.complain("%s: no player has a position; at least the key \"0\" is needed", name)
	}
	byPlayer := map[int]string{}
	starts := make([][]hexgrid.Coord, len(keys))
	for _, key := range keys {
		place := name + "[" + quoteText(key) + "]"
		start := p.parseList(place, lists[key])
		player, ok := playerKey(key, len(keys))
		if !ok {
			p.complain("%s: %s", place, wantedKeys(len(keys)))
			continue
		}
		if other, dup := byPlayer[player]; dup {
			p.complain("%s: player %d already has %s[%s]", place, player, name, quoteText(other))
			continue
		}
		byPlayer[player] = key
		starts[player] = start
		if n := count(lists[key]); n == 0 && lists[key].Kind() == jsonscan.Array {
			p.complain("%s: the list is empty", place)
		}
	}
	p.compareLengths(name, keys, lists)
	return starts
}

// compareLengths checks that every list is as long as the first.
func (p *mapParser) compareLengths(name string, keys []string, lists map[string]jsonscan.Value) {
	for _, key := range keys {
		n, want := count(lists[key]), count(lists[keys[0]])
		if n != want && n != 0 && want != 0 {
			p.complain("%s[%s]: %d positions where [%s] has %d; all players need the same number",
				name, quoteText(key), n, quoteText(keys[0]), want)
		}
	}
}

// parseList parses one player's starting positions.
func (p *mapParser) parseList(place string, v jsonscan.Value) []hexgrid.Coord {
	if !p.hasKind(place, v, jsonscan.Array) {
		return nil
	}
	var list []hexgrid.Coord
	for i, v := range v.Elements() {
		place := place + "[" + strconv.Itoa(i) + "]"
		c, ok := p.parseCoord(place, v)
		if !ok {
			continue
		}
		list = append(list, c)
		if other, dup := p.taken[c]; dup {
			p.complain("%s: the cell %s is already taken by %s", place, at(c), other)
			continue
		}
		p.taken[c] = place
		if _, ok := p.board[c]; !ok && p.board != nil {
			p.complain("%s: there is no cell %s", place, at(c))
		}
	}
	return list
}

func (p *mapParser) parseCoord(place string, v jsonscan.Value) (c hexgrid.Coord, ok bool) {
	if v.Kind() != jsonscan.Object {
		p.complain("%s: %s is not an object with q and r", place, quote(v))
		return c, false
	}
	q, okQ := p.parseInt(place+".q", field(v, "q"))
	r, okR := p.parseInt(place+".r", field(v, "r"))
	return hexgrid.Coord{Q: q, R: r}, okQ && okR
}

// parseInt parses integers in plain notation; it refuses 0.0 and 0e0.
func (p *mapParser) parseInt(place string, v jsonscan.Value) (n int, ok bool) {
	if v == nil {
		p.complain("%s is missing", place)
		return 0, false
	}
	wide, err := strconv.ParseInt(string(v), 10, 64)
	if errors.Is(err, strconv.ErrSyntax) {
		p.complain("%s: %s is not an integer", place, quote(v))
		return 0, false
	}
	if err != nil || wide < -MaxCoord || wide > MaxCoord {
		p.complain("%s: %s is beyond ±%d", place, quote(v), MaxCoord)
		return 0, false
	}
	return int(wide), true
}

func (p *mapParser) hasKind(place string, v jsonscan.Value, want jsonscan.Kind) bool {
	switch v.Kind() {
	case want:
		return true
	case jsonscan.Invalid:
		p.complain("%s is missing", place)
	default:
		p.complain("%s: %s is not an %s", place, quote(v), map[jsonscan.Kind]string{
			jsonscan.Array: "array", jsonscan.Object: "object",
		}[want])
	}
	return false
}

// playerKey parses a key of initial_positions: digits, leading zeros allowed, that name
// one of n players.
func playerKey(key string, n int) (player int, ok bool) {
	for _, c := range key {
		if c < '0' || c > '9' {
			return 0, false
		}
	}
	player, err := strconv.Atoi(key)
	return player, err == nil && player < n
}

func wantedKeys(n int) string {
	if n == 1 {
		return `the only key must be "0"`
	}
	return fmt.Sprintf(`the %d keys must be "0" to "%d"`, n, n-1)
}

// field returns the last field of v with that name, or nil.
func field(v jsonscan.Value, name string) (last jsonscan.Value) {
	for key, v := range v.Fields() {
		if key.Is(name) {
			last = v
		}
	}
	return last
}

func count(v jsonscan.Value) (n int) {
	for range v.Elements() {
		n++
	}
	return n
}

func at(c hexgrid.Coord) string { return fmt.Sprintf("(%d,%d)", c.Q, c.R) }

func quote(v jsonscan.Value) string {
	if len(v) > maxQuoted {
		return strings.ToValidUTF8(string(v[:maxQuoted]), "�") + "…"
	}
	return string(v)
}

func quoteText(s string) string {
	if len(s) > maxQuoted {
		s = s[:maxQuoted] + "…"
	}
	return strconv.Quote(s)
}

// describeSyntax describes a syntax error with its line and column.
func describeSyntax(data []byte, err error) string {
	var syntax *json.SyntaxError
	if errors.Is(err, jsonscan.ErrSyntax) && errors.As(json.Unmarshal(data, new(any)), &syntax) {
		before := string(data[:min(int(syntax.Offset), len(data))])
		line := 1 + strings.Count(before, "\n")
		column := len(before) - strings.LastIndexByte(before, '\n') - 1
		return fmt.Sprintf("not a JSON text: line %d, column %d: %s", line, max(column, 1),
			syntax.Error())
	}
	return err.Error()
}
