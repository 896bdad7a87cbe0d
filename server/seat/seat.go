// Package seat describes who plays a seat of a match: [Parse] reads descriptions
// from the arguments of a command, and subpackages seat players of each kind.
package seat

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/hexarena/hexarena/server/launch"
)

// Kind says what plays a seat, and over which wire.
type Kind uint8

// The kinds of seats.
const (
	Builtin Kind = iota // a player of this program, called in this process
	Process             // a file or command that is started on this machine
	Page                // a bot written in the page, which logs in over WebSocket
	Address             // a bot of the HTTTX Bot API, which is dialled
	Open                // any client that logs in
	Wait                // a bot that the user starts, and that logs in
)

// Spec describes what plays one seat.
type Spec struct {
	Argument string // as the user gave it
	Label    string // short, printable and unique within a match; see [SetLabels]
	Kind     Kind   // which of the fields below are set
	Builtin  string // of a [Builtin]: its name
	// of a [Process]: the command, in which placeholders are replaced when it is started
	Argv []string
	// of a [Process]: what runs its file, such as "python3 (Python 3.12.4)"; empty: the system
	Interpreter string
	Script      launch.JavaScript // of a [Process] that is a script: what runs it
	Stdio       bool              // of a [Process]: it speaks on its standard input and output
	// of a [Process]: it is started for each match, although it asks to stay
	OneMatch bool
	// of a [Process]: its files are copies of what git has; see [Known]
	AsOf bool
	// of a [Process]: the processors that it may use, as launch.Command has them; empty: all
	Cores []int
	// of a [Process]: the file for all that it prints; empty: one in the folder for logs
	Log  string
	Name string // of a [Wait]: the nickname that the bot logs in with; empty: any
	// of a [Wait]: what the bot's token stands for, in place of its Name; empty: any
	Key      string
	URL      string // of an [Address]: where the bot listens, with or without a scheme
	Special  bool   // whether the seat is for a special player
	Seed     uint64 // of the player's random choices; 0: drawn from the match's seed
	HashSeed uint32 // of a [Process]: of its hash functions, as process.Bot has it
}

// seedStream is the stream of random numbers that seats' seeds are drawn from. It is far
// from those of the match itself.
const seedStream = 1 << 62

// Seed returns the seed of the player in the seat at an index, from 0, which is drawn from the
// match's. It has 32 bits: a number that every language can read.
func Seed(match uint64, index int) uint64 {
	return rand.New(rand.NewPCG(match, seedStream+uint64(index))).Uint64() >> 32
}

// Place returns where the seat's bot runs, if it is a [Process]. containers reports whether bots
// are isolated in containers.
func (s *Spec) Place(containers bool) launch.Place { return launch.PlaceOf(s.Script, containers) }

// UsesPort reports whether the command has the placeholder {port}.
func (s *Spec) UsesPort() bool { return s.mentions("{port}") }

// mentions reports whether the command has one of some placeholders.
func (s *Spec) mentions(placeholders ...string) bool {
	return slices.ContainsFunc(s.Argv, func(word string) bool {
		return slices.ContainsFunc(placeholders, func(p string) bool { return strings.Contains(word, p) })
	})
}

// Sources returns the files that change when the seat's bot is edited: the program or, if an
// interpreter runs it, the script. Only a [Process] has any, but none whose files are as git has
// them.
func (s *Spec) Sources() (files []string) {
	if len(s.Argv) == 0 || s.AsOf {
		return nil
	}
	program := s.Argv[0]
	if strings.ContainsAny(program, `/\`) {
		files = append(files, program)
	}
	for _, word := range s.Argv[1:] {
		if info, err := os.Stat(word); err == nil && info.Mode().IsRegular() &&
			(len(files) == 0 || isScript(word)) {
			return append(files, word)
		}
	}
	if len(files) == 0 {
		if path, err := exec.LookPath(program); err == nil {
			files = append(files, path)
		}
	}
	return files
}
