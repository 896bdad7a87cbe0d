package export

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/hexarena/hexarena/config/textutil"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
)

// writeJSON writes one object, with a line for each turn.
func writeJSON(x *exporter, w io.Writer) error {
	var end *recording.Reader
	err := x.replay(func(p *recording.Replay, t *recording.Turn) error {
		if t.Step == 0 {
			end = p.Reader()
			head, err := json.Marshal(end.Header())
			if err != nil {
				return err
			}
			fmt.Fprintf(w, "{\"match\":%s,\n\"turns\":[", textutil.EscapeJSON(head))
		} else {
			fmt.Fprint(w, ",")
		}
		line, err := json.Marshal(TurnJSON(p, t))
		fmt.Fprintf(w, "\n%s", textutil.EscapeJSON(line))
		return err
	})
	if err != nil {
		return err
	}
	tail, err := json.Marshal(end.End())
	fmt.Fprintf(w, "\n],\n\"end\":%s}\n", textutil.EscapeJSON(tail))
	return err
}

// TurnJSON returns a step as the JSON of a recording has it.
func TurnJSON(p *recording.Replay, t *recording.Turn) *JSONTurn {
	return &JSONTurn{
		Step: t.Step, Turn: match.ShownIn(t.Step), AtMicros: t.At.Microseconds(),
		Winner: int(p.Result().Winner),
		Inputs: jsonInputs(t), Printed: t.Printed, State: p.State(),
	}
}

// JSONTurn is a board, and what led to it.
type JSONTurn struct {
	Step     int                `json:"step"`
	Turn     int                `json:"turn"` // number of the TURN that shows the board
	AtMicros int64              `json:"at_us"`
	Winner   int                `json:"winner"` // player that leads alone, -1 for none
	Inputs   []JSONInput        `json:"inputs"`
	Printed  []recording.Output `json:"printed,omitempty"`
	State    json.RawMessage    `json:"state"`
}

// JSONInput is what a player answered.
type JSONInput struct {
	Player     int             `json:"player"`
	Turn       int             `json:"turn_number"` // of the TURN that it answers
	Lapse      string          `json:"lapse,omitempty"`
	TookMicros int64           `json:"took_us,omitempty"`
	Actions    json.RawMessage `json:"actions,omitempty"`
	SentBytes  int             `json:"sent_bytes,omitempty"` // of an answer that is recorded in part
	Debug      json.RawMessage `json:"debug,omitempty"`      // what the player showed along with them
	Refused    []jsonRefusal   `json:"refused,omitempty"`
}

type jsonRefusal struct {
	Action int    `json:"action"` // -1 for the whole input
	Reason string `json:"reason"`
}

func jsonInputs(t *recording.Turn) []JSONInput {
	list := []JSONInput{}
	for i := range t.Inputs {
		in := &t.Inputs[i]
		j := JSONInput{
			Player: int(in.Player), Turn: in.Input.Turn, TookMicros: in.Took.Microseconds(),
			SentBytes: in.Abridged.Bytes,
		}
		if in.Lapse != 0 {
			j.Lapse = in.Lapse.String()
		}
		if json.Valid(in.Actions) {
			j.Actions = in.Actions
		}
		if json.Valid(in.Debug) {
			j.Debug = in.Debug
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

// writeCSV writes a line for each turn and player.
func writeCSV(x *exporter, w io.Writer) error {
	out := textutil.NewCSV(w)
	out.UseLF()
	err := x.replay(func(p *recording.Replay, t *recording.Turn) error {
		h := p.Reader().Header()
		if len(h.Counts) == 0 {
			return fmt.Errorf(
				"its rules ran in another program, which gave no figures; --format json has the states")
		}
		if t.Step == 0 {
			out.Write(append([]string{"step", "turn", "player", "name"}, h.Counts...)...)
		}
		for id := range h.Seats {
			row := []string{
				strconv.Itoa(t.Step), strconv.Itoa(match.ShownIn(t.Step)), strconv.Itoa(id),
				h.Seats[id].Name(),
			}
			for _, n := range t.Tally[id*len(h.Counts):][:len(h.Counts)] {
				row = append(row, strconv.FormatInt(n, 10))
			}
			out.Write(row...)
		}
		return nil
	})
	return errors.Join(err, out.Flush())
}
