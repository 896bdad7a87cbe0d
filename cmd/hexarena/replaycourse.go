package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/recording"
)

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

// course collects how a match went, from the figures of its players.
type course struct {
	r      *recording.Reader
	deaths int // index of the figure deaths, -1 if the game has none
	rows   []sample
	events []string
	leader engine.PlayerID
	last   sample
}

// sample holds the figures of all players after a turn.
type sample struct {
	step  int
	tally []int64
}

func newCourse(r *recording.Reader) *course {
	return &course{r: r, deaths: slices.Index(r.Header().Counts, "deaths"), leader: engine.NoPlayer}
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
		c.tell(t.Step, "%s left: %s", seatName(h, d.Player), tui.Plain(d.Reason))
	}
	if w := p.Result().Winner; w != engine.NoPlayer && w != c.leader {
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
		where = " on " + tui.Plain(h.MapName)
	}
	fmt.Fprintf(b, "%s%s, %d of %d turns, seed %d, %s: %s\n\n", tui.Plain(h.Rules), where, c.last.step, h.Turns, h.Seed,
		h.Started.Local().Format("2006-01-02 15:04"), c.outcome())
	if len(h.Counts) > 0 {
		c.ranking().Write(b)
		fmt.Fprintf(b, "\n%s:\n\n", tui.Plain(h.Counts[0]))
		c.curves().Write(b)
	}
	if len(c.events) > 0 {
		fmt.Fprintf(b, "\n%s\n", strings.Join(c.events, "\n"))
	}
}

// outcome returns how the match ended.
func (c *course) outcome() string {
	h, e := c.r.Header(), c.r.End()
	switch {
	case e == nil:
		return "the recording was cut there"
	case e.Error != "":
		return tui.Plain(e.Error)
	case e.Winner < 0 || int(e.Winner) >= len(h.Seats):
		return "no player wins"
	}
	return tui.Plain(h.Seats[e.Winner].Name()) + " wins"
}

// first returns the figure that ranks a player.
func (c *course) first(id int) int64 { return c.last.tally[id*len(c.r.Header().Counts)] }

// order returns the ids of the players, the best first, special players last.
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

func (c *course) ranking() *tui.Table {
	h := c.r.Header()
	t := &tui.Table{Columns: []tui.Column{tui.Right(""), tui.Left("player"), tui.Right("id")}}
	for _, name := range h.Counts {
		t.Columns = append(t.Columns, tui.Right(tui.Plain(name)))
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
		row := []string{place, tui.Plain(h.Seats[id].Name()), strconv.Itoa(id)}
		for _, n := range c.last.tally[id*len(h.Counts):][:len(h.Counts)] {
			row = append(row, strconv.FormatInt(n, 10))
		}
		t.Add(playerText(h, id), row)
	}
	return t
}

// playerText returns a player's name in the player's color.
func playerText(h *recording.Header, id int) string {
	name := tui.Plain(h.Seats[id].Name())
	if id < h.Specials {
		return name
	}
	return tui.Colored(name, id-h.Specials)
}

// curves returns a table with a line for each sample and a column for each player.
func (c *course) curves() *tui.Table {
	h := c.r.Header()
	t := &tui.Table{Columns: []tui.Column{tui.Right(""), tui.Right("turn")}}
	order := c.order()
	for _, id := range order {
		t.Columns = append(t.Columns, tui.Right(tui.Plain(h.Seats[id].Name())))
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
		t.Add(row[1], row)
	}
	return t
}
