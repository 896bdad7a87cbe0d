package hextictactoe

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/hexarena/hexarena/engine"
	rules "github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/botapi"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/games/hextictactoe/analysis"
)

// notedGame is a game in the notation whose moves obey the rules.
type notedGame struct {
	notation htttx.Record
	game     *analysis.Game
}

// parseGames implements games.Notation.
func parseGames(text string) (list []*games.Noted, err error) {
	all, err := parseNotation(text)
	if err != nil {
		return nil, err
	}
	for i := range all {
		n, err := all[i].noted()
		if err != nil {
			return nil, err
		}
		list = append(list, n)
	}
	return list, nil
}

// parseNotation reads games with an empty line between two of them, at least one.
func parseNotation(text string) (list []notedGame, err error) {
	for begins, one := range blocks(text) {
		g, err := parseNoted(one, begins)
		if err != nil {
			return nil, err
		}
		list = append(list, g)
	}
	if len(list) == 0 {
		return nil, errors.New("it holds no game")
	}
	return list, nil
}

// blocks returns the parts of a text between empty lines, each with the number of its first line.
// A line that begins with { is a part by itself.
func blocks(text string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		text += "\n\n"
		line, at := 0, 0
		begins, from := 0, -1 // of the part that at is in; from is below 0 between parts
		for next := range strings.Lines(text) {
			line++
			trimmed := strings.TrimSpace(next)
			alone := strings.HasPrefix(trimmed, "{")
			if from >= 0 && (alone || trimmed == "") {
				if !yield(begins, text[from:at]) {
					return
				}
				from = -1
			}
			switch {
			case alone:
				if !yield(line, trimmed) {
					return
				}
			case trimmed != "" && from < 0:
				begins, from = line, at
			}
			at += len(next)
		}
	}
}

// parseNoted reads a game that begins on a line of its file.
func parseNoted(text string, begins int) (g notedGame, err error) {
	if g.notation, err = htttx.ParseNotation(text); err != nil {
		return g, shifted(err, begins)
	}
	if g.game, err = gameOf(rules.Defaults(), &g.notation); err != nil {
		err = fmt.Errorf("the game of line %d: %w", begins, err)
	}
	return g, err
}

// shifted returns an error of ParseNotation for a text that begins on a line of its file.
func shifted(err error, begins int) error {
	if at, ok := errors.AsType[*htttx.NotationError](err); ok {
		return &htttx.NotationError{Line: begins + at.Line - 1, Problem: at.Problem}
	}
	return err
}

// noted returns the game as inputs of a match: its first turn places nothing, since
// the players have not seen the board yet.
func (g *notedGame) noted() (*games.Noted, error) {
	o := g.game.Rules
	if g.notation.Tag(htttx.TagEndReason) == "draw" {
		o.TurnLimit = len(g.game.Moves)
	}
	setup, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	n := &games.Noted{Setup: setup, Tags: map[string]string{}}
	n.Turns = botapi.Settings().Turns
	n.Inputs = append(n.Inputs, nil)
	for i, key := range [...]string{htttx.TagPlayerCross, htttx.TagPlayerCircle} {
		name := g.notation.Tag(key)
		if name == "" {
			name = [...]string{"x", "o"}[i]
		}
		n.Names = append(n.Names, name)
	}
	for _, t := range g.notation.Tags {
		n.Tags["notation_"+t.Key] = t.Value
	}
	side := rules.O
	for _, pieces := range g.game.Moves {
		actions := append(htttx.MoveOption{Pieces: pieces}.Append([]byte{'['}), ']')
		n.Inputs = append(n.Inputs,
			[]engine.Input{{Player: side.Player(), Actions: actions, Valid: true}})
		side = side.Other()
	}
	return n, nil
}

// maxOpenings bounds a file of openings.
const maxOpenings = 10_000

// parseOpenings reads positions to play from: a line that begins with { is one, as
// {"to_move":"o","cells":[{"q":0,"r":0,"p":"x"}]}; other lines are games in the
// notation, with an empty line between two of them.
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
