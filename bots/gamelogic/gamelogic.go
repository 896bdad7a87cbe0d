// Package gamelogic holds a small game in several languages, each a program with the rules of an external
// game: what hexarena new --game-logic writes, to begin with.
package gamelogic

import (
	"embed"
	"path"
)

//go:embed logic.py logic.js logic.go
var files embed.FS

// Extensions are those of the files in which the game is there.
var Extensions = []string{".py", ".js", ".go"}

// Source returns the source of the game in the language of a file, which its extension names, or nil if hexarena has no game in that language.
func Source(file string) []byte {
	text, err := files.ReadFile("logic" + path.Ext(file))
	if err != nil {
		return nil
	}
	return text
}
