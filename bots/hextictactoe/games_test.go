package hextictactoe

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine"
	rules "github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/protocol/htttx"
)

var update = flag.Bool("update", false,
	"have the bots play the games again and write testdata/games.txt")

// sides maps sides to their names in the notation.
var sides = map[rules.Side]string{rules.X: "cross", rules.O: "circle"}

// casts are the games with their players.
var casts = []struct {
	name, x, o string
	depth      int
	seed       uint64
	turns      int // moves until a draw; 0: 200
}{
	{name: "a quick win", x: "threat", o: "nearest", depth: 3, seed: 1},
	{name: "the other side", x: "nearest", o: "threat", depth: 3, seed: 2},
	{name: "at random", x: "random", o: "threat", depth: 3, seed: 3},
	{name: "threats on both sides", x: "threat", o: "threat", depth: 2, seed: 4},
	{name: "a longer game", x: "threat", o: "threat", depth: 3, seed: 5},
	{name: "a deeper search", x: "threat", o: "threat", depth: 4, seed: 6},
	{name: "two weak ones", x: "random", o: "nearest", seed: 7},
	{name: "a draw", x: "random", o: "random", seed: 8, turns: 12},
}

// gamesFile holds games in the notation, whose tags say how they end.
const gamesFile = "testdata/games.txt"

// The rules play games of the bots, as the notation has them, to the same ends.
func TestGames(t *testing.T) {
	if *update {
		write(t)
	}
	text, err := os.ReadFile(gamesFile)
	if err != nil {
		t.Fatal(err)
	}
	var games []htttx.Record
	for part := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n\n") {
		r, err := htttx.ParseNotation(part)
		if err != nil {
			t.Fatalf("game %d: %v", len(games)+1, err)
		}
		games = append(games, r)
	}
	if len(games) != len(casts) {
		t.Fatalf("%d games, want %d; run go test -update to write them", len(games), len(casts))
	}
	won := map[string]int{}
	for i, g := range games {
		name := g.Tag(htttx.TagName)
		o := rules.Defaults()
		if g.Tag(htttx.TagEndReason) == "draw" {
			o.TurnLimit = len(g.Moves)
		}
		game := rules.New(o)
		result, err := game.Start(engine.Setup{Players: 2})
		if err != nil {
			t.Fatal(err)
		}
		for k, m := range g.Moves {
			if result.Over {
				t.Fatalf("%s: over before move %d", name, k+1)
			}
			var a Answer
			for _, c := range m.Pieces {
				a.Pieces = append(a.Pieces, rules.Coord{Q: int(c.Q), R: int(c.R)})
			}
			result = game.Step(
				[]engine.Input{{Player: game.ToMove().Player(), Actions: a.AppendActions(nil)}})
		}
		winner := sides[rules.Side(result.Winner+1)]
		won[winner]++
		if !result.Over || winner != g.Tag(htttx.TagWinner) || name != casts[i].name {
			t.Errorf("%s: after the last move the result is %+v, want a win of %q", name, result,
				g.Tag(htttx.TagWinner))
		}
	}
	if len(won) != 3 {
		t.Errorf("the winners are %v, want games won by each side and a draw", won)
	}
}

func write(t *testing.T) {
	var file []byte
	for i, cast := range casts {
		c := Contest{
			Options: rules.Defaults(), Depth: [2]int{cast.depth, cast.depth}, Seed: cast.seed,
			Turns: 200,
		}
		if cast.turns > 0 {
			c.Turns = cast.turns
		}
		c.Bots[0], _ = New(cast.x)
		c.Bots[1], _ = New(cast.o)
		out, err := c.Play(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		r := htttx.Record{Tags: []htttx.Tag{
			{Key: htttx.TagVersion, Value: "1"},
			{Key: htttx.TagName, Value: cast.name},
			{Key: htttx.TagPlayerCross, Value: cast.x},
			{Key: htttx.TagPlayerCircle, Value: cast.o},
		}}
		if out.Winner == rules.None {
			r.Tags = append(r.Tags, htttx.Tag{Key: htttx.TagEndReason, Value: "draw"})
		} else {
			r.Tags = append(r.Tags, htttx.Tag{Key: htttx.TagEndReason, Value: "win"},
				htttx.Tag{Key: htttx.TagWinner, Value: sides[out.Winner]})
		}
		for _, m := range out.Moves {
			var move htttx.RecordedMove
			for _, p := range m.Pieces[:m.Placed] {
				move.Pieces = append(move.Pieces, htttx.Cell{Q: int32(p.Q), R: int32(p.R)})
			}
			r.Moves = append(r.Moves, move)
		}
		if i > 0 {
			file = append(file, '\n')
		}
		file = r.AppendText(file)
	}
	if err := os.WriteFile(gamesFile, file, 0o600); err != nil {
		t.Fatal(err)
	}
}
