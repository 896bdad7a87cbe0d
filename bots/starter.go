package bots

import _ "embed"

// StarterName is the suggested file name of the starter bot.
const StarterName = "my_bot.py"

//go:embed python/my_bot.py
var starter string

//go:embed python/hextictactoe/my_bot.py
var ticTacToeStarter string

// Starter returns the source of the starter bot in Python, which beginners edit.
func Starter() []byte { return []byte(starter) }

// TicTacToeStarter is Starter for hexagonal tic-tac-toe.
func TicTacToeStarter() []byte { return []byte(ticTacToeStarter) }
