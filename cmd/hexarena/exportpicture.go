package main

import (
	"fmt"
	"io"

	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/server/recording"
)

// exportSVG draws the board after a turn.
func exportSVG(x *export, w io.Writer) error {
	var h recording.Header
	var state []byte
	last := -1
	err := x.replay(func(p *recording.Replay, t *recording.Turn) error {
		h, last = *p.Reader().Header(), t.Step
		if x.turn == lastTurn || x.turn == t.Step {
			state = append(state[:0], p.State()...)
		}
		if x.turn == t.Step {
			return io.EOF
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case state == nil && x.turn != lastTurn:
		return errTurn(x.path, x.turn, max(last, 0))
	case state == nil:
		return errNoTurns(x.path)
	case h.Rules != hexabomb.Rules:
		return fmt.Errorf("%s: there are pictures of %s, and its rules are %q; --format json has the states", x.path, hexabomb.Rules, h.Rules)
	}
	m, err := hexabomb.ParseMap(h.Map)
	if err != nil {
		return err
	}
	s, err := hexabomb.ParseState(state)
	if err != nil {
		return err
	}
	picture := maps.Scene{Title: h.MapName, Caption: fmt.Sprintf("turn %d of %d", last, h.Turns), State: s, Specials: h.Specials}
	for i := range h.Seats {
		picture.Names = append(picture.Names, h.Seats[i].Name())
	}
	return maps.StateSVG(w, m, picture)
}
