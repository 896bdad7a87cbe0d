package seat

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/hexarena/hexarena/bots/kits"
	"github.com/hexarena/hexarena/config/textutil"
	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/access/nickname"
	"github.com/hexarena/hexarena/server/launch"
)

// Arguments that stand for a kind of seat.
const (
	PageArgument = "page"
	OpenArgument = "open"
	WaitArgument = "wait"   // WaitArgument:NAME is for a bot that logs in as NAME
	ModelPrefix  = "llm:"   // before the command of a program that answers text
	StdioPrefix  = "stdio:" // before the command of a bot that speaks on its standard input and output
)

// Known is what a command and its game say about seats.
type Known struct {
	Game string // the game's name, for errors

	// Builtin returns the built-in player of the game with a name, else an error that tells
	// which names there are. Nil stands for no names.
	Builtin func(name string, seed uint64) (netorcai.Bot, error)

	// HTTTX says that the game can be played over the HTTTX Bot API, so that bots can
	// be dialled.
	HTTTX bool

	Page bool // there is a page, so that bots can be written in it

	JS launch.JavaScript // what runs scripts
	// that a script may use which hexarena runs, in MiB; 0: the engine's default
	Memory   int
	Isolated bool // started bots run in containers

	// Refuse returns why the command cannot seat what was read, or nil. It may be nil.
	Refuse func(*Spec) error

	Locate Locator // nil: no seat is a folder, or files as git has them
}

// Locator returns the seat of a folder, or of a file or folder as git has it, such as
// my_bot.py@HEAD, and reports false for other arguments.
type Locator func(ctx context.Context, argument string, known Known) (s Spec, ok bool, err error)

// address matches what can only be meant as the address of a bot: a URL, or a host
// with a port.
var address = regexp.MustCompile(`^[a-z]+://|^(\[[0-9a-fA-F:]+\]|[A-Za-z0-9.-]+):[0-9]{1,5}$`)

// Parse reads one seat from each argument, and makes the labels unique. An argument is,
// in this order,
//
//   - the name of a built-in player,
//   - "page", for a bot that is written in the page,
//   - "open", for any client that logs in,
//   - "wait" or "wait:NAME", for a bot that the user starts, and that logs in as NAME,
//   - "stdio:" and one of the last three, for a bot that speaks on its standard input and
//     output,
//   - "llm:" and a file or a command line, for a program that answers text, such as a language
//     model,
//   - the address of a bot of the HTTTX Bot API: a URL or host:port,
//   - a folder, or a file or folder as git has it, such as my_bot.py@HEAD, if known has Locate,
//   - a file, which an interpreter runs if its extension has one,
//   - a command line, split as by a shell, whose first word is a program or such a file.
//
// The error names all other arguments, and those that are refused.
func Parse(ctx context.Context, arguments []string, known Known) ([]Spec, error) {
	p := parser{known: known}
	seats := make([]Spec, 0, len(arguments))
	var wrong []error
	for _, argument := range arguments {
		s, err := p.parse(ctx, argument)
		s.Argument = argument
		if err == nil && known.Refuse != nil {
			err = known.Refuse(&s)
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("seat %q: %w", argument, err))
		}
		seats = append(seats, s)
	}
	SetLabels(seats)
	return seats, errors.Join(wrong...)
}

// ParseLogic reads the argument that names the program of a game logic: "stdio:" and one of the
// others, a file or a command line, as [Parse] does.
func ParseLogic(ctx context.Context, argument string, locate Locator) (*Spec, error) {
	known := Known{Locate: locate, Refuse: func(s *Spec) error {
		if s.Kind != Process {
			return errors.New("a game logic is a file or a command line that is started")
		}
		return nil
	}}
	list, err := Parse(ctx, []string{argument}, known)
	if err != nil {
		return nil, err
	}
	return &list[0], nil
}

// parser reads the arguments of one command.
type parser struct {
	known  Known
	finder launch.Finder // remembers the interpreters that it found
}

func (p *parser) parse(ctx context.Context, argument string) (Spec, error) {
	unknown := errors.New("no built-in bot has this name")
	if p.known.Builtin != nil {
		_, unknown = p.known.Builtin(argument, 0)
	}
	switch {
	case unknown == nil:
		return Spec{Kind: Builtin, Builtin: argument, Label: argument}, nil
	case argument == PageArgument && !p.known.Page:
		return Spec{}, errors.New("without --http there is no page to write a bot in")
	case argument == PageArgument:
		return Spec{Kind: Page, Label: argument}, nil
	case argument == OpenArgument:
		return Spec{Kind: Open, Label: argument}, nil
	case argument == WaitArgument:
		return Spec{Kind: Wait, Label: argument}, nil
	case strings.HasPrefix(argument, WaitArgument+":"):
		return waiting(strings.TrimPrefix(argument, WaitArgument+":"))
	case strings.HasPrefix(argument, StdioPrefix):
		return p.stdio(ctx, strings.TrimPrefix(argument, StdioPrefix))
	case strings.HasPrefix(argument, ModelPrefix):
		return p.model(ctx, strings.TrimPrefix(argument, ModelPrefix))
	case address.MatchString(argument):
		return p.dialled(argument)
	}
	return p.command(ctx, argument, unknown)
}

// waiting returns the seat of a bot that the user starts, and that logs in with a name.
func waiting(name string) (Spec, error) {
	if !netorcai.ValidNickname(name) {
		return Spec{}, fmt.Errorf("%q is not a nickname: want 1 to %d characters without white space; "+
			"name one, or write %q for any", name, maxNickname, WaitArgument)
	}
	if err := nickname.Check(name); err != nil {
		return Spec{}, err
	}
	return Spec{Kind: Wait, Name: name, Label: name}, nil
}

// stdio returns the seat of a command that speaks on its standard input and output.
func (p *parser) stdio(ctx context.Context, command string) (Spec, error) {
	if strings.TrimSpace(command) == "" {
		return Spec{}, fmt.Errorf(`it names no command; write one, as in "%spython3 my_bot.py"`,
			StdioPrefix)
	}
	s, err := p.command(ctx, command,
		fmt.Errorf("a built-in bot has no %q before its name", StdioPrefix))
	s.Stdio = true
	if err == nil && s.mentions("{port}", "{host}") {
		err = errors.New(
			"a bot on standard input and output gets no {host} and {port}; leave them out of the command")
	}
	return s, err
}

// model returns the seat of a program that answers text: this program asks it in each turn.
func (p *parser) model(ctx context.Context, command string) (Spec, error) {
	if strings.TrimSpace(command) == "" {
		return Spec{}, fmt.Errorf(`it names no command; write one, as in "%spython3 my_model.py"`,
			ModelPrefix)
	}
	if p.known.Isolated {
		return Spec{}, errors.New("--isolate: a container has neither hexarena, which asks the " +
			"program, nor a network to reach a language model; leave --isolate or this seat out")
	}
	s, err := p.command(ctx, command,
		fmt.Errorf("a built-in bot has no %q before its name", ModelPrefix))
	if err == nil && s.Stdio {
		err = errors.New("hexarena itself would run the script, which can read no text; give a command " +
			"that does, such as node and the script")
	}
	if err != nil {
		return Spec{}, err
	}
	self, err := os.Executable()
	s.Argv = append([]string{self, "llm"}, s.Argv...)
	return s, err
}

// dialled returns the seat of a bot at an address.
func (p *parser) dialled(argument string) (Spec, error) {
	if !p.known.HTTTX {
		return Spec{}, fmt.Errorf("it is the address of a bot of the HTTTX Bot API, over which %s "+
			"cannot be played; name %q for a bot that logs in here", p.known.Game, OpenArgument)
	}
	if _, err := htttx.CapabilitiesURL(argument); err != nil {
		return Spec{}, err
	}
	return Spec{Kind: Address, URL: argument, Label: argument}, nil
}

// command returns the seat of a file or a command line. unknown tells that the argument
// is no built-in player either.
func (p *parser) command(ctx context.Context, argument string, unknown error) (Spec, error) {
	if p.known.Locate != nil {
		if s, ok, err := p.known.Locate(ctx, argument, p.known); ok {
			s.Label = cut(s.Label, maxLabel)
			return s, err
		}
	}
	words := []string{argument}
	if _, err := os.Stat(argument); err != nil {
		if words, err = launch.Split(argument); err != nil {
			return Spec{}, err
		}
	}
	if len(words) == 0 {
		return Spec{}, errors.New("it is empty")
	}
	p.finder.JS, p.finder.Memory = p.known.JS, p.known.Memory
	run, err := p.resolve(ctx, words)
	if errors.Is(err, fs.ErrNotExist) {
		switch {
		case isPath(words[0]):
			err = fmt.Errorf("there is no file %s%s", words[0], meantFile(words[0]))
		case len(words) > 1:
			err = fmt.Errorf("there is no program %s", words[0])
		default:
			err = fmt.Errorf("it is neither a file nor a program, and %w%s", unknown, meantFile(words[0]))
		}
	}
	if err != nil {
		return Spec{}, err
	}
	return Spec{
		Kind:        Process,
		Argv:        append(run.Argv, words[1:]...),
		Interpreter: run.Note,
		Stdio:       run.Stdio,
		Script:      run.Script,
		Label:       commandLabel(words),
	}, nil
}

// typos is the largest edit distance at which a file is taken for the one that was meant.
const typos = 2

// meantFile returns a question for the file in this folder that a misspelt word may mean, or "".
func meantFile(word string) string {
	var names []string
	entries, _ := os.ReadDir(".") // without a list there is no suggestion
	for _, e := range entries {
		if e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	name, distance := textutil.Nearest(word, names)
	if name == "" || distance > typos || distance >= len(word) {
		return ""
	}
	return "; or did you mean the file " + name + "?"
}

// resolve returns how to run the first of the words: as a file or, as in a shell, as a
// program in PATH. In a command line of several words, a program takes precedence.
func (p *parser) resolve(ctx context.Context, words []string) (launch.Runner, error) {
	info, err := os.Stat(words[0])
	isFile := err == nil && !info.IsDir()
	if _, err := exec.LookPath(words[0]); err == nil && !isPath(words[0]) &&
		(len(words) > 1 || !isFile) {
		return launch.Runner{Argv: words[:1:1]}, nil
	}
	return p.finder.Find(ctx, words[0])
}

// isPath reports whether a word can only be meant as a file.
func isPath(word string) bool { return isScript(word) || strings.ContainsAny(word, `/\`) }

// isScript reports whether a word is named like a file that an interpreter runs, or that is
// compiled.
func isScript(word string) bool {
	if kits.Of(word) != nil {
		return true
	}
	switch strings.ToLower(filepath.Ext(word)) {
	case ".mjs", ".cjs", ".jar":
		return true
	}
	return false
}
