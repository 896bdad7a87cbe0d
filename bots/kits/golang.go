package kits

import (
	"embed"
	"regexp"
)

//go:embed go/hexarena.go go/hexabomb.go go/bot.go go/look_ahead.go
var goFiles embed.FS

var golang = Kit{
	Language: "Go", Folder: "go", Extension: ".go", Library: []string{"hexarena.go", "hexabomb.go"},
	OfGame:    map[string]string{"hexabomb.go": "hexabomb"},
	Starters:  map[string]string{"hexabomb": "bot.go"},
	LookAhead: map[string]string{"hexabomb": "look_ahead.go"}, Vectors: "vectors.go",
	Tools: []string{"go"}, Advice: "install Go with your system's packages or from https://go.dev",
	Build: []string{"{tool}", "-C", "{dir}", "build", "-o", "{program}", "{files}"},
	Run:   []string{"{program}"},
	Shell: "go run {bot} hexarena.go hexabomb.go",
	// in a comment: files of a package do not name each other
	Uses:  regexp.MustCompile(`\bhexarena\.go\b`),
	files: goFiles,
}
