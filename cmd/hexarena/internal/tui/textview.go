package tui

import (
	"fmt"
	"io"

	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/match"
)

// TextOptions describe a match whose boards are written as text.
type TextOptions struct {
	Text   func(m *games.Match, state []byte) (string, error)
	Match  games.Match // the view adds the players
	Output io.Writer   // gets the boards
	Notes  io.Writer   // gets all else
}

// textView is a view that writes the board after each turn. The match waits for the writer, so that
// a slow reader misses no turn.
type textView struct {
	lines
	options TextOptions
	label   func(match.SeatInfo) string
}

// NewText returns a view that writes the board after each turn as text.
func NewText(o TextOptions) View {
	return &textView{options: o, lines: lines{out: o.Notes, turns: o.Match.Turns}}
}

// Started implements match.Watcher.
func (v *textView) Started(f *match.Frame) {
	for _, s := range f.Table.Seats {
		v.options.Match.Names = append(v.options.Match.Names, v.label(s))
	}
	v.options.Match.Specials = f.Table.Specials
	v.write(f, 0)
}

// Played implements match.Watcher.
func (v *textView) Played(p *match.Play) { v.write(p.Frame, p.Step) }

func (v *textView) write(f *match.Frame, step int) {
	o := &v.options
	text, err := o.Text(&o.Match, f.State)
	if err != nil {
		text = err.Error() + "\n" // the board has grown too large; the match goes on
	}
	// the command that prints the result reports that the output is closed
	_, _ = fmt.Fprintf(o.Output, "%s\n%s\n\n", match.NameBoard(step, o.Match.Turns), PlainLines(text))
}

// Show implements View.
func (v *textView) Show(m Match) {
	v.label = m.Label
	_ = m.Play() // the caller reports the error
}
