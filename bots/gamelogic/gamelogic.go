// Package gamelogic holds a small game in several languages, each a program with the rules of an
// external game and a bot: what hexarena new --game-logic writes, to begin with.
package gamelogic

import (
	"bytes"
	"embed"
	"path/filepath"
)

//go:embed logic.py logic.js logic.go claimer.py claimer.js claimer.go
var files embed.FS

// Extensions are those of the files in which the game is there.
var Extensions = []string{".py", ".js", ".go"}

// Source returns the source of the game in the language of a file, which its extension names, or
// nil if hexarena has no game in that language.
func Source(file string) []byte { return read("logic", file) }

// Bot returns the name of a bot that plays the game of a file, in the same language and folder, and
// its source.
func Bot(file string) (name string, source []byte) {
	return filepath.Join(filepath.Dir(file), "claimer"+filepath.Ext(file)), read("claimer", file)
}

// read returns the source of a game or of its bot for a game's file, with the name of that file in
// the comments.
func read(stem, file string) []byte {
	extension := filepath.Ext(file)
	text, err := files.ReadFile(stem + extension)
	if err != nil {
		return nil
	}
	return bytes.ReplaceAll(text, []byte("logic"+extension), []byte(filepath.Base(file)))
}
