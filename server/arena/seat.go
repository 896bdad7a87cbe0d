package arena

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/hexarena/hexarena/server/launch"
)

// Seat is who is to play a seat: a built-in bot, a command, or a bot that somebody
// writes in the page.
type Seat struct {
	Argument    string   // as the user gave it
	Label       string   // short and unique
	Builtin     string   // a built-in bot's name, or
	Page        bool     // whoever comes over WebSocket, or
	Argv        []string // a command, in which {host}, {port}, {nickname} and {seed} are replaced
	Interpreter string   // what was found to run it, such as "python3 (Python 3.12.4)"
	Special     bool     // of a special player
	Seed        uint64   // of the bot, drawn from the match's by New
}

// takesPort says whether the command is told the port by its words.
func (s *Seat) takesPort() bool {
	for _, word := range s.Argv {
		if strings.Contains(word, "{port}") {
			return true
		}
	}
	return false
}

// by says what runs the seat's bot.
func (s *Seat) by() string {
	if s.Interpreter == "" {
		return ""
	}
	return " with " + s.Interpreter
}

// PageSeat is the argument for a bot that is written in the page.
const PageSeat = "page"

// ParseSeats makes seats of arguments. Each is a built-in bot's name, [PageSeat], a
// file or a command line. The error tells of all arguments that are none of these.
func ParseSeats(ctx context.Context, arguments []string, builtin Builtin) ([]Seat, error) {
	var finder launch.Finder
	var seats []Seat
	var wrong []error
	for _, argument := range arguments {
		s, err := parseSeat(ctx, argument, builtin, &finder)
		if err != nil {
			wrong = append(wrong, fmt.Errorf("seat %q: %w", argument, err))
		}
		s.Argument = argument
		seats = append(seats, s)
	}
	return seats, errors.Join(wrong...)
}

func parseSeat(ctx context.Context, argument string, builtin Builtin, finder *launch.Finder) (Seat, error) {
	_, unknown := builtin(argument, 0)
	if unknown == nil {
		return Seat{Builtin: argument, Label: argument}, nil
	}
	if argument == PageSeat {
		return Seat{Page: true, Label: argument}, nil
	}
	words := []string{argument}
	if _, err := os.Stat(argument); err != nil {
		if words, err = launch.Split(argument); err != nil {
			return Seat{}, err
		}
	}
	if len(words) == 0 {
		return Seat{}, errors.New("it is empty")
	}
	run, err := resolve(ctx, words, finder)
	if errors.Is(err, fs.ErrNotExist) {
		switch {
		case isPath(words[0]):
			err = fmt.Errorf("there is no file %s", words[0])
		case len(words) > 1:
			err = fmt.Errorf("there is no program %s", words[0])
		default:
			err = fmt.Errorf("it is neither a file nor a program, and %w", unknown)
		}
	}
	if err != nil {
		return Seat{}, err
	}
	return Seat{
		Argv:        append(run.Argv, words[1:]...),
		Interpreter: run.Note,
		Label:       commandLabel(words),
	}, nil
}

// resolve finds out how to run the first of these words: as a file or, as in a
// shell, as a program in PATH. In a command line of several words, the program
// comes first.
func resolve(ctx context.Context, words []string, finder *launch.Finder) (launch.Runner, error) {
	info, err := os.Stat(words[0])
	isFile := err == nil && !info.IsDir()
	if _, err := exec.LookPath(words[0]); err == nil && !isPath(words[0]) && (len(words) > 1 || !isFile) {
		return launch.Runner{Argv: words[:1:1]}, nil
	}
	return finder.Find(ctx, words[0])
}

// isPath says whether a word can only be meant as a file.
func isPath(word string) bool { return isScript(word) || strings.ContainsAny(word, `/\`) }

// isScript says whether a word is named like what an interpreter runs.
func isScript(word string) bool {
	switch strings.ToLower(filepath.Ext(word)) {
	case ".py", ".js", ".mjs", ".cjs", ".jar":
		return true
	}
	return false
}

// Sources are the files that change when somebody works on the seat's bot: the
// program or, of what an interpreter runs, the script. There are none of a bot
// in this process.
func (s *Seat) Sources() (files []string) {
	if s.Argv == nil {
		return nil
	}
	program := s.Argv[0]
	if strings.ContainsAny(program, `/\`) {
		files = append(files, program)
	}
	for _, word := range s.Argv[1:] {
		if info, err := os.Stat(word); err == nil && info.Mode().IsRegular() && (len(files) == 0 || isScript(word)) {
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
