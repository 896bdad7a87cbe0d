// Package prompt implements the operator's command line of a running server, as in netorcai:
// start, quit, and variables to print and set.
//
// It runs in the goroutine that calls [Prompt.Read] and uses the match only through the
// match's exported methods.
package prompt

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/machine/panics"
	"github.com/hexarena/hexarena/server/match"
)

// Variable is a setting that can be printed and set.
type Variable struct {
	config.Variable
	Get func(match.Settings) float64
	Set func(*match.Settings, float64)
}

// Prompt executes commands.
type Prompt struct {
	Match     func() *match.Match // returns the current match
	Variables []Variable
	Out       io.Writer
	Quit      func() // called once, by the command quit
	// Netorcai makes the prompt answer every line as the program netorcai does. Otherwise
	// variables may have the names of settings and be written with underscores, and unknown commands
	// are reported.
	Netorcai bool
	Log      zerolog.Logger
}

// maxLine is the most bytes of a line without its end, as in netorcai. Longer lines are
// ignored.
const maxLine = 64 << 10

// Read executes the lines of in until it ends or quit is read.
func (p *Prompt) Read(in io.Reader) {
	r := bufio.NewReaderSize(in, maxLine+len("\r\n"))
	for {
		line, err := r.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			for errors.Is(err, bufio.ErrBufferFull) {
				_, err = r.ReadSlice('\n')
			}
			continue
		}
		if quit := p.Do(string(line)); quit || err != nil {
			return
		}
	}
}

var (
	printSyntax = regexp.MustCompile(`\Aprint\s+(\S+)\z`)
	// The variable is as long as possible: in x==1 it is x=.
	setSyntax = regexp.MustCompile(`\Aset\s+(\S+)[\s=](\S+)\z`)
)

// Do executes one line and reports whether it was quit. Netorcai ignores lines that are not
// commands. A panic in a command is logged.
func (p *Prompt) Do(line string) (quit bool) {
	line = strings.TrimSpace(line)
	if caught := panics.Catch(func() { quit = p.do(line) }); caught != nil {
		p.Log.Error().Str("command", line).EmbedObject(caught).Msg("Command failed")
	}
	return quit
}

func (p *Prompt) do(line string) (quit bool) {
	switch {
	case line == "start":
		p.start()
	case line == "quit":
		p.Quit()
		return true
	case strings.HasPrefix(line, "start"):
		p.say("expected syntax: start")
	case strings.HasPrefix(line, "quit"):
		p.say("expected syntax: quit")
	case strings.HasPrefix(line, "print"):
		if m := printSyntax.FindStringSubmatch(line); m != nil {
			p.print(m[1])
		} else {
			p.say("expected syntax: print VARIABLE")
		}
	case strings.HasPrefix(line, "set"):
		if m := setSyntax.FindStringSubmatch(line); m != nil {
			p.set(m[1], m[2])
		} else {
			p.say("expected syntax: set VARIABLE=VALUE\n   (alt syntax): set VARIABLE VALUE")
		}
	case p.Netorcai || line == "":
	case line == "help":
		p.say("%s", help)
	default:
		word, _, _ := strings.Cut(line, " ")
		p.say("%s", unknownCommand(word))
	}
	return false
}

func (p *Prompt) say(format string, args ...any) {
	fmt.Fprintf(p.Out, format+"\n", args...)
}

func (p *Prompt) start() {
	switch err := p.Match().Start(); {
	case errors.Is(err, match.ErrNoReferee):
		p.say("Cannot start: Game logic not connected")
	case errors.Is(err, match.ErrNoPlayers):
		p.say("Cannot start: no player is connected")
	case err != nil:
		p.say("Game has already been started")
	}
}

// all stands for every variable in print.
const all = "all"

func (p *Prompt) print(name string) {
	settings, ok := p.Match().Settings()
	if !ok {
		return // the match is over, and the program is about to end
	}
	if name == all {
		for _, v := range p.Variables {
			p.say("%s=%s", v.Name, v.Format(v.Get(settings)))
		}
		return
	}
	if v := p.find(name); v != nil {
		p.say("%s=%s", v.Name, v.Format(v.Get(settings)))
		return
	}
	p.say("Bad VARIABLE=%s. Accepted values: %s", name, strings.Join(append(p.names(), all), " "))
}

func (p *Prompt) set(name, value string) {
	v := p.find(name)
	if v == nil {
		p.say("Bad VARIABLE=%s. Accepted values: %s", name, strings.Join(p.names(), " "))
		return
	}
	n, err := v.Parse(value)
	var out *config.RangeError
	switch {
	case errors.As(err, &out):
		p.say("Bad VALUE=%s: Not in [%s,%s]", out.Number, v.Format(v.Min), v.Format(v.Max))
		return
	case err != nil:
		p.say("Bad VALUE=%s. %v", value, p.unreadable(v, value, err))
		return
	}
	p.Match().Update(func(s *match.Settings) { v.Set(s, n) })
}

// unreadable returns the error for a value that is not a number: netorcai shows the error of
// Go's strconv.
func (p *Prompt) unreadable(v *Variable, value string, err error) error {
	if !p.Netorcai {
		return err
	}
	_, original := strconv.ParseFloat(value, 64)
	if v.Integer {
		_, original = strconv.ParseInt(value, 0, 64)
	}
	return cmp.Or(original, err) // netorcai accepts NaN as a number
}

// settingNames maps the names of settings to those of their variables, where these differ.
var settingNames = map[string]string{
	"turns": "nb-turns-max", "players": "nb-players-max", "special-players": "nb-splayers-max",
	"visualizations": "nb-visus-max",
}

func (p *Prompt) find(name string) *Variable {
	if !p.Netorcai {
		name = strings.ReplaceAll(name, "_", "-")
		name = cmp.Or(settingNames[name], name)
	}
	i := slices.IndexFunc(p.Variables, func(v Variable) bool { return v.Name == name })
	if i < 0 {
		return nil
	}
	return &p.Variables[i]
}

func (p *Prompt) names() []string {
	names := make([]string, len(p.Variables))
	for i, v := range p.Variables {
		names[i] = v.Name
	}
	return names
}
