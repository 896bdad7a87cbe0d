package hexabomb

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/protocol/jsonscan"
	"github.com/hexarena/hexarena/protocol/netorcai/model"
)

func readModel(t *testing.T) *model.Model {
	t.Helper()
	m, err := model.Read(os.DirFS("."), "model.json")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The states of recorded games are as model.json says.
func TestModelOfStates(t *testing.T) {
	m := readModel(t)
	files, err := filepath.Glob(filepath.Join(vectorRoot, "*", "*.jsonl.gz"))
	if err != nil || len(files) < wantVectors {
		t.Fatalf("%d recorded games, %v", len(files), err)
	}
	exploded := 0
	const step = 8 // every game has states of the same form
	for i := 0; i < len(files); i += step {
		lines := readVector(t, files[i])
		var head vectorHead
		decode(t, lines[0], &head)
		board, err := ParseMap(head.Map)
		if err != nil {
			continue
		}
		g := head.newGame(board)
		if _, err := g.Start(engine.Setup{Players: head.Players, Specials: head.Specials, Turns: head.Turns}); err != nil {
			continue
		}
		for _, line := range lines[1:] {
			var turn vectorTurn
			decode(t, line, &turn)
			g.Step(vectorInputs(t, filepath.Base(files[i]), turn.Actions))
			state := g.AppendState(nil)
			if err := (model.Checker{Model: m}).Check(model.Type{Kind: model.Named, Name: m.State}, jsonscan.Value(state)); err != nil {
				t.Fatalf("%s, turn %d: %v", files[i], turn.Turn, err)
			}
			if len(g.blast) > 0 {
				exploded++
			}
		}
	}
	if exploded == 0 {
		t.Error("nothing has exploded")
	}
}

// Actions as model.json has them are well-formed, and none without one of its fields or with one
// of another type.
func TestModelOfActions(t *testing.T) {
	m := readModel(t)
	for _, name := range m.Type(m.Action).OneOf {
		fields, e := m.Type(name).Fields, &current
		if name == "ReviveAt" {
			e = &draft
		}
		for _, direction := range m.Type("Direction").Values {
			if text := actionText(fields, direction, "", ""); !wellFormed(e, text) {
				t.Errorf("%s is not well-formed", text)
			}
		}
		for _, f := range fields {
			for _, value := range []string{"", "[]", `"x"`} { // the field is missing, or of another type
				if text := actionText(fields, "x+", f.Name, value); wellFormed(e, text) {
					t.Errorf("%s is well-formed", text)
				}
			}
		}
	}
	if text := actionText(m.Type("Move").Fields, "w+", "", ""); wellFormed(&current, text) {
		t.Errorf("%s is well-formed", text)
	}
	bomb := m.Type("DropBomb").Fields[2:]
	for _, f := range bomb {
		if *f.Min != minBomb || *f.Max != maxSpecialBomb || !strings.HasPrefix(f.About, fmt.Sprintf("%d to %d; up to %d ", minBomb, maxBomb, maxSpecialBomb)) {
			t.Errorf("%s is from %d to %d", f.Name, *f.Min, *f.Max)
		}
	}
}

func wellFormed(e *edition, text string) bool {
	o := readOrder(jsonscan.Value(text))
	return e.wellFormed(&o)
}

// actionText returns an action with some fields, of which the one called odd has the given
// value, or is missing if that is "".
func actionText(fields []model.Field, direction, odd, value string) string {
	var list []string
	for _, f := range fields {
		text := "3"
		switch {
		case f.Name == odd:
			text = value
		case f.Type.Kind == model.Constant:
			text = `"` + f.Type.Name + `"`
		case f.Type.Kind == model.Named:
			text = `"` + direction + `"`
		}
		if text != "" {
			list = append(list, fmt.Sprintf("%q:%s", f.Name, text))
		}
	}
	return "{" + strings.Join(list, ",") + "}"
}
