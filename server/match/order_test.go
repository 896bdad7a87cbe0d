package match

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hexarena/hexarena/engine"
)

func answerOf(player engine.PlayerID, turn int) Answer {
	return Answer{Input: engine.Input{Player: player, Turn: turn}}
}

func players(answers []Answer) string {
	var list []string
	for _, a := range answers {
		list = append(list, fmt.Sprintf("%d@%d", a.Player, a.Turn))
	}
	return fmt.Sprint(list)
}

func TestSecondAnswerInATurn(t *testing.T) {
	tests := []struct {
		arrive []engine.PlayerID
		again  engine.PlayerID
		want   string
	}{
		{[]engine.PlayerID{0, 1, 2}, 0, "[2@4 1@4 0@5]"},
		{[]engine.PlayerID{0, 1, 2}, 1, "[0@4 2@4 1@5]"},
		{[]engine.PlayerID{0, 1, 2}, 2, "[0@4 1@4 2@5]"},
		{[]engine.PlayerID{3}, 3, "[3@5]"},
		{[]engine.PlayerID{0, 1}, 2, "[0@4 1@4 2@5]"},
	}
	for _, tt := range tests {
		var turn turn
		for _, p := range tt.arrive {
			turn.answers = put(turn.answers, answerOf(p, 4))
		}
		turn.answers = put(turn.answers, answerOf(tt.again, 5))
		if got := players(turn.answers); got != tt.want {
			t.Errorf("answers of %v, then a second one of %d: %s, want %s", tt.arrive, tt.again, got,
				tt.want)
		}
	}
}

func TestSeededOrderIgnoresArrival(t *testing.T) {
	const n = 5
	seen := map[string]bool{}
	shuffler := NewShuffler(n)
	for turn := range 20 {
		var first string
		for shuffle := range 10 {
			answers := []Answer{answerOf(2, turn-1)} // player 2 was late once
			for p := range engine.PlayerID(n) {
				answers = append(answers, answerOf(p, turn))
			}
			rng := rand.New(rand.NewPCG(1, uint64(shuffle)))
			rng.Shuffle(len(answers), func(i, j int) { answers[i], answers[j] = answers[j], answers[i] })
			shuffler.sort(7, turn, answers)
			if got := players(answers); shuffle == 0 {
				first = got
			} else if got != first {
				t.Fatalf("turn %d: order %s and %s, want the same", turn, first, got)
			}
			late := slices.IndexFunc(answers, func(a Answer) bool { return a.Player == 2 })
			if answers[late].Turn != turn-1 {
				t.Fatalf("turn %d: %s, want player 2's older answer first", turn, first)
			}
		}
		seen[first] = true
	}
	if len(seen) < 10 {
		t.Errorf("20 turns have %d orders, want many", len(seen))
	}
}
