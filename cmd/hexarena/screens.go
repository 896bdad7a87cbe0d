package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// showScreen gives a command a help that fits a screen. The text is written by hand, because a
// line for each flag that most people use needs shorter words than the table of settings has.
// --help-all shows the whole help.
func showScreen(cmd *cobra.Command, screen string) {
	whole := cmd.HelpFunc()
	cmd.SetHelpFunc(func(c *cobra.Command, args []string) {
		if c != cmd || c.Flags().Changed(helpAll) { // c may be a subcommand
			whole(c, args)
			return
		}
		fmt.Fprint(c.OutOrStdout(), screen)
	})
}

// playScreen returns the help of play.
func playScreen() string {
	return `Play one match on this machine and print the ranking.

Usage:
  hexarena play [SEAT…] [flags]

A SEAT is who plays. Without any, built-in bots take all seats of the map.
  ` + fmt.Sprintf("%-25s", strings.Join(gameList[0].BuiltinNames(), ", ")) + ` a built-in bot
  my_bot.py                 a bot's file; sources are built first
  my_bot.py@HEAD            the same file as git has it
  "./my_bot --port {port}"  a command line
  page                      a bot that is written on the page
  open                      any client that logs in
  wait                      a bot that you start yourself, as in a debugger
Started bots find the server by BOT_HOST and BOT_PORT in their environment.

Examples:
  hexarena play
  hexarena play my_bot.py painter --open
  hexarena play my_bot.py my_bot.py@HEAD --seed 7
  hexarena play my_bot.py random random --map pebble --watch
  hexarena play --game ` + gameList[1].Name + ` my_bot.py threat --tc 60+0.5

Flags:
  --game NAME       ` + gameNamesText() + `
  --map NAME        map, or file of one, see hexarena maps (default lagoon)
  --turns N         number of turns to play (default 100)
  --seed N          seed of all random choices (default random)
  --tps N           turns per second at most, 0 for no limit
  --turn-timeout T  time limit for an answer, 500ms or off (default 10s)
  --watch           play again whenever the file of a bot changes, until Ctrl-C
  --open            open the page of the match in a browser
  --record DIR      folder for recordings, empty for none (default recordings)
  --isolate         run started bots in containers, without network
  --strict          exit with 3 or 4 if a bot failed
  --json            print the result as JSON
  --config FILE     YAML file of settings
  --help-all        all of this in detail, and all other flags
`
}

// cupScreen returns the help of cup.
func cupScreen() string {
	return `Play many matches between bots and print how good they are, with errors.

Usage:
  hexarena cup OLD NEW           find out whether NEW is better
  hexarena cup SEAT SEAT…        compare all of these
  hexarena cup FOLDER            compare the bots in a folder
  hexarena cup --plan FILE       take bots, format and settings from a YAML file
  hexarena cup SEAT --exam FILE  find out which marks a bot reaches

A SEAT is a built-in bot (` + strings.Join(gameList[0].BuiltinNames(), ", ") + `), a file, a folder with a
bot, a file at a revision of git, or a command line in quotes. The same command
goes on where it was stopped; an edited bot begins another cup.

Examples:
  hexarena cup my_bot.py@HEAD my_bot.py
  hexarena cup my_bot.py painter hunter --count 1000
  hexarena cup submissions/ --until 95% --open

Flags:
  --format NAME     round-robin, gauntlet, swiss, knock-out, groups, ladder
  --count N         matches to play
  --until P         play until it is this certain which bot is best
  --maps NAMES      maps, separated by commas (default lagoon)
  --turns N         number of turns of a match (default 100)
  --seed N          seed of all random choices
  --turn-timeout T  time limit for an answer, 500ms or off (default 10s)
  --jobs N          matches to play at once
  --isolate         run started bots in containers, without network
  --out DIR         the cup's folder (default cups/NAME-DIGEST)
  --open            show the cup on a page in a browser
  --json, --csv     print the table in this form
  --help-all        all of this in detail, exit codes, and all other flags

hexarena cup show, why, replay, merge and export read cups that were played.
`
}

// gameNamesText lists the names of the games, of which the first is the default.
func gameNamesText() string {
	var names []string
	for _, g := range gameList {
		names = append(names, g.Name)
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last] + " (default " + names[0] + ")"
}
