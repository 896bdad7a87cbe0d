package play

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/engine"
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

	winner engine.PlayerID
}

// String returns the result in words.
func (g *duelGame) String() string {
	text := fmt.Sprintf("%s (x) against %s (o): ", g.Cross, g.Circle)
	switch g.winner {
	case 0:
		text += g.Cross + " wins"
	case 1:
		text += g.Circle + " wins"
	default:
		text += "no player wins"
	}
	text += fmt.Sprintf(" after %d moves; %s", g.Moves, g.Reason)
	if g.Fault != "" {
		text += ": " + tui.Plain(g.Fault)
	}
	if g.Recording != "" {
		text += "\nRecorded in " + g.Recording
	}
	return text
}

// tournament holds the results of all games.
type tournament struct {
	Games []*duelGame `json:"games"`
}

func (t *tournament) add(g *duelGame) {
	if g.winner >= 0 {
		g.Winner = [...]string{"x", "o"}[g.winner]
	}
	t.Games = append(t.Games, g)
}

// tell writes a table of several games, or all results as JSON.
func (t *tournament) tell(w io.Writer, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(w).Encode(t)
	}
	if len(t.Games) < 2 {
		return nil
	}
	names, won := []string{t.Games[0].Cross, t.Games[0].Circle}, map[string]int{}
	drawn := 0
	for _, g := range t.Games {
		switch g.winner {
		case 0:
			won[g.Cross]++
		case 1:
			won[g.Circle]++
		default:
			drawn++
		}
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(table, "\nplayer\twon\tdrawn\tlost\t\n")
	for _, name := range names {
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\t\n", tui.Plain(name), won[name], drawn, len(t.Games)-drawn-won[name])
	}
	return table.Flush()
}
