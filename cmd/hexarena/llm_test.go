package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/protocol/netorcai"
)

// noisyModel answers as language models do at their worst.
func noisyModel(random *rand.Rand) func(string) (string, error) {
	action := regexp.MustCompile(`(?m)^\{"id".*\}$`)
	return func(prompt string) (string, error) {
		possible := action.FindAllString(prompt, -1)
		switch random.IntN(9) {
		case 0:
			return "", errors.New("exit status 3")
		case 1:
			return "I am sorry, [ I cannot", nil
		case 2:
			return `[{"id":99,"movement":"up"}] [1, 2, 3]`, nil
		case 3:
			return `[{"pieces":[{"q":0,"r":0},{"q":1,"r":0}]},{"x":`, nil
		case 4:
			return strings.Repeat(`[{"id":0,"movement":"move","direction":"x+"}]`, 3), nil
		case 5:
			return "```json\n[]\n```", nil
		case 6:
			return fmt.Sprintf(`[{"pieces":[{"q":%d,"r":%d},{"q":%d,"r":1}]}]`, random.IntN(9),
				random.IntN(9), random.IntN(9)), nil
		}
		if len(possible) == 0 {
			return "no", nil
		}
		return "Thinking \x1b[1m of [q, r].\n[" + possible[random.IntN(len(possible))] + "]\nDone.", nil
	}
}

// In 1 000 turns of each game, a noisy model loses nothing by the form of its answers: hexabomb
// refuses none but those that other players block, and no game of tic-tac-toe is forfeited.
func TestNoisyModelLosesNothingByFormat(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	board, err := maps.Load("pebble")
	if err != nil {
		t.Fatal(err)
	}
	seed := uint64(0)
	for _, tt := range []struct {
		game string
		turn int // of a match
		make func() engine.Game
	}{
		{"hexabomb", 100, func() engine.Game { return hexabomb.New(board) }},
		{"hextictactoe", 40, func() engine.Game { return hextictactoe.New(hextictactoe.Defaults()) }},
	} {
		for turns := 0; turns < 1000; {
			seed++
			turns += playNoisy(t, tt.make(), gameList.Find(tt.game).Unlucky, tt.turn, seed)
		}
	}
}

// playNoisy plays a match of two noisy models, and returns the number of its turns.
func playNoisy(t *testing.T, game engine.Game, unlucky []string, turns int, seed uint64) int {
	t.Helper()
	setup := engine.Setup{Players: 2, Turns: turns, Seed: seed}
	if _, err := game.Start(setup); err != nil {
		t.Fatal(err)
	}
	bots := make([]*modelBot, setup.Players)
	for id := range bots {
		bots[id] = &modelBot{ask: noisyModel(rand.New(rand.NewPCG(seed, uint64(id))))}
		if err := bots[id].Start(netorcai.GameStarts{
			PlayerID: id, NbPlayers: 2, NbTurnsMax: turns, State: game.AppendState(nil),
		}); err != nil {
			t.Fatal(err)
		}
	}
	result := game.Step(nil)
	for n := 0; n < turns-1; n++ {
		if result.Over {
			if strings.HasPrefix(result.Reason, "forfeit") {
				t.Fatalf("seed %d, turn %d: %s", seed, n, result.Reason)
			}
			return n
		}
		var inputs []engine.Input
		for id, bot := range bots {
			if !result.Await.Has(engine.PlayerID(id)) {
				continue
			}
			actions, err := bot.Turn(netorcai.Turn{Number: n, State: game.AppendState(nil)})
			if err != nil {
				t.Fatalf("seed %d, turn %d: %v", seed, n, err)
			}
			if d := bot.Debug(); strings.Contains(d.Text, "\x1b") {
				t.Fatalf("the thoughts have a control character: %q", d.Text)
			}
			inputs = append(inputs,
				engine.Input{Player: engine.PlayerID(id), Turn: n, Actions: actions, Valid: true})
		}
		result = game.Step(inputs)
		for _, r := range result.Refused {
			if !slices.Contains(unlucky, r.Reason) {
				t.Fatalf("seed %d, turn %d: %s is refused: %s", seed, n, inputs[r.Input].Actions, r.Reason)
			}
		}
	}
	return turns
}

// The last array of objects is the answer, and the rest are thoughts.
func TestAnswerIn(t *testing.T) {
	for _, tt := range []struct{ text, actions, thoughts string }{
		{"", "", ""},
		{"[", "", "["},
		{"[1] [2, 3]", "", "[1] [2, 3]"},
		{"so [] it is", "[]", "so  it is"},
		{`a [{"b":[1]}] c`, `[{"b":[1]}]`, "a  c"},
		{`[{"a":1}] no: [{"b":2}]`, `[{"b":2}]`, `[{"a":1}] no: `},
	} {
		actions, thoughts := answerIn(tt.text)
		if string(actions) != tt.actions || thoughts != tt.thoughts {
			t.Errorf("%q: %s and %q", tt.text, actions, thoughts)
		}
	}
}
