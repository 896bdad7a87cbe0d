package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/hexarena/hexarena/server/event"
	"github.com/hexarena/hexarena/server/event/rounds"
	"github.com/hexarena/hexarena/server/event/state"
	"github.com/hexarena/hexarena/server/machine/panics"
)

// readEventCommands executes the commands of the operator, one on a line, in a goroutine that ends
// with its input, which may last as long as the process.
func readEventCommands(
	in io.Reader, out io.Writer, e *event.Event, rounds *rounds.Rounds, quit func(),
) {
	read := func() {
		for lines := bufio.NewScanner(in); lines.Scan(); {
			words := strings.Fields(lines.Text())
			if len(words) == 0 {
				continue
			}
			if words[0] == "quit" {
				quit()
			} else if err := operateEvent(out, e, rounds, words[0], words[1:]); err != nil {
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
func operateEvent(
	out io.Writer, e *event.Event, rounds *rounds.Rounds, name string, words []string,
) error {
	switch {
	case name == "deadline" && len(words) == 1:
		in, err := time.ParseDuration(words[0])
		if words[0] == "off" {
			in, err = 0, nil
		}
		if err != nil {
			return fmt.Errorf("deadline %.20s: want the time until then, such as 30m, or off", words[0])
		}
		return e.SetDeadline(in)
	case name == "forget" && len(words) > 0:
		return forgetRunning(out, e, rounds, strings.Join(words, " "))
	case name == "final":
		return operateFinal(e, words)
	case len(words) > 0:
	case name == "round":
		rounds.BeginNow()
		return nil
	case name == "pause", name == "resume":
		return e.Note(&state.RoundsPaused{On: name == "pause"})
	case name == "freeze":
		return rounds.Freeze()
	case name == "thaw":
		return e.Do((*state.State).Thaw)
	}
	return fmt.Errorf("there is no command %.40q: type round, pause, resume, deadline TIME, freeze, "+
		"thaw, final FORMAT, forget TEAM or quit", strings.Join(append([]string{name}, words...), " "))
}

// operateFinal begins a final, or takes it back: its words are the format, the number of teams and
// that of the matches of each table.
func operateFinal(e *event.Event, words []string) error {
	if len(words) == 1 && words[0] == "off" {
		return e.Do((*state.State).EndFinal)
	}
	var numbers [2]int
	wrong := len(words) < 1 || len(words) > 3
	for i := 1; i < len(words) && !wrong; i++ {
		n, err := strconv.Atoi(words[i])
		numbers[i-1], wrong = n, err != nil
	}
	if wrong {
		return errors.New("final: want knockout or groups, the number of teams, and how many matches " +
			"each table plays, such as final knockout 8 3; or final off")
	}
	return e.StartFinal(words[0], numbers[0], numbers[1])
}
