package export

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/recording"
)

// writeNotation returns the exporter for matches of g.
func writeNotation(g *games.Game) func(*exporter, io.Writer) error {
	return func(x *exporter, w io.Writer) error {
		var text games.Transcript
		err := x.replay(func(p *recording.Replay, _ *recording.Turn) (err error) {
			if text == nil {
				h := p.Reader().Header()
				if x.Games.OfRules(h.Rules) != g {
					return fmt.Errorf("its rules are %q, and the notation is for those of %s", h.Rules, g.Name)
				}
				if text, err = g.Notation.New(matchOf(h)); err != nil {
					return err
				}
			}
			return text.Add(p.State())
		})
		if err != nil {
			return err
		}
		_, err = w.Write(text.Text())
		return err
	}
}

// matchOf returns what a recording says about its match.
func matchOf(h *recording.Header) *games.Match {
	m := &games.Match{
		Setup: h.Map, Map: h.MapName, Rules: h.RulesName(), Specials: h.Specials, Turns: h.Turns,
		Started: h.Started,
	}
	for i := range h.Seats {
		m.Names = append(m.Names, cmp.Or(h.Seats[i].Nickname, h.Seats[i].Label)) // as the page names them
	}
	if h.Logic != nil {
		m.View = h.Logic.View
	}
	return m
}

// maxNotation is the largest size of a file in a notation, in bytes: thousands of matches.
const maxNotation = 1 << 20

// ReadNotation returns the matches of a file, at least one, and the game in whose notation
// they are. If no game can read the file, it returns the error of the first that has a notation.
func ReadNotation(list games.List, path string) (*games.Game, []*games.Noted, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	if info.Size() > maxNotation {
		return nil, nil, errors.New("it has more than 1 MiB")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	var first error
	for _, g := range list {
		if g.Notation == nil {
			continue
		}
		noted, err := g.Notation.Parse(string(text))
		if err == nil {
			return g, noted, nil
		}
		first = cmp.Or(first, err)
	}
	return nil, nil, first
}

// RecordNoted plays the moves of a match of g by its newest rules, and returns the path of the
// recording. Of o, it sets what the match decides.
func RecordNoted(o recording.Options, g *games.Game, n *games.Noted) (path string, err error) {
	game, err := g.Replay(g.Rules[0], n.Setup)
	if err != nil {
		return "", err
	}
	o.Durable, o.Map, o.MapName, o.Extra = recording.AtEnd, n.Setup, g.Name, n.Tags
	return recording.Write(o, game, n.Moves)
}
