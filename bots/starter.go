package bots

import (
	_ "embed"
	"strings"
)

// StarterName is the suggested file name of the starter bot.
const StarterName = "my_bot.py"

//go:embed python/my_bot.py
var starter string

// ticTacToe is the first part of the starter for hexagonal tic-tac-toe, which chooses moves.
//
//go:embed python/my_bot_hextictactoe.py
var ticTacToe string

// wireMark begins the second part of a starter, which talks to the server: the same in all of them.
const wireMark = "\n\n# --------------------------------------------------------------------- 2. wire\n"

// Starter returns the source of the starter bot in Python, which beginners edit.
func Starter() []byte { return []byte(starter) }

// TicTacToeStarter is Starter for hexagonal tic-tac-toe.
func TicTacToeStarter() []byte {
	_, wire, _ := strings.Cut(starter, wireMark)
	return []byte(ticTacToe + wireMark + wire)
}
