package export

import (
	"archive/zip"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/recording"
)

// maxArrays bounds the arrays of a match in bytes, which are all in memory before they are written:
// a hundred turns on the largest shipped map take 1.4 MB.
const maxArrays = 1 << 30

// writeNPZ writes a match as arrays, for numpy.load.
func writeNPZ(x *exporter, w io.Writer) error {
	var a *arrays
	err := x.replay(func(p *recording.Replay, t *recording.Turn) (err error) {
		if t.Step == 0 {
			a, err = newArrays(x.Games, p)
			return err
		}
		if a.add(p, t); a.states*a.row > maxArrays {
			return fmt.Errorf("%s: the arrays of %d turns have more than %d bytes; use --format json",
				x.Path, t.Step, maxArrays)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if a.states == 0 {
		return fmt.Errorf("%s: it has no turns that players answer", x.Path)
	}
	return a.write(w)
}

// arrays are the states that players were shown, and what they answered.
type arrays struct {
	header *recording.Header
	env    *games.Env
	game   engine.Game // that view shows
	row    int         // bytes of a state
	states int         // that were shown

	view    games.EnvView
	parts   [][]byte // what view shows
	columns []column // of these, and the three after them
	codes   []byte
	scores  []int64
	leads   []int64
}

// The columns after those of the state.
const (
	scoreColumn = iota
	actionColumn
	rewardColumn
)

// column is an array with a row for each state.
type column struct {
	games.EnvArray
	rows []byte
}

func newArrays(list games.List, p *recording.Replay) (*arrays, error) {
	h := p.Reader().Header()
	g := list.OfRules(h.Rules)
	if g == nil || g.Env == nil {
		return nil, fmt.Errorf("there are no arrays of matches whose rules are %q", h.Rules)
	}
	d, err := g.Env(p.Game())
	if err != nil {
		return nil, err
	}
	a := &arrays{header: h, env: d, game: p.Game(), scores: make([]int64, len(h.Seats))}
	for _, one := range d.Arrays {
		a.parts = append(a.parts, make([]byte, one.Size()))
		a.columns = append(a.columns, column{EnvArray: one})
		a.row += one.Size()
	}
	a.view = d.New(a.parts)
	a.codes = make([]byte, d.Actions.Size())
	seats := []int{len(h.Seats)}
	actions := d.Actions
	actions.Name = "actions"
	a.columns = append(a.columns,
		column{EnvArray: games.EnvArray{Name: "score", Type: "i8", Shape: seats}},
		column{EnvArray: actions},
		column{EnvArray: games.EnvArray{Name: "reward", Type: "f4", Shape: seats}})
	return a, nil
}

// after returns one of the columns after those of the state.
func (a *arrays) after(n int) *column { return &a.columns[len(a.parts)+n] }

// add adds what the players answered to the last state, and the states to which that led.
func (a *arrays) add(p *recording.Replay, t *recording.Turn) {
	inputs := make([]engine.Input, len(t.Inputs))
	for i := range inputs {
		inputs[i] = t.Inputs[i].Input
	}
	switch {
	case a.env.Play == nil:
		a.answer(inputs)
		a.show()
	case a.states == 0:
		a.game = a.env.Play(p.Game().(engine.Restorer).Copy())
		a.show()
	default:
		for _, step := range a.env.Split(a.game, inputs) {
			a.answer(step)
			over := a.game.Step(step).Over
			a.show()
			if over {
				return
			}
		}
	}
}

// answer adds what the players answered to the last state.
func (a *arrays) answer(inputs []engine.Input) {
	if a.states == 0 {
		return
	}
	clear(a.codes)
	for i := range inputs {
		a.view.Codes(a.codes, &inputs[i])
	}
	c := a.after(actionColumn)
	c.rows = append(c.rows, a.codes...)
}

// show adds a state, and the reward of the answers that led to it.
func (a *arrays) show() {
	a.states++
	a.view.Show(a.game)
	for i, part := range a.parts {
		a.columns[i].rows = append(a.columns[i].rows, part...)
	}
	score, reward := a.after(scoreColumn), a.after(rewardColumn)
	for i := range a.scores {
		a.scores[i] = a.game.AppendTally(nil, engine.PlayerID(i))[0].Value
		score.rows = binary.NativeEndian.AppendUint64(score.rows, uint64(a.scores[i]))
	}
	old := a.leads
	a.leads = nil
	for i, lead := range games.Leads(a.scores) {
		a.leads = append(a.leads, lead)
		if old != nil {
			reward.rows, _ = binary.Append(reward.rows, binary.NativeEndian, float32(lead-old[i]))
		}
	}
}

// write writes the columns, and what does not change as a text in JSON.
func (a *arrays) write(w io.Writer) error {
	h := a.header
	text, err := json.Marshal(map[string]any{
		"map": h.MapName, "rules": h.RulesName(), "seed": h.Seed, "names": matchOf(h).Names,
		"specials": h.Specials, "about": a.env.About,
	})
	if err != nil {
		return err
	}
	z := zip.NewWriter(w)
	for i := range a.columns {
		c, rows := &a.columns[i], a.states
		if i >= len(a.parts)+actionColumn {
			rows-- // the last state is not answered
		}
		shape := append([]int{rows}, c.Shape...)
		err = errors.Join(err, writeArray(z, c.Name, order(c.Type)+c.Type, shape, c.rows))
	}
	kind := fmt.Sprintf("|S%d", len(text))
	return errors.Join(err, writeArray(z, "about", kind, nil, text), z.Close())
}

// order returns how numpy names the order of bytes of an element.
func order(kind string) string {
	switch {
	case kind[1] == '1':
		return "|"
	case binary.NativeEndian.Uint16([]byte{0, 1}) == 1:
		return ">"
	}
	return "<"
}

// writeArray adds an array to an archive, in the form of numpy's files, version 1.0.
func writeArray(z *zip.Writer, name, kind string, shape []int, data []byte) error {
	f, err := z.Create(name + ".npy")
	if err != nil {
		return err
	}
	sizes := ""
	for _, n := range shape {
		sizes += fmt.Sprintf("%d, ", n)
	}
	head := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", kind, sizes)
	const before, align = 10, 64
	head += strings.Repeat(" ", (align-(before+len(head)+1)%align)%align) + "\n"
	start := binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(head)))
	for _, part := range [][]byte{start, []byte(head), data} {
		if _, err := f.Write(part); err != nil {
			return err
		}
	}
	return nil
}
