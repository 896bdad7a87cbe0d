package kits

import (
	"embed"
	"regexp"
)

//go:embed javascript/hexarena.js javascript/hexarena_htttx.js javascript/hexarena.d.ts javascript/bot.js javascript/look_ahead.js javascript/hextictactoe.js
var javascriptFiles embed.FS

var javascript = Kit{
	Language: "JavaScript", Folder: "javascript", Extension: ".js",
	Library:   []string{"hexarena.js", "hexarena.d.ts", "hexarena_htttx.js"},
	OfGame:    map[string]string{"hexarena_htttx.js": "hextictactoe"},
	Starters:  map[string]string{"hexabomb": "bot.js", "hextictactoe": "hextictactoe.js"},
	LookAhead: map[string]string{"hexabomb": "look_ahead.js"},
	Vectors:   "vectors.js",
	Tools:     []string{"node", "nodejs"},
	Advice:    "install Node 20 or newer with your system's packages or from https://nodejs.org",
	Run:       []string{"{tool}", "{bot}"},
	Shell:     "node {bot}",
	Uses:      regexp.MustCompile(`["']\./hexarena(\.js)?["']`),
	Imports:   regexp.MustCompile(`(?:\brequire\(\s*|\bfrom\s+|\bimport\s*\(?\s*)["']\./([^"']+)["']`),
	files:     javascriptFiles,
}
