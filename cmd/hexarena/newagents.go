package main

import (
	_ "embed"
	"os"
	"path/filepath"
	"strings"

	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/launch"
)

// agentsTemplate is what an agent that writes a bot needs to know.
//
//go:embed agents.md
var agentsTemplate string

// agentsName is the file that programs that write programs look for.
const agentsName = "AGENTS.md"

// agentsFile returns the file for agents beside a bot, which play lets play.
func agentsFile(g *games.Game, bot string, play []string) newFile {
	flag := ""
	if g != gameList[0] {
		flag = " --game " + g.Name
	}
	base := filepath.Base(bot)
	words := append([]string(nil), play...)
	for i, word := range words {
		if word == bot {
			words[i] = base
		}
	}
	text := strings.NewReplacer("{BOT}", launch.Quote([]string{base}), "{RULES}", g.Brief,
		"{GAME}", flag, "{PLAY}", launch.Quote(words)).Replace(agentsTemplate)
	return newFile{filepath.Join(filepath.Dir(bot), agentsName), []byte(text)}
}

// fileExists reports whether there is a file of that name.
func fileExists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}
