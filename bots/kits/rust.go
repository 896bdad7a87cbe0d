package kits

import (
	"embed"
	"regexp"
)

//go:embed rust/hexarena.rs rust/hexabomb.rs rust/bot.rs rust/look_ahead.rs
var rustFiles embed.FS

var rust = Kit{
	Language: "Rust", Folder: "rust", Extension: ".rs",
	Library:   []string{"hexarena.rs", "hexabomb.rs"},
	OfGame:    map[string]string{"hexabomb.rs": "hexabomb"},
	Starters:  map[string]string{"hexabomb": "bot.rs"},
	LookAhead: map[string]string{"hexabomb": "look_ahead.rs"}, Vectors: "vectors.rs",
	Tools: []string{"rustc"},
	Advice: "install Rust with your system's packages, such as Debian's rustc, or from " +
		"https://rustup.rs",
	Build:   []string{"{tool}", "--edition", "2021", "-O", "-o", "{program}", "{bot}"},
	Run:     []string{"{program}"},
	Shell:   "rustc -O --edition 2021 {bot} && ./{name}",
	Uses:    regexp.MustCompile(`(?m)^\s*mod\s+hexarena\s*;`),
	Imports: regexp.MustCompile(`(?m)^\s*(?:pub\s+)?mod\s+(\w+)\s*;`),
	files:   rustFiles,
}
