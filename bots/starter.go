package bots

import _ "embed"

// StarterName is the suggested file name of the starter bot.
const StarterName = "my_bot.py"

//go:embed python/my_bot.py
var starter string

// Starter returns the source of the starter bot in Python, which beginners edit.
func Starter() []byte { return []byte(starter) }
