package kits

import (
	"embed"
	"regexp"
)

//go:embed python/hexarena.py python/hexarena_htttx.py python/bot.py python/look_ahead.py python/hextictactoe.py
var pythonFiles embed.FS

var python = Kit{
	Language: "Python", Folder: "python", Extension: ".py",
	Library:   []string{"hexarena.py", "hexarena_htttx.py"},
	OfGame:    map[string]string{"hexarena_htttx.py": "hextictactoe"},
	Starters:  map[string]string{"hexabomb": "bot.py", "hextictactoe": "hextictactoe.py"},
	LookAhead: map[string]string{"hexabomb": "look_ahead.py"},
	Vectors:   "vectors.py",
	Tools:     []string{"python3", "python"},
	Advice: "install Python 3.8 or newer with your system's packages or from " +
		"https://www.python.org",
	Run:     []string{"{tool}", "{bot}"},
	Shell:   "python3 {bot}",
	Uses:    regexp.MustCompile(`(?m)^\s*(import|from)\s+hexarena\b`),
	Imports: regexp.MustCompile(`(?m)^\s*(?:from\s+(\w+)|import\s+([\w, \t]+))`),
	files:   pythonFiles,
}
