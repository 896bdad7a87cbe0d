package export

import (
	"context"
	"slices"
	"strings"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/result"
)

// The limits of a digest, so that it fits into the context of a model many times over.
const (
	digestWords  = 2000
	boardWords   = 1400 // what is left of them for boards beside the longest rest
	curvePoints  = 20
	shownReasons = 8   // reasons of refusals
	shownPrinted = 10  // lines of output
	shownLine    = 160 // bytes of one
)

// Digest is what a bot's author needs to know of a recorded match.
type Digest struct {
	*result.Course
	Report *result.Report
	For    engine.PlayerID
	Other  engine.PlayerID // the winner, or the best of the others; NoPlayer in a match of one player

	decided *result.Decisions
	grids   map[int]string // of the boards after turns; empty: the game has none
	lines   []string       // the end of what the bot printed
}

// Digest returns the digest of the recorded match for the player with a name, as its seat has it.
func (r *Recording) Digest(ctx context.Context, name string) (*Digest, error) {
	course, report, err := r.Course(ctx, false)
	if err != nil {
		return nil, err
	}
	d := &Digest{Course: course, Report: report, grids: map[int]string{}}
	if d.For, err = playerCalled(course.Header, name); err != nil {
		return nil, err
	}
	d.chooseOther()
	d.decided = d.Between(d.For, d.Other)
	return d, r.lookAt(ctx, d)
}

// playerCalled returns the player whose seat has a name.
func playerCalled(h *recording.Header, name string) (engine.PlayerID, error) {
	var names []string
	for id := range h.Seats {
		if s := &h.Seats[id]; s.Name() == name || s.Nickname == name {
			return engine.PlayerID(id), nil
		}
		names = append(names, h.Seats[id].Name())
	}
	return engine.NoPlayer, usageErrorf("--for: no player is called %q; there are %s", name,
		strings.Join(names, ", "))
}

func (d *Digest) printed(list []recording.Output) {
	for _, o := range list {
		if o.Player == d.For {
			d.lines = append(d.lines, o.Lines...)
			d.lines = slices.Clone(d.lines[max(0, len(d.lines)-shownPrinted):])
		}
	}
}

// chooseOther chooses the other player.
func (d *Digest) chooseOther() {
	_, leader, changed := d.LeadChange()
	d.Other = leader
	if !changed || leader == d.For {
		d.Other = engine.NoPlayer
		for id, figure := range d.First[len(d.First)-1] {
			if other := engine.PlayerID(id); other != d.For && id >= d.Header.Specials &&
				(d.Other == engine.NoPlayer || figure > d.First[len(d.First)-1][d.Other]) {
				d.Other = other
			}
		}
	}
}

// lookAt notes the boards around the turns that decided, what both players did in them, and what
// the bot printed last.
func (r *Recording) lookAt(ctx context.Context, d *Digest) error {
	g := r.Games.OfRules(d.Header.Rules)
	err := r.Replay(ctx, func(p *recording.Replay, t *recording.Turn) error {
		p.Uncheck()
		d.printed(t.Printed)
		d.decided.Add(p, t)
		if g == nil || g.Text == nil || d.decided.At(t.Step) == nil && d.decided.At(t.Step+1) == nil {
			return nil
		}
		text, err := g.Text(matchOf(d.Header), p.State())
		d.grids[t.Step] = gridOf(text)
		return err
	})
	if d.End != nil {
		d.printed(d.End.Printed)
	}
	return err
}

// gridOf returns the lines of a board's text that are its rows.
func gridOf(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "r=") {
			b.WriteString("  " + line)
		}
	}
	return b.String()
}

// seat returns the report on the bot's seat.
func (d *Digest) seat() *result.SeatReport {
	for i := range d.Report.Seats {
		if d.Report.Seats[i].ID == d.For {
			return &d.Report.Seats[i]
		}
	}
	return nil
}
