package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/recording"
)

// gameNames matches the names of the games that have an entry.
var gameNames = regexp.MustCompile(`(?i)hexabomb|hex_?tic_?tac_?toe|tic-?tac-?toe`)

// nameGames are the files of cmd and server that may name a game. Names end in / to
// include all files below.
var nameGames = map[string]string{
	"server/games/":     "the entries",
	"server/botapi/":    "the wire of one game",
	"server/hivemaker/": "serves Hivemaker's interface, of the same game",

	"cmd/hexarena/games.go":    "the list",
	"cmd/hexarena/hexabomb.go": "the program hexabomb",
	"cmd/hexarena/main.go":     "calls that program",
	"cmd/hexarena/install.go":  "puts that program in place",
}

// TestGamesAreNamedInTheirEntries checks that only a game's entry depends on the game, so
// that a game is a package, an entry and a line of the list.
func TestGamesAreNamedInTheirEntries(t *testing.T) {
	thorough.Long(t)
	root := filepath.Join("..", "..")
	seen := map[string]bool{}
	for _, dir := range []string{"cmd", "server"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".go" ||
				strings.HasSuffix(path, "_test.go") {
				return err
			}
			name, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			name = filepath.ToSlash(name)
			text, err := os.ReadFile(path)
			if err != nil || !gameNames.MatchString(name) && !gameNames.Match(text) {
				return err
			}
			for allowed := range nameGames {
				if covers(allowed, name) {
					seen[allowed] = true
					return nil
				}
			}
			for n, line := range strings.Split(string(text), "\n") {
				if gameNames.MatchString(line) {
					t.Errorf("%s:%d names a game: %s", name, n+1, strings.TrimSpace(line))
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for allowed := range nameGames {
		if !seen[allowed] {
			t.Errorf("%s names no game any more: remove it from the list", allowed)
		}
	}
	for _, g := range gameList {
		if len(g.Rules) > 0 && g.Rules[0] != recording.External && !gameNames.MatchString(g.Name) {
			t.Errorf("the test does not know the name %s", g.Name)
		}
	}
}
