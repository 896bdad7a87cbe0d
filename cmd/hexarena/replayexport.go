package main

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/server/recording"
)

// exporters write a recording in a format.
var exporters = map[string]func(cmd *cobra.Command, path string, turn int, w io.Writer) error{
	"json": exportJSON,
	"csv":  exportCSV,
	"svg":  exportSVG,
}

func newReplayExport() *cobra.Command {
	var format, file string
	turn := lastTurn
	cmd := &cobra.Command{
		Use:   "export FILE --format json|csv|svg -o OUT",
		Short: "Write the states, the score curves or a picture of a recording",
		Long: `Write a recording in another format:

  json  every state, with the actions that led to it
  csv   the figures of each player after each turn, a line for each
  svg   a picture of the board after the last turn, or the one of --turn`,
		Args: cobra.ExactArgs(1),
	}
	f := cmd.Flags()
	f.StringVar(&format, "format", "", "json, csv or svg")
	f.StringVarP(&file, "output", "o", "-", "file to write; - is standard output")
	f.IntVar(&turn, "turn", lastTurn, "the turn of a picture; -1 is the last")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		export := exporters[format]
		switch {
		case export == nil:
			return fmt.Errorf("--format: %q is none of json, csv, svg", format)
		case turn != lastTurn && format != "svg":
			return fmt.Errorf("--turn: %s holds all turns; leave it out", format)
		}
		return writeTo(file, cmd.OutOrStdout(), func(w io.Writer) error {
			out := bufio.NewWriter(w)
			return errors.Join(export(cmd, args[0], turn, out), out.Flush())
		})
	}
	_ = cmd.RegisterFlagCompletionFunc("format", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return []string{"json", "csv", "svg"}, cobra.ShellCompDirectiveNoFileComp
	})
	return cmd
}

const lastTurn = -1

// exportJSON writes one object, with a line for each turn.
func exportJSON(cmd *cobra.Command, path string, _ int, w io.Writer) error {
	var end *recording.Reader
	err := replayFile(cmd.Context(), path, cmd.ErrOrStderr(), func(p *recording.Replay, t *recording.Turn) error {
		if t.Step == 0 {
			end = p.Reader()
			head, err := json.Marshal(end.Header())
			if err != nil {
				return err
			}
			fmt.Fprintf(w, "{\"match\":%s,\n\"turns\":[", head)
		} else {
			fmt.Fprint(w, ",")
		}
		line, err := json.Marshal(jsonTurn{
			Turn: t.Step, AtMicros: t.At.Microseconds(), Winner: int(p.Result().Winner),
			Inputs: jsonInputs(t), State: p.State(),
		})
		fmt.Fprintf(w, "\n%s", line)
		return err
	})
	if err != nil {
		return err
	}
	if end == nil {
		return errNoTurns(path)
	}
	tail, err := json.Marshal(end.End())
	fmt.Fprintf(w, "\n],\n\"end\":%s}\n", tail)
	return err
}

func errNoTurns(path string) error { return fmt.Errorf("%s: it was cut before its first turn", path) }

type jsonTurn struct {
	Turn     int             `json:"turn"`
	AtMicros int64           `json:"at_us"`
	Winner   int             `json:"winner"` // who leads, -1: nobody alone
	Inputs   []jsonInput     `json:"inputs"`
	State    json.RawMessage `json:"state"`
}

type jsonInput struct {
	Player     int             `json:"player"`
	Turn       int             `json:"turn_number"` // that it answers
	Lapse      string          `json:"lapse,omitempty"`
	TookMicros int64           `json:"took_us,omitempty"`
	Actions    json.RawMessage `json:"actions,omitempty"`
	Refused    []jsonRefusal   `json:"refused,omitempty"`
}

type jsonRefusal struct {
	Action int    `json:"action"` // -1: all
	Reason string `json:"reason"`
}

func jsonInputs(t *recording.Turn) []jsonInput {
	list := []jsonInput{}
	for i := range t.Inputs {
		in := &t.Inputs[i]
		j := jsonInput{Player: int(in.Player), Turn: in.Input.Turn, TookMicros: in.Took.Microseconds()}
		if in.Lapse != 0 {
			j.Lapse = in.Lapse.String()
		}
		if json.Valid(in.Actions) {
			j.Actions = in.Actions
		}
		for _, r := range t.Refused {
			if r.Input == i {
				j.Refused = append(j.Refused, jsonRefusal{r.Action, r.Reason})
			}
		}
		list = append(list, j)
	}
	return list
}

// exportCSV writes a line for each turn and player.
func exportCSV(cmd *cobra.Command, path string, _ int, w io.Writer) error {
	out := csv.NewWriter(w)
	turns := 0
	err := replayFile(cmd.Context(), path, cmd.ErrOrStderr(), func(p *recording.Replay, t *recording.Turn) error {
		h := p.Reader().Header()
		if len(h.Counts) == 0 {
			return fmt.Errorf("its rules were elsewhere and gave no figures; --format json has the states")
		}
		if turns++; t.Step == 0 {
			if err := out.Write(append([]string{"turn", "player", "name"}, h.Counts...)); err != nil {
				return err
			}
		}
		for id := range h.Seats {
			row := []string{strconv.Itoa(t.Step), strconv.Itoa(id), h.Seats[id].Name()}
			for _, n := range t.Tally[id*len(h.Counts):][:len(h.Counts)] {
				row = append(row, strconv.FormatInt(n, 10))
			}
			if err := out.Write(row); err != nil {
				return err
			}
		}
		return nil
	})
	out.Flush()
	if err == nil && turns == 0 {
		return errNoTurns(path)
	}
	return errors.Join(err, out.Error())
}

// exportSVG draws the board after a turn.
func exportSVG(cmd *cobra.Command, path string, turn int, w io.Writer) error {
	var h recording.Header
	var state []byte
	last := -1
	err := replayFile(cmd.Context(), path, cmd.ErrOrStderr(), func(p *recording.Replay, t *recording.Turn) error {
		h, last = *p.Reader().Header(), t.Step
		if turn == lastTurn || turn == t.Step {
			state = append(state[:0], p.State()...)
		}
		if turn == t.Step {
			return io.EOF
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case state == nil && turn != lastTurn:
		return errTurn(path, turn, max(last, 0))
	case state == nil:
		return errNoTurns(path)
	case h.Rules != hexabomb.Rules:
		return fmt.Errorf("%s: there are pictures of %s, and its rules are %q; --format json has the states", path, hexabomb.Rules, h.Rules)
	}
	m, err := hexabomb.ParseMap(h.Map)
	if err != nil {
		return err
	}
	s, err := hexabomb.ParseState(state)
	if err != nil {
		return err
	}
	picture := maps.Scene{Title: h.MapName, Caption: fmt.Sprintf("turn %d of %d", last, h.Turns), State: s, Specials: h.Specials}
	for i := range h.Seats {
		picture.Names = append(picture.Names, h.Seats[i].Name())
	}
	return maps.StateSVG(w, m, picture)
}
