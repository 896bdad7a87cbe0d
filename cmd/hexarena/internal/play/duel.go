package play

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/config/textutil"
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/result"
)

// duelGame is the result of a game between two players.
type duelGame struct {
	Cross     string `json:"x"`
	Circle    string `json:"o"`
	Winner    string `json:"winner"` // x, o or empty
	Reason    string `json:"reason"`
	Fault     string `json:"fault,omitempty"` // of who forfeited, in plain words
	Moves     int    `json:"moves"`
	Recording string `json:"recording,omitempty"`

	seats []result.SeatReport // x and o
}

// newDuelGame returns the result that a report stands for.
func newDuelGame(r *result.Report, recording string) *duelGame {
	g := &duelGame{
		Cross: r.Seats[0].Label, Circle: r.Seats[1].Label, Reason: r.Reason, Recording: recording,
		seats: r.Seats,
	}
	for i := range r.Seats {
		s := &r.Seats[i]
		if s.Label == r.Winner && s.ID != engine.NoPlayer {
			g.Winner = [...]string{"x", "o"}[s.ID]
		}
		if why := cmp.Or(s.Reason, s.First[r.Reason]); why != "" {
			g.Fault = why
		}
		for _, c := range s.Counts {
			if c.Name == "moves" {
				g.Moves += int(c.Value)
			}
		}
	}
	return g
}

// String returns the result in words.
func (g *duelGame) String() string {
	winner := map[string]string{
		"x": g.seats[0].Name(), "o": g.seats[1].Name(), "": "no player",
	}[g.Winner]
	text := tui.Plain(fmt.Sprintf("%s against %s: %s wins after %s; %s",
		sided(&g.seats[0], "x"), sided(&g.seats[1], "o"), winner,
		textutil.Counted(g.Moves, "move", "moves"), g.Reason))
	if g.Fault != "" {
		text += ": " + tui.Plain(g.Fault)
	}
	if g.Recording != "" {
		text += "\nRecorded in " + g.Recording
	}
	return text
}

// sided returns the name of a seat's player with its side.
func sided(s *result.SeatReport, side string) string {
	if s.Chosen {
		return fmt.Sprintf("%s (%s, %s)", s.Nickname, side, s.Label)
	}
	return fmt.Sprintf("%s (%s)", s.Label, side)
}

// duels are the results of all games.
type duels struct {
	Games     []*duelGame `json:"games"`
	standings result.Standings
}

// tell writes a table of several games, or all results as JSON.
func (d *duels) tell(w io.Writer, asJSON bool) error {
	if asJSON {
		return textutil.WriteJSONLine(w, d)
	}
	if len(d.Games) < 2 {
		return nil
	}
	table := tui.Table{
		Columns: []tui.Column{
			tui.Right("player"), tui.Right("won"), tui.Right("drawn"), tui.Right("lost"),
		},
	}
	for _, row := range d.standings.Rows() {
		name, lost := tui.Plain(row.Label), row.Matches-row.Won-row.Drawn
		table.Add(name, strconv.Itoa(row.Won), strconv.Itoa(row.Drawn), strconv.Itoa(lost))
	}
	var b strings.Builder
	table.Write(&b)
	_, err := fmt.Fprint(w, "\n", b.String())
	return err
}
