package play

import (
	"fmt"
	"io"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/recording"
)

// recordings returns where the matches are recorded; nil: they are not.
func (p *runner) recordings() *host.Recordings {
	if p.Record == "" {
		return nil
	}
	durable, err := recording.ParseDurability(p.Durable)
	if err != nil {
		panic(err) // the options were checked
	}
	return &host.Recordings{Dir: p.Record, Durable: durable, Keeper: p.keeper, Complain: func(err error) {
		if !p.live { // else it is printed when the screen is free again
			p.complain(err)
		}
	}}
}

// extra returns the options of the match that a recording keeps.
func (p *runner) extra() map[string]string {
	extra := map[string]string{"turn_timeout": p.TurnTimeout.String()}
	if p.alternates() {
		extra["tc"] = p.Values.Text("tc")
	} else {
		extra["order"], extra["pace"], extra["tps"] = string(p.Order), string(p.Pace), p.tps()
	}
	if !p.instance.Opening { // that is one match of several
		extra["command"] = p.again()
	}
	return extra
}

func (p *runner) complain(err error) { tellRecorder(p.Stderr, err) }

// tellRecorder prints why a recorder stopped, or that it goes on.
func tellRecorder(w io.Writer, err error) {
	text := "the recording goes on, nothing is lost"
	if err != nil {
		text = tui.Plain(err.Error())
	}
	fmt.Fprintln(w, "hexarena:", text)
}

// tellRecording prints where the recording is and, on a terminal, what went wrong with it.
func (p *runner) tellRecording() error {
	if p.recordingErr != nil && p.live {
		p.complain(p.recordingErr)
	}
	if p.recording == "" {
		return nil
	}
	if _, err := fmt.Fprintf(p.Stdout, "\nRecorded in %s\n", p.recording); err != nil {
		return fmt.Errorf("write where the recording is: %w", err)
	}
	return nil
}
