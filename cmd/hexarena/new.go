package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/bots/gamelogic"
	"github.com/hexarena/hexarena/bots/kits"
	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/launch"
)

func newNew() *cobra.Command {
	var game string
	var logic, agents, learning, ahead bool
	var out *output
	cmd := &cobra.Command{
		Use:   "new FILE",
		Short: "Write a starter bot to begin with",
		Long: `Write a starter bot, and beside it the kit that it uses, which speaks the protocol. Neither needs
packages. The extension chooses the language: ` + languages(kits.All) + `. docs/player.md walks
through the bot in Python.`,
		Example: "  hexarena new my_bot.py\n  hexarena new bots/Crusher.java\n  hexarena new " +
			"--game-logic my_game.py",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if learning {
				return newLearning(out, args[0])
			}
			if logic {
				written, err := writeLogic(args[0])
				if err == nil {
					bot, _ := gamelogic.Bot(args[0])
					return tellWritten(out, written, "Let the bot play the game", []string{
						"hexarena", "play", "--game", "external", "--logic", args[0], bot, bot,
					})
				}
				return err
			}
			g, err := withStarter(game)
			if err != nil {
				return err
			}
			words := []string{"hexarena", "play"}
			if g != gameList[0] {
				words = append(words, "--game", g.Name)
			}
			words = append(append(words, args[0]), strings.Fields(g.StarterSeats)...)
			var more []newFile
			if agents {
				if beside := filepath.Join(filepath.Dir(args[0]), agentsName); fileExists(beside) {
					return usageErrorf("--agents: %s exists already and is left as it is; leave it out",
						beside)
				}
				more = append(more, agentsFile(g, args[0], words))
			}
			starter := (*kits.Kit).Starter
			if ahead {
				starter = (*kits.Kit).LookingAhead
			}
			written, err := writeStarter(g, args[0], starter, more...)
			if err != nil {
				return err
			}
			return tellWritten(out, written, "Let it play", words)
		},
	}
	out = addOutput(cmd)
	names := starterGames()
	cmd.Flags().BoolVar(&logic, "game-logic", false,
		"write a small game, and a bot for it: "+strings.Join(gamelogic.Extensions, ", "))
	cmd.Flags().BoolVar(&learning, "learn", false,
		"write a Python program that trains a bot for "+gameList[0].Name+", the bot, and what both use")
	cmd.Flags().StringVar(&game, "game", names[0], "what the bot plays: "+strings.Join(names, " or "))
	cmd.Flags().BoolVar(&agents, "agents", false,
		"write "+agentsName+" as well, for a program that works on the bot")
	cmd.Flags().BoolVar(&ahead, "look-ahead", false,
		"write a starter for "+gameList[0].Name+" that tries out what its bombs lead to, and beats the "+
			"usual one")
	cmd.MarkFlagsMutuallyExclusive("game", "game-logic", "learn")
	cmd.MarkFlagsMutuallyExclusive("agents", "game-logic", "learn")
	cmd.MarkFlagsMutuallyExclusive("look-ahead", "game-logic", "learn")
	completeWords(cmd, "game", names)
	return cmd
}

// tellWritten prints which files were written, and the command lines that are next.
func tellWritten(out *output, written []string, next string, lines ...[]string) error {
	text := ""
	for _, words := range lines {
		text += "    " + launch.Quote(words) + "\n"
	}
	return out.print(struct {
		Written []string   `json:"written"`
		Next    [][]string `json:"next"` // the words of each command line
	}{written, lines}, "Wrote %s. %s:\n\n%s", enumeration(written), next, text)
}

// enumeration returns names as a sentence has them: one, two and three.
func enumeration(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// languages lists the extensions and the languages of kits, such as ".py for Python".
func languages(list []*kits.Kit) string {
	var all []string
	for _, k := range list {
		all = append(all, k.Extension+" for "+k.Language)
	}
	return strings.Join(all, ", ")
}

// extensions lists the extensions of kits, such as ".py, .js".
func extensions() string {
	var all []string
	for _, k := range kits.All {
		all = append(all, k.Extension)
	}
	return strings.Join(all, ", ")
}

// starterGames returns the names of the games that have a starter.
func starterGames() (names []string) {
	for _, g := range gameList.That(func(g *games.Game) bool { return len(kits.With(g.Name)) > 0 }) {
		names = append(names, g.Name)
	}
	return names
}

// withStarter returns the game of that name if it has a starter.
func withStarter(name string) (*games.Game, error) {
	names := starterGames()
	for _, with := range names {
		if with == name {
			return gameList.Find(name), nil
		}
	}
	return nil, usage(
		fmt.Errorf("--game %s: there is no starter for it; choose %s%s (docs/add-a-game.md: how a game "+
			"gets starters)", name,
			strings.Join(names, " or "), config.Suggest("; the nearest is ", name, names)),
	)
}

// className matches the names that Java's classes may have, but for its keywords, which begin with
// a lower-case letter.
var className = regexp.MustCompile(`^[A-Z][A-Za-z0-9_]*$`)

// writeStarter writes the starter of a game to a file, with its kit and more files beside it, and
// returns the names of the files that it has written. starterOf returns the starter, or nil.
func writeStarter(
	g *games.Game, name string, starterOf func(k *kits.Kit, game, file string) []byte, more ...newFile,
) (written []string, err error) {
	k := kits.Of(name)
	switch {
	case kits.IsLibrary(name):
		return nil, usage(
			fmt.Errorf("%q is the name of the kit that the bot uses; choose another name", name))
	case k == nil:
		return nil, usage(
			fmt.Errorf("%q: give it a name whose extension says its language: %s", name,
				languages(kits.With(g.Name))),
		)
	case k.ClassOfFile && !className.MatchString(strings.TrimSuffix(filepath.Base(name), k.Extension)):
		return nil, usage(
			fmt.Errorf("%q: a class has the name of its file: choose letters, digits and underscores, "+
				"beginning with a capital letter, such as Crusher%s", name, k.Extension),
		)
	}
	starter := starterOf(k, g.Name, name)
	if starter == nil && len(k.Starters[g.Name]) > 0 {
		return nil, usageErrorf("--look-ahead: there is no such starter for %s; leave it out", g.Name)
	}
	if starter == nil {
		return nil, usage(
			fmt.Errorf("%q: there is no starter for %s in %s; choose %s", name, g.Name, k.Language,
				languages(kits.With(g.Name))),
		)
	}
	if ignore := filepath.Join(filepath.Dir(name), ".gitignore"); !fileExists(ignore) {
		more = append(more, newFile{ignore, []byte(ignored)})
	}
	return writeWithKit(k, g.Name, append([]newFile{{name, starter}}, more...)...)
}

// ignored is what git leaves out of a folder of bots: what play and cup write, and Python.
const ignored = `/bot-logs/
/cups/
/recordings/
__pycache__/
`

// newFile is a file that is to be written.
type newFile struct {
	name    string
	content []byte
}

// writeWithKit writes files, with the kit that bots of a game, or of any without a name, need
// beside the first, and returns the names of all that it has written. After an error it leaves
// none.
func writeWithKit(k *kits.Kit, game string, list ...newFile) (written []string, err error) {
	files := newFiles{}
	defer func() {
		if err != nil {
			err = errors.Join(err, files.remove())
		}
	}()
	for _, library := range k.LibraryOf(game) {
		path := filepath.Join(filepath.Dir(list[0].name), library)
		if err := files.writeKit(path, k.File(library)); err != nil {
			return nil, err
		}
	}
	for _, f := range list {
		err = files.write(f.name, f.content)
		if errors.Is(err, fs.ErrExist) {
			return nil, fmt.Errorf("%s exists already and is left as it is; choose another name or folder",
				f.name)
		}
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

// newFiles are the names of files that were written, none of which existed.
type newFiles []string

// write writes a file, which must not exist. One that says what runs it may be run.
func (n *newFiles) write(name string, content []byte) error {
	mode := fs.FileMode(0o666)
	if bytes.HasPrefix(content, []byte("#!")) {
		mode = 0o777
	}
	err := writeNew(name, content, mode)
	if err == nil {
		*n = append(*n, name)
	}
	return err
}

// writeKit writes a file of a kit unless it is there.
func (n *newFiles) writeKit(name string, content []byte) error {
	err := n.write(name, content)
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	there, err := os.ReadFile(name)
	if err == nil && !bytes.Equal(there, content) {
		err = fmt.Errorf("%s exists already and is not the kit of this hexarena, which the bot needs: "+
			"move it away, or write the bot to another folder", name)
	}
	return err
}

// remove removes the files.
func (n newFiles) remove() error {
	var wrong []error
	for _, name := range n {
		wrong = append(wrong, os.Remove(name))
	}
	return errors.Join(wrong...)
}

// writeNew writes a file, which must not exist. It removes a file that it cannot write whole.
func writeNew(name string, content []byte, mode fs.FileMode) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no folder %s; make it first, or name another one", filepath.Dir(name))
	case err != nil:
		return err
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Close()); err != nil {
		err = errors.Join(err, os.Remove(name))
	}
	return err
}

// writeLogic writes a game logic to begin with, and beside it a bot with its kit. It returns the
// names of the files that it has written.
func writeLogic(name string) (written []string, err error) {
	source := gamelogic.Source(name)
	bot, botSource := gamelogic.Bot(name)
	switch {
	case source == nil:
		return nil, usage(
			fmt.Errorf("%q: give it a name whose extension says its language: %s", name,
				strings.Join(gamelogic.Extensions, ", ")),
		)
	case kits.IsLibrary(name), filepath.Clean(name) == bot:
		return nil, usage(
			fmt.Errorf("%q is the name of a file that is written beside the game; choose another name",
				name),
		)
	}
	return writeWithKit(kits.Of(name), "", newFile{name, source}, newFile{bot, botSource})
}
