package export

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/result"
)

// The limits of a digest, so that it fits into the context of a model many times over.
const (
	digestWords   = 2000
	boardWords    = 1400 // what is left of them for boards beside the longest rest
	curvePoints   = 20
	shownSwings   = 3   // beside the turn at which the lead changed for good
	shownActions  = 240 // bytes of an answer
	shownReasons  = 8   // reasons of refusals
	shownPrinted  = 10  // lines of output
	shownLine     = 160 // bytes of one
	shownRefusals = 4   // reasons beside an answer
)

// Digest is what a bot's author needs to know of a recorded match.
type Digest struct {
	*Course
	Progress
	For   engine.PlayerID
	Other engine.PlayerID // the winner, or the best of the others; NoPlayer in a match of one player
	turns map[int]*digestTurn
	lines []string // the end of what the bot printed
}

// digestTurn is a turn that decided.
type digestTurn struct {
	about         []string
	before, after string // grids of the boards; empty: the game has none
	played        []string
}

// Digest returns the digest of the recorded match for the player with a name, as its seat has it.
func (r *Recording) Digest(ctx context.Context, name string) (*Digest, error) {
	course, err := r.Course(ctx, false)
	if err != nil {
		return nil, err
	}
	d := &Digest{Course: course, turns: map[int]*digestTurn{}}
	if d.For, err = playerCalled(course.Header, name); err != nil {
		return nil, err
	}
	if err := r.follow(ctx, d); err != nil {
		return nil, err
	}
	d.choose()
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

// follow notes the progress of the match, and what the bot printed last.
func (r *Recording) follow(ctx context.Context, d *Digest) error {
	counts := len(d.Header.Counts)
	err := r.Replay(ctx, func(p *recording.Replay, t *recording.Turn) error {
		p.Uncheck()
		first := make([]int64, len(d.Header.Seats))
		for id := range first {
			if counts > 0 {
				first[id] = t.Tally[id*counts]
			}
		}
		d.First, d.Leaders = append(d.First, first), append(d.Leaders, p.Result().Winner)
		d.printed(t.Printed)
		return nil
	})
	if d.End != nil {
		d.printed(d.End.Printed)
	}
	return err
}

func (d *Digest) printed(list []recording.Output) {
	for _, o := range list {
		if o.Player == d.For {
			d.lines = append(d.lines, o.Lines...)
			d.lines = slices.Clone(d.lines[max(0, len(d.lines)-shownPrinted):])
		}
	}
}

// choose chooses the other player, and the turns that decided.
func (d *Digest) choose() {
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
	d.chooseTurns()
}

// chooseTurns chooses the turns that decided between both players.
func (d *Digest) chooseTurns() {
	if step, leader, changed := d.LeadChange(); changed {
		d.turns[step] = &digestTurn{about: []string{
			fmt.Sprintf("the lead changed for good: %s leads from here on", d.name(leader)),
		}}
	}
	if d.Other == engine.NoPlayer {
		return
	}
	for _, s := range d.Swings(d.For, d.Other, shownSwings) {
		gains := "gains"
		if s.Points < 0 {
			gains = "loses"
		}
		t := d.turns[s.Step]
		if t == nil {
			t = &digestTurn{}
			d.turns[s.Step] = t
		}
		t.about = append(t.about, fmt.Sprintf("from here %s %s %d more a turn against %s",
			d.name(d.For), gains, max(s.Points, -s.Points), d.name(d.Other)))
	}
}

func (d *Digest) name(id engine.PlayerID) string { return d.Header.Seats[id].Name() }

// lookAt notes the boards of the turns that decided, and what both players did in them.
func (r *Recording) lookAt(ctx context.Context, d *Digest) error {
	g := r.Games.OfRules(d.Header.Rules)
	if g == nil {
		return nil
	}
	return r.Replay(ctx, func(p *recording.Replay, t *recording.Turn) (err error) {
		p.Uncheck()
		at, next := d.turns[t.Step], d.turns[t.Step+1]
		if at == nil && next == nil {
			return nil
		}
		grid := ""
		if g.Text != nil {
			text, err := g.Text(matchOf(d.Header), p.State())
			if err != nil {
				return err
			}
			grid = gridOf(text)
		}
		if at != nil {
			at.after = grid
			at.played = d.playedIn(t)
		}
		if next != nil {
			next.before = grid
		}
		return nil
	})
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

// playedIn returns what both players did in a turn, a line for each answer.
func (d *Digest) playedIn(t *recording.Turn) (lines []string) {
	for i := range t.Inputs {
		in := &t.Inputs[i]
		if in.Player != d.For && in.Player != d.Other {
			continue
		}
		if in.Lapse != engine.Answered {
			lines = append(lines, fmt.Sprintf("%s: %s", d.name(in.Player), in.Lapse))
			continue
		}
		line := fmt.Sprintf("%s: %s", d.name(in.Player), cut(string(in.Actions), shownActions))
		refused := 0
		for _, r := range t.Refused {
			if r.Input == i && refused < shownRefusals {
				line += fmt.Sprintf("; action %d refused: %s", r.Action, r.Reason)
				refused++
			}
		}
		lines = append(lines, line)
	}
	return append(lines, d.deathsIn(t.Step)...)
}

// deathsIn returns the events of a turn that concern both players, but for changes of the lead.
func (d *Digest) deathsIn(step int) (lines []string) {
	for _, e := range d.Events {
		if e.Step == step && (e.Player == d.For || e.Player == d.Other) && e.Text != leads {
			lines = append(lines, d.name(e.Player)+" "+e.Text)
		}
	}
	return lines
}

// cut returns the beginning of a text in at most n bytes.
func cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + "…"
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
