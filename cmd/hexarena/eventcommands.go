package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/hexarena/hexarena/server/event"
	"github.com/hexarena/hexarena/server/panics"
)

// readEventCommands executes the commands of the operator, one on a line, in a goroutine that ends with its input, which may
// last as long as the process.
func readEventCommands(in io.Reader, out io.Writer, e *event.Event, rounds *event.Rounds, quit func()) {
	read := func() {
		for lines := bufio.NewScanner(in); lines.Scan(); {
			words := strings.Fields(lines.Text())
			if len(words) == 0 {
				continue
			}
			if words[0] == "quit" {
				quit()
			} else if err := operateEvent(e, rounds, words[0], words[1:]); err != nil {
				fmt.Fprintln(out, err)
			}
		}
	}
	go func() {
		if p := panics.Catch(read); p != nil {
			fmt.Fprintln(out, "no more commands are read:", p)
		}
	}()
}

// operateEvent executes a command of the operator.
func operateEvent(e *event.Event, rounds *event.Rounds, name string, words []string) error {
	switch {
	case name == "deadline" && len(words) == 1:
		in, err := time.ParseDuration(words[0])
		if words[0] == "off" {
			in, err = 0, nil
		}
		if err != nil {
			return fmt.Errorf("deadline %.20s: want the time until then, such as 30m, or off", words[0])
		}
		return e.Announce(in)
	case len(words) > 0:
	case name == "round":
		rounds.BeginNow()
		return nil
	case name == "pause", name == "resume":
		return e.Pause(name == "pause")
	case name == "freeze":
		return rounds.Freeze()
	case name == "thaw":
		return e.Thaw()
	}
	return fmt.Errorf("there is no command %.40q: type round, pause, resume, deadline TIME, freeze, thaw or quit", strings.Join(append([]string{name}, words...), " "))
}
