package main

import (
	"fmt"
	"io"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/seat"
)

// newRecorder returns the recorder of the match. seatAt returns the seat of the bot that
// connected from an address.
func (p *playRun) newRecorder(game engine.Game, seatAt func(string) *seat.Spec) *recording.Recorder {
	durable, err := recording.ParseDurability(p.durable)
	if err != nil {
		panic(err) // the options were checked
	}
	return recording.New(recording.Options{
		Dir: p.record, Durable: durable, Program: "hexarena " + versionText(),
		Keeper: p.keeper,
		Game:   game, Map: p.instance.Setup, MapName: p.instance.Map, Seed: p.seed,
		Extra:    p.extra(),
		Describe: describer(seatAt),
		Printed:  p.printed,
		Complain: func(err error) {
			if !p.live { // else it is told when the screen is free again
				p.complain(err)
			}
		},
	})
}

// extra returns the options of the match that a recording keeps.
func (p *playRun) extra() map[string]string {
	extra := map[string]string{"turn_timeout": p.turnTimeout.String()}
	if p.alternates() {
		extra["tc"] = p.values.Text("tc")
	} else {
		extra["order"], extra["pace"], extra["tps"] = string(p.orderName), string(p.paceName), p.tps()
	}
	if !p.instance.Opening { // that is one match of several
		extra["command"] = p.again()
	}
	return extra
}

// describer returns a function that describes the bot that connected from an address.
func describer(seatAt func(string) *seat.Spec) func(string) recording.Bot {
	return func(address string) recording.Bot {
		if s := seatAt(address); s != nil {
			return recording.Bot{Label: s.Label, Command: s.Argv, Seed: s.Seed}
		}
		return recording.Bot{}
	}
}

func (p *playRun) complain(err error) { tellRecorder(p.stderr, err) }

// tellRecorder prints why a recorder stopped, or that it goes on.
func tellRecorder(w io.Writer, err error) {
	text := "the recording goes on, nothing is lost"
	if err != nil {
		text = tui.Plain(err.Error())
	}
	fmt.Fprintln(w, "hexarena:", text)
}

// recordingPath returns the path of the recording, empty if there is none.
func (p *playRun) recordingPath() string {
	if p.recorder == nil {
		return ""
	}
	return p.recorder.Path()
}

// tellRecording prints where the recording is and, on a terminal, what went wrong with it.
func (p *playRun) tellRecording() error {
	if p.recorder == nil {
		return nil
	}
	if err := p.recorder.Err(); err != nil && p.live {
		p.complain(err)
	}
	if p.recordingPath() == "" {
		return nil
	}
	if _, err := fmt.Fprintf(p.stdout, "\nRecorded in %s\n", p.recordingPath()); err != nil {
		return fmt.Errorf("write where the recording is: %w", err)
	}
	return nil
}
