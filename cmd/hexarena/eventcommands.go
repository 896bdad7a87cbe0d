package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/hexarena/hexarena/server/event"
	"github.com/hexarena/hexarena/server/panics"
)

// readEventCommands executes the commands of the operator, one on a line, in a goroutine that ends with its input, which may
// last as long as the process.
func readEventCommands(in io.Reader, out io.Writer, e *event.Event, rounds *event.Rounds, quit func()) {
	read := func() {
		for lines := bufio.NewScanner(in); lines.Scan(); {
			var err error
			switch line := strings.TrimSpace(lines.Text()); line {
			case "":
			case "round":
				rounds.BeginNow()
			case "pause", "resume":
				err = e.Pause(line == "pause")
			case "quit":
				quit()
			default:
				err = fmt.Errorf("there is no command %.20q: type round, pause, resume or quit", line)
			}
			if err != nil {
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
