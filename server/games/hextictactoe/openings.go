package hextictactoe

import (
	"encoding/json"
	"fmt"
	"os"

	rules "github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/botapi"
)

// maxOpenings bounds a file of openings.
const maxOpenings = 10_000

// readOpenings reads positions to play from: a line that begins with { is one, as
// {"to_move":"o","cells":[{"q":0,"r":0,"p":"x"}]}; other lines are games in the
// notation, with an empty line between two of them.
func readOpenings(path string) ([]*rules.Position, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	list, err := parseOpenings(string(data))
	if err != nil {
		return nil, fmt.Errorf("%s, %w", path, err)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s holds no position", path)
	}
	return list, nil
}

func parseOpenings(text string) (list []*rules.Position, err error) {
	for begins, one := range blocks(text) {
		p := new(rules.Position)
		if one[0] != '{' {
			p, err = notedPosition(one, begins)
		} else if err = json.Unmarshal([]byte(one), p); err != nil {
			err = fmt.Errorf("line %d: %w", begins, err)
		}
		if list = append(list, p); err == nil && len(list) > maxOpenings {
			err = fmt.Errorf("line %d: more than %d positions", begins, maxOpenings)
		}
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// notedPosition is the position that a game in the notation has led to. The game
// begins on a line of its file.
func notedPosition(text string, begins int) (*rules.Position, error) {
	r, err := htttx.ParseNotation(text)
	if err != nil {
		return nil, shifted(err, begins)
	}
	p := &rules.Position{ToMove: rules.O, Pieces: []rules.Piece{{Side: rules.X}}}
	for _, m := range r.Moves {
		for _, c := range m.Pieces {
			p.Pieces = append(p.Pieces, rules.Piece{Coord: botapi.CoordOf(c), Side: p.ToMove})
		}
		p.ToMove = p.ToMove.Other()
	}
	return p, nil
}
