// Package script runs bots in JavaScript: the engine that this program brings along. A bot runs in
// a child process, which is this program once more with [Word] as its first argument. It speaks
// the metaprotocol on its standard input and output, as every bot with BOT_STDIO does.
//
// A script has the language, console, timers, TextEncoder, the kit and the files beside it that it
// names. It has no file, network, process or environment, and no clock but Date's. What it uses is
// bounded: memory, output, recursion, and the time of a turn, which the server ends by TURN_OVER.
//
// Three goroutines work in the child: one reads messages, one runs the script, and one watches
// the memory.
package script

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/hexarena/hexarena/bots/kits"
	"github.com/hexarena/hexarena/server/games"
)

// Word is the first argument by which this program starts itself to run a script.
const Word = "hexarena-javascript"

// DefaultMemory bounds a script of the user's own, in MiB: enough for a large table, and less than
// any machine has that people write bots on.
const DefaultMemory = 1024

// Serve makes this program the one that runs scripts without Node, with simulators of the games of
// a list. If it was started to run one, Serve does that and ends the program: it is called in init,
// since a script needs nothing of what main prepares.
func Serve(list games.List) {
	kits.Engine = Command
	if len(os.Args) > 1 && os.Args[1] == Word {
		os.Exit(run(list, os.Args[2:]))
	}
}

// Command returns the command line that runs a script with at most memory MiB; 0 stands for
// [DefaultMemory].
func Command(file string, memory int) ([]string, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	argv := []string{program, Word}
	if memory > 0 {
		argv = append(argv, "--memory", strconv.Itoa(memory))
	}
	return append(argv, file), nil
}

// run runs the script that the arguments name, and returns the exit code.
func run(list games.List, args []string) int {
	flags := flag.NewFlagSet(Word, flag.ContinueOnError)
	flags.SetOutput(os.Stderr)
	memory := flags.Int("memory", DefaultMemory, "the memory that the script may use, in `MiB`")
	if flags.Parse(args) != nil || flags.NArg() == 0 || *memory < 1 {
		fmt.Fprintf(os.Stderr, "usage: %s [--memory MIB] FILE [options of the kit], with BOT_STDIO=1\n",
			Word)
		return 2
	}
	s, err := parseSettings(flags.Args()[1:])
	if err != nil {
		return 2
	}
	b, err := load(flags.Arg(0), *memory, s, list)
	if err == nil {
		err = b.play()
	}
	switch failed := (*failure)(nil); {
	case err == nil:
		return 0
	case errors.As(err, &failed):
		fmt.Fprintln(os.Stderr, strings.TrimRight(failed.Error(), "\n"))
	default:
		fmt.Fprintf(os.Stderr, "hexarena: %v\n", err)
	}
	return 1
}

// failure is a mistake of the script or the end of a conversation, whose text is whole.
type failure struct{ text string }

func (f *failure) Error() string { return f.text }

func failf(format string, args ...any) error { return &failure{fmt.Sprintf(format, args...)} }
