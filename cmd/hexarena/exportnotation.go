package main

import (
	"fmt"
	"io"

	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/recording"
)

// notationFormats returns a format for each game that has a notation.
func notationFormats() (list []format) {
	for _, g := range gameList {
		if g.Notation != nil {
			list = append(list, format{g.Notation.Format, g.Notation.About, nil, true, exportNotation(g)})
		}
	}
	return list
}

// exportNotation returns the exporter for matches of g.
func exportNotation(g *games.Game) func(*export, io.Writer) error {
	return func(x *export, w io.Writer) error {
		var text games.Transcript
		err := x.replay(func(p *recording.Replay, _ *recording.Turn) (err error) {
			if text == nil {
				h := p.Reader().Header()
				if gameList.OfRules(h.Rules) != g {
					return fmt.Errorf("its rules are %q, and the notation is for those of %s", h.Rules, g.Name)
				}
				if text, err = g.Notation.New(matchOf(h)); err != nil {
					return err
				}
			}
			return text.Add(p.State())
		})
		switch {
		case err != nil:
			return err
		case text == nil:
			return errNoTurns(x.path)
		}
		_, err = w.Write(text.Text())
		return err
	}
}

// matchOf returns what a recording says about its match.
func matchOf(h *recording.Header) *games.Match {
	m := &games.Match{Setup: h.Map, Map: h.MapName, Specials: h.Specials, Turns: h.Turns, Started: h.Started}
	for i := range h.Seats {
		m.Names = append(m.Names, h.Seats[i].Name())
	}
	return m
}
