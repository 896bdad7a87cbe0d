package bots

import _ "embed"

// StarterName is the file name under which the starter bot is best saved.
const StarterName = "my_bot.py"

//go:embed python/my_bot.py
var starter string

// Starter is the source of the starter bot in Python, for beginners to edit.
func Starter() []byte { return []byte(starter) }
