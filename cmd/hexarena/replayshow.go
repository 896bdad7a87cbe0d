package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/recording/rerun"
)

func newReplayShow() *cobra.Command {
	var turn, seat int
	cmd := &cobra.Command{
		Use:   "show FILE",
		Short: "Print the ranking and the course of a match, or what a bot was given",
		Long: `Print the ranking of a recorded match and its course: the first figure of each
player now and then, deaths, and who took the lead.

With --turn, print that turn: what each player did, what was refused and why, and
what bots printed and showed as debug. With --turn and --seat, print the TURN message
that this player was given on the board after that turn, as JSON; in a second line, if
there is any of it, what the bot printed in that turn and showed with its answer.`,
		Args: cobra.ExactArgs(1),
	}
	f := cmd.Flags()
	f.IntVar(&turn, "turn", 0, "show this turn; 0 is the board as it was set")
	f.IntVar(&seat, "seat", 0, "show what the player with this id was given; with --turn")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		turned, seated := cmd.Flags().Changed("turn"), cmd.Flags().Changed("seat")
		switch {
		case seated && !turned:
			return fmt.Errorf("--seat: %d: say which turn as well, with --turn", seat)
		case turned && seated:
			return showGiven(cmd, args[0], turn, seat)
		case turned:
			return showTurn(cmd, args[0], turn)
		}
		return showCourse(cmd, args[0])
	}
	return cmd
}

// errTurn is that of a turn that a recording does not have.
func errTurn(path string, turn, last int) error {
	return fmt.Errorf("--turn: %d: %s has turns 0 to %d", turn, path, last)
}

// replayTo plays a recording up to a turn and hands that to see.
func replayTo(cmd *cobra.Command, path string, turn int, see func(*recording.Replay, *recording.Turn) error) error {
	last, found := -1, false
	err := replayFile(cmd.Context(), path, cmd.ErrOrStderr(), func(p *recording.Replay, t *recording.Turn) error {
		if last = t.Step; last != turn {
			return nil
		}
		found = true
		if err := see(p, t); err != nil {
			return err
		}
		return io.EOF
	})
	if err == nil && !found {
		return errTurn(path, turn, max(last, 0))
	}
	return err
}

// showGiven prints the message that a player got after a turn.
func showGiven(cmd *cobra.Command, path string, turn, seat int) error {
	return replayTo(cmd, path, turn, func(p *recording.Replay, t *recording.Turn) error {
		h := p.Reader().Header()
		if err := rerun.CheckSeat(h, seat); err != nil {
			return fmt.Errorf("--seat: %w", err)
		}
		message, err := rerun.AppendMessage(nil, p, t, engine.PlayerID(seat))
		if err != nil {
			return err
		}
		if _, err = cmd.OutOrStdout().Write(message[frameHeader:]); err != nil {
			return err
		}
		said, some := sayingOf(t, engine.PlayerID(seat))
		if !some {
			return nil
		}
		return json.NewEncoder(cmd.OutOrStdout()).Encode(said)
	})
}

// saying is what a bot said about itself in a turn.
type saying struct {
	Turn    int             `json:"turn"`
	Player  engine.PlayerID `json:"player"`
	Printed []string        `json:"printed,omitempty"`
	Lost    int             `json:"lost,omitempty"` // lines that were printed before these
	Debug   json.RawMessage `json:"debug,omitempty"`
}

// sayingOf is what a player said in a turn; some is false if that is nothing. Of
// two answers, the debug of the one applied last counts.
func sayingOf(t *recording.Turn, id engine.PlayerID) (s saying, some bool) {
	s.Turn, s.Player = t.Step, id
	for _, o := range t.Printed {
		if o.Player == id {
			s.Printed, s.Lost, some = o.Lines, o.Lost, true
		}
	}
	for i := range t.Inputs {
		if in := &t.Inputs[i]; in.Player == id && json.Valid(in.Debug) {
			s.Debug, some = in.Debug, true
		}
	}
	return s, some
}

// frameHeader is the length of what comes before a message on the wire.
const frameHeader = 4

// showTurn prints what happened in a turn.
func showTurn(cmd *cobra.Command, path string, turn int) error {
	return replayTo(cmd, path, turn, func(p *recording.Replay, t *recording.Turn) error {
		h := p.Reader().Header()
		var b strings.Builder
		fmt.Fprintf(&b, "turn %d of %d, %.3f s after the start\n", t.Step, h.Turns, t.At.Seconds())
		for _, d := range t.Left {
			fmt.Fprintf(&b, "%s left: %s\n", seatName(h, d.Player), plain(d.Reason))
		}
		for i := range t.Inputs {
			in := &t.Inputs[i]
			fmt.Fprintf(&b, "\n%s", seatName(h, in.Player))
			if in.Lapse != engine.Answered {
				fmt.Fprintf(&b, ": %s\n", in.Lapse)
				continue
			}
			fmt.Fprintf(&b, " answered TURN %d after %.3f ms:\n  %s\n", in.Input.Turn, float64(in.Took.Microseconds())/1000, plain(string(in.Actions)))
			for _, r := range t.Refused {
				if r.Input == i {
					fmt.Fprintf(&b, "  refused: action %d: %s\n", r.Action, r.Reason)
				}
			}
			if in.Debug != nil {
				fmt.Fprintf(&b, "  debug: %s\n", plain(string(in.Debug)))
			}
		}
		for _, o := range t.Printed {
			fmt.Fprintf(&b, "\n%s printed:\n", seatName(h, o.Player))
			if omission := o.Omission(); omission != "" {
				fmt.Fprintf(&b, "  %s\n", omission)
			}
			for _, line := range o.Lines {
				fmt.Fprintf(&b, "  %s\n", plain(line))
			}
		}
		fmt.Fprintf(&b, "\nstate %s\n", t.Digest)
		_, err := io.WriteString(cmd.OutOrStdout(), b.String())
		return err
	})
}

// seatName is what to call a player.
func seatName(h *recording.Header, id engine.PlayerID) string {
	return fmt.Sprintf("player %d (%s)", id, plain(h.Seats[id].Name()))
}

// showCourse prints the ranking and the course.
func showCourse(cmd *cobra.Command, path string) error {
	var c *course
	err := replayFile(cmd.Context(), path, cmd.ErrOrStderr(), func(p *recording.Replay, t *recording.Turn) error {
		if c == nil {
			c = newCourse(p.Reader())
		}
		c.add(p, t)
		return nil
	})
	if err != nil {
		return err
	}
	if c == nil {
		return fmt.Errorf("%s: it was cut before its first turn", path)
	}
	var b strings.Builder
	c.write(&b)
	if _, err := io.WriteString(colorprofile.NewWriter(cmd.OutOrStdout(), os.Environ()), b.String()); err != nil {
		return fmt.Errorf("write the course: %w", err)
	}
	return nil
}

// course is how a match went, as far as the figures of its players say.
type course struct {
	r      *recording.Reader
	deaths int // index of that figure, -1: there is none
	rows   []sample
	events []string
	leader engine.PlayerID
	last   sample
}

// sample is the figures of all players after a turn.
type sample struct {
	step  int
	tally []int64
}

func newCourse(r *recording.Reader) *course {
	return &course{r: r, deaths: slices.Index(r.Header().Counts, "deaths"), leader: engine.Nobody}
}

func (c *course) add(p *recording.Replay, t *recording.Turn) {
	h := c.r.Header()
	for id := range h.Seats {
		if c.deaths < 0 || t.Step == 0 {
			break
		}
		at := id*len(h.Counts) + c.deaths
		if n := t.Tally[at] - c.last.tally[at]; n > 0 {
			c.tell(t.Step, "%s lost %s", seatName(h, engine.PlayerID(id)), plural(n, "character"))
		}
	}
	for _, d := range t.Left {
		c.tell(t.Step, "%s left: %s", seatName(h, d.Player), plain(d.Reason))
	}
	if w := p.Result().Winner; w != engine.Nobody && w != c.leader {
		c.leader = w
		c.tell(t.Step, "%s takes the lead", seatName(h, w))
	}
	c.last.step = t.Step
	c.last.tally = append(c.last.tally[:0], t.Tally...)
	const rows = 10
	if t.Step%max(1, (h.Turns+rows-1)/rows) == 0 {
		c.rows = append(c.rows, sample{t.Step, slices.Clone(t.Tally)})
	}
}

func (c *course) tell(step int, format string, args ...any) {
	c.events = append(c.events, fmt.Sprintf("  turn %d: ", step)+fmt.Sprintf(format, args...))
}

func plural(n int64, what string) string {
	if n == 1 {
		return "a " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func (c *course) write(b *strings.Builder) {
	h := c.r.Header()
	where := ""
	if h.MapName != "" {
		where = " on " + plain(h.MapName)
	}
	fmt.Fprintf(b, "%s%s, %d of %d turns, seed %d, %s: %s\n\n", plain(h.Rules), where, c.last.step, h.Turns, h.Seed,
		h.Started.Local().Format("2006-01-02 15:04"), c.outcome())
	if len(h.Counts) > 0 {
		c.ranking().write(b)
		fmt.Fprintf(b, "\n%s:\n\n", plain(h.Counts[0]))
		c.curves().write(b)
	}
	if len(c.events) > 0 {
		fmt.Fprintf(b, "\n%s\n", strings.Join(c.events, "\n"))
	}
}

// outcome is how the match ended.
func (c *course) outcome() string {
	h, e := c.r.Header(), c.r.End()
	switch {
	case e == nil:
		return "the recording was cut there"
	case e.Error != "":
		return plain(e.Error)
	case e.Winner < 0 || int(e.Winner) >= len(h.Seats):
		return "nobody wins"
	}
	return plain(h.Seats[e.Winner].Name()) + " wins"
}

// first is the figure that ranks a player.
func (c *course) first(id int) int64 { return c.last.tally[id*len(c.r.Header().Counts)] }

// order is the players' ids, the best first, special players behind the others.
func (c *course) order() []int {
	h := c.r.Header()
	var ids []int
	for id := range h.Seats {
		ids = append(ids, id)
	}
	slices.SortStableFunc(ids, func(a, b int) int {
		if (a < h.Specials) != (b < h.Specials) {
			return b - a
		}
		return int(min(1, max(-1, c.first(b)-c.first(a))))
	})
	return ids
}

func (c *course) ranking() *table {
	h := c.r.Header()
	t := &table{columns: []column{{"", true}, {"player", false}, {"id", true}}}
	for _, name := range h.Counts {
		t.columns = append(t.columns, column{plain(name), true})
	}
	rank, before := 0, int64(0)
	for i, id := range c.order() {
		place := "-"
		if id >= h.Specials {
			if i == 0 || c.first(id) != before {
				rank = i + 1
			}
			place, before = strconv.Itoa(rank), c.first(id)
		}
		row := []string{place, plain(h.Seats[id].Name()), strconv.Itoa(id)}
		for _, n := range c.last.tally[id*len(h.Counts):][:len(h.Counts)] {
			row = append(row, strconv.FormatInt(n, 10))
		}
		t.add(playerText(h, id), row)
	}
	return t
}

// playerText is a player's name in the player's colour.
func playerText(h *recording.Header, id int) string {
	name := plain(h.Seats[id].Name())
	if id < h.Specials {
		return name
	}
	color := maps.PlayerLook(id - h.Specials).Dark.Line
	return lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Color(color.String())).Render(name)
}

// curves is a line for each sample, with a column for each player.
func (c *course) curves() *table {
	h := c.r.Header()
	t := &table{columns: []column{{"", true}, {"turn", true}}}
	order := c.order()
	for _, id := range order {
		t.columns = append(t.columns, column{plain(h.Seats[id].Name()), true})
	}
	rows := c.rows
	if len(rows) == 0 || rows[len(rows)-1].step != c.last.step {
		rows = append(rows, c.last)
	}
	for _, s := range rows {
		row := []string{"", strconv.Itoa(s.step)}
		for _, id := range order {
			row = append(row, strconv.FormatInt(s.tally[id*len(h.Counts)], 10))
		}
		t.add(row[1], row)
	}
	return t
}
