package result

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
)

// Limits of the text about a turn that decided, so that several fit on a screen.
const (
	toldSwings = 3   // beside the turn at which the lead changed for good
	toldActs   = 400 // bytes about an answer: ten actions
)

// Decisions are the turns that decided between two players of a match: that from which the winner
// led, and those with the largest swings.
type Decisions struct {
	Players [2]engine.PlayerID `json:"players"`
	Turns   []Decision         `json:"turns"` // in order

	course *Course
}

// Decision is a turn that decided between two players.
type Decision struct {
	Step   int      `json:"step"`   // that changed the board
	Turn   int      `json:"turn"`   // whose answers the step played; negative before TURN 0
	About  []string `json:"about"`  // why it is one of them, a sentence each
	Played []string `json:"played"` // what both did in it, and what they lost: a line each
}

// Between returns the turns that decided between two players of the match; b may be NoPlayer.
// What the players did in these turns has to be added.
func (c *Course) Between(a, b engine.PlayerID) *Decisions {
	d := &Decisions{Players: [2]engine.PlayerID{a, b}, Turns: []Decision{}, course: c}
	if step, leader, changed := c.LeadChange(); changed {
		d.note(step, fmt.Sprintf("the lead changed for good: %s leads from here on", c.Name(leader)))
	}
	if b != engine.NoPlayer {
		for _, s := range c.Swings(a, b, toldSwings) {
			gains := "gains"
			if s.Points < 0 {
				gains = "loses"
			}
			d.note(s.Step, fmt.Sprintf("from here %s %s %d more a turn against %s", c.Name(a), gains,
				max(s.Points, -s.Points), c.Name(b)))
		}
	}
	slices.SortFunc(d.Turns, func(x, y Decision) int { return x.Step - y.Step })
	return d
}

func (d *Decisions) note(step int, about string) {
	t := d.At(step)
	if t == nil {
		d.Turns = append(d.Turns, Decision{
			Step: step, Turn: match.AnsweredIn(step), Played: []string{},
		})
		t = &d.Turns[len(d.Turns)-1]
	}
	t.About = append(t.About, about)
}

// At returns the decision of a step, or nil if that step did not decide.
func (d *Decisions) At(step int) *Decision {
	if i := slices.IndexFunc(d.Turns, func(t Decision) bool { return t.Step == step }); i >= 0 {
		return &d.Turns[i]
	}
	return nil
}

// Last returns the last step that decided, or 0.
func (d *Decisions) Last() int {
	if len(d.Turns) == 0 {
		return 0
	}
	return d.Turns[len(d.Turns)-1].Step
}

// Add adds what both players did in a turn, if that is one of those that decided. p replays the
// match, or has replayed it.
func (d *Decisions) Add(p *recording.Replay, t *recording.Turn) {
	at := d.At(t.Step)
	if at == nil {
		return
	}
	for i := range t.Inputs {
		in := &t.Inputs[i]
		if !slices.Contains(d.Players[:], in.Player) {
			continue
		}
		did := in.Lapse.String()
		if in.Lapse == engine.Answered {
			did = Cut(strings.Join(p.Acts(t, i), "; "), toldActs)
		}
		at.Played = append(at.Played, d.course.Name(in.Player)+": "+did)
	}
	for _, e := range d.course.Events {
		if e.Step == t.Step && slices.Contains(d.Players[:], e.Player) && e.Text != leads {
			at.Played = append(at.Played, d.course.Name(e.Player)+" "+e.Text)
		}
	}
}

// Cut returns the beginning of a text in at most n bytes.
func Cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + "…"
}
