package hexabomb

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexgrid"
)

const (
	vectorRoot  = "testdata/vectors"
	wantVectors = 180
)

// vectorHead is the first line of a recorded game, vectorTurn every other line; both are
// described in testdata/FORMAT.md.
type vectorHead struct {
	Rules     string          `json:"rules"` // "draft", or "" for those of 1.1
	Map       json.RawMessage `json:"map"`
	Players   int             `json:"nb_players"`
	Specials  int             `json:"nb_special_players"`
	Turns     int             `json:"nb_turns"`
	State     json.RawMessage `json:"initial_game_state"`
	InitError string          `json:"init_error"`
}

type vectorTurn struct {
	Turn    int             `json:"turn"`
	Actions json.RawMessage `json:"player_actions"`
	Winner  engine.PlayerID `json:"winner_player_id"`
	State   json.RawMessage `json:"game_state"`
	Changed [][3]int        `json:"cells_changed"`
	Error   *string         `json:"error"`
}

type vectorEntry struct {
	Player  json.RawMessage   `json:"player_id"`
	Actions []json.RawMessage `json:"actions"`
}

func TestVectors(t *testing.T) {
	var files []string
	err := filepath.WalkDir(vectorRoot, func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".jsonl.gz") {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < wantVectors {
		t.Errorf("%s holds %d recorded games, want %d or more", vectorRoot, len(files), wantVectors)
	}
	step := thorough.Size(3, 1)
	if testing.Short() {
		step = 10
	}
	for i := 0; i < len(files); i += step {
		file := files[i]
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl.gz")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			playVector(t, name, readVector(t, file))
		})
	}
}

func readVector(t *testing.T, file string) (lines [][]byte) {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for r := bufio.NewReader(z); ; {
		line, err := r.ReadBytes('\n')
		if len(line) > 0 {
			lines = append(lines, line)
		}
		if err == io.EOF {
			return lines
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func playVector(t *testing.T, name string, lines [][]byte) {
	var head vectorHead
	decode(t, lines[0], &head)
	if len(lines) != 1+head.Turns {
		t.Fatalf("%d lines, want %d", len(lines), 1+head.Turns)
	}
	m, err := ParseMap(head.Map)
	if name == "map_dup_cell" { // the original keeps one of the cells
		if err == nil {
			t.Fatal("ParseMap accepts a map with two cells in one place")
		}
		return
	}
	var g *Game
	if err == nil {
		g = head.newGame(m)
		_, err = g.Start(engine.Setup{Players: head.Players, Specials: head.Specials, Turns: head.Turns})
	}
	if refused := err != nil; refused != (head.InitError != "") {
		t.Fatalf("the original's error is %q, ParseMap and Start return %v", head.InitError, err)
	}
	if err != nil {
		return
	}
	want := new(State)
	decode(t, head.State, want)
	compareStates(t, 0, g, want)
	for _, line := range lines[1:] {
		var turn vectorTurn
		decode(t, line, &turn)
		if turn.Error != nil { // the original stopped here
			return
		}
		result := g.Step(vectorInputs(t, name, turn.Actions))
		if result.Winner != turn.Winner {
			t.Fatalf("turn %d: winner = %v, want %v", turn.Turn, result.Winner, turn.Winner)
		}
		want = vectorState(t, want.Cells, &turn)
		compareStates(t, turn.Turn, g, want)
		g = restored(t, g, &head)
	}
}

// restored returns a game that was restored from the state of another one, which has the same state.
func restored(t *testing.T, g *Game, head *vectorHead) *Game {
	t.Helper()
	again := &Game{edition: g.edition, board: &Board{m: &Map{}}}
	state := g.AppendState(nil)
	result, err := again.Restore(engine.Setup{Players: head.Players, Specials: head.Specials},
		int(g.turn), state)
	if err != nil || result.Winner != g.winner() {
		t.Fatalf("turn %d: Restore(%s) = %v, %v, want the winner %d", g.turn, state, result, err,
			g.winner())
	}
	if got := again.AppendState(nil); !bytes.Equal(got, state) {
		t.Fatalf("turn %d: the restored state is %s, want %s", g.turn, got, state)
	}
	return again
}

// newGame returns a game by the rules of a recorded one.
func (h *vectorHead) newGame(m *Map) *Game {
	if h.Rules == "draft" {
		return Compile(m).NewDraftGame()
	}
	return New(m)
}

// vectorState returns the state of a turn. The cells of a turn are either complete or
// changes to those of the previous turn.
func vectorState(t *testing.T, cells []Cell, turn *vectorTurn) *State {
	s := new(State)
	decode(t, turn.State, s)
	if s.Cells != nil {
		return s
	}
	s.Cells = cells
	for _, c := range turn.Changed {
		i, ok := slices.BinarySearchFunc(s.Cells, hexgrid.Coord{Q: c[0], R: c[1]},
			func(c Cell, at hexgrid.Coord) int { return c.Compare(at) })
		if !ok {
			t.Fatalf("turn %d: a change of a cell that does not exist: %v", turn.Turn, c)
		}
		s.Cells[i].Color = Color(c[2])
	}
	return s
}

func vectorInputs(t *testing.T, name string, text []byte) (inputs []engine.Input) {
	var entries []vectorEntry
	decode(t, text, &entries)
	for _, e := range entries {
		p := engine.NoPlayer
		if json.Unmarshal(e.Player, &p) != nil {
			p = engine.NoPlayer // an id that no player can have
		}
		if name == "act_ids" || name == "bomb_values" {
			e.Actions = slices.DeleteFunc(e.Actions, holdsIntegralFloat)
		}
		actions := slices.Concat([]byte("["), bytes.Join(rawBytes(e.Actions), []byte(",")), []byte("]"))
		inputs = append(inputs, engine.Input{Player: p, Actions: actions})
	}
	return inputs
}

// holdsIntegralFloat reports whether an action holds a number such as 2.0: the games were
// recorded without netorcai, which would have passed it on as 2.
func holdsIntegralFloat(action json.RawMessage) bool {
	var o map[string]json.RawMessage
	if json.Unmarshal(action, &o) != nil {
		return false
	}
	for _, v := range o {
		if bytes.HasSuffix(v, []byte(".0")) {
			return true
		}
	}
	return false
}

func rawBytes(list []json.RawMessage) [][]byte {
	out := make([][]byte, len(list))
	for i, raw := range list {
		out[i] = raw
	}
	return out
}

func compareStates(t *testing.T, turn int, g *Game, want *State) {
	t.Helper()
	got := new(State)
	decode(t, g.AppendState(nil), got)
	gotText, wantText := marshal(t, got), marshal(t, want)
	if !bytes.Equal(gotText, wantText) {
		t.Fatalf("turn %d: state = %s, want %s", turn, gotText, wantText)
	}
}

// decode parses JSON; a State must have no unknown keys.
func decode(t *testing.T, text []byte, v any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	if _, state := v.(*State); state {
		d.DisallowUnknownFields()
	}
	if err := d.Decode(v); err != nil {
		t.Fatalf("%v in %.200s", err, text)
	}
}

func marshal(t testing.TB, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
