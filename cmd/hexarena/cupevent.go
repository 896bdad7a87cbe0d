package main

import (
	"io"

	"github.com/hexarena/hexarena/server/cup/scoreboard"
	"github.com/hexarena/hexarena/server/cup/site"
	"github.com/hexarena/hexarena/server/event"
)

// showEvent prints the order of the teams of an event, which its own pages show.
func showEvent(out io.Writer, dir string, asJSON, asCSV bool) error {
	a, err := event.ReadArchive(dir)
	switch {
	case err != nil:
		return err
	case asJSON:
		return a.Result.WriteJSON(out)
	case asCSV:
		return a.Result.WriteCSV(out)
	}
	return a.Result.WriteText(out)
}

// exportEvent changes what is written of a cup to the standings and the names of an event.
func exportEvent(o *site.Options) error {
	a, err := event.ReadArchive(o.Cup.Dir)
	if err != nil {
		return err
	}
	o.Row = a.Row
	o.Tables = func(kept []scoreboard.Match) map[string]func(io.Writer) error {
		var replays []event.Replay
		for _, m := range kept {
			replays = append(replays, event.Replay{Match: m.K + 1, Bots: m.Bots, Path: m.Replay})
		}
		return map[string]func(io.Writer) error{
			"standings.csv":  a.Result.WriteCSV,
			"standings.json": a.Result.WriteJSON,
			"index.html":     func(w io.Writer) error { return a.Result.WritePage(w, o.Cup.Name(), replays) },
		}
	}
	return nil
}
