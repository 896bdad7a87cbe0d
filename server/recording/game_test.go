package recording

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/server/match"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}

// games is a Games that knows hexabomb.
func games(rules string, board []byte) (engine.Game, error) {
	if rules != hexabomb.Rules {
		return nil, ErrRules
	}
	m, err := hexabomb.ParseMap(board)
	if err != nil {
		return nil, err
	}
	return hexabomb.New(m), nil
}

// hexagon returns a board for players with the given number of characters each, at
// random places.
func hexagon(radius, seats, each int) *hexabomb.Map {
	m := &hexabomb.Map{}
	for q := -radius; q <= radius; q++ {
		for r := -radius; r <= radius; r++ {
			if s := q + r; -radius <= s && s <= radius {
				m.Cells = append(m.Cells, hexgrid.Coord{Q: q, R: r})
			}
		}
	}
	places := rand.New(rand.NewPCG(1, 1)).Perm(len(m.Cells))
	for range seats {
		var list []hexgrid.Coord
		for range each {
			list = append(list, m.Cells[places[0]])
			places = places[1:]
		}
		m.Starts = append(m.Starts, list)
	}
	return m
}

// played is a match of hexabomb with random actions, as a recorder sees it.
type played struct {
	board    *hexabomb.Map
	external bool
	debugs   bool   // players show something beside their actions
	rubbish  []byte // player 0's answer; may be nil
	seed     uint64
	turns    int

	game   engine.Game
	rnd    *rand.Rand
	frame  match.Frame
	last   engine.Result
	answer []match.Answer
	inputs []engine.Input
	dirs   map[int]hexgrid.Dir
	states [][]byte // after each turn, beginning with the initial state
}

// play plays a match of the given number of turns for a watcher, without ending it.
func (m *played) play(tb testing.TB, w match.Watcher) {
	tb.Helper()
	m.begin(tb, w)
	for step := 1; step <= m.turns; step++ {
		w.Played(m.step(step))
		m.states = append(m.states, append([]byte{}, m.frame.State...))
	}
}

func (m *played) begin(tb testing.TB, w match.Watcher) {
	tb.Helper()
	m.game = hexabomb.New(m.board)
	m.rnd = rand.New(rand.NewPCG(m.seed, 7))
	m.dirs = map[int]hexgrid.Dir{}
	seats := m.board.Seats()
	var err error
	m.last, err = m.game.Start(engine.Setup{Players: seats, Turns: m.turns, Seed: m.seed})
	if err != nil {
		tb.Fatal(err)
	}
	t := &m.frame.Table
	t.Players, t.Settings = seats, match.Settings{Turns: m.turns, Players: seats, DelayTurns: 100}
	for p := range seats {
		t.Seats = append(t.Seats, match.SeatInfo{
			Candidate: match.Candidate{
				Nickname: fmt.Sprintf("bot%d", p), Remote: fmt.Sprintf("127.0.0.1:%d", 40000+p),
			},
			ID: engine.PlayerID(p), Connected: true,
		})
	}
	m.frame.State = m.game.AppendState(m.frame.State[:0])
	w.Started(&m.frame)
	m.states = append(m.states, append([]byte{}, m.frame.State...))
}

// step plays one turn. No player answers before the first turn, and from time to time a
// player does not answer.
func (m *played) step(step int) *match.Play {
	m.answer, m.inputs = m.answer[:0], m.inputs[:0]
	state, err := hexabomb.ParseState(m.frame.State)
	if err != nil {
		panic(err)
	}
	for _, p := range m.rnd.Perm(m.board.Seats()) {
		if step == 1 {
			break
		}
		a := match.Answer{
			Input: engine.Input{Player: engine.PlayerID(p), Turn: step - 2, Actions: m.actions(state, p)},
			Took:  time.Duration(500+m.rnd.IntN(2000)) * time.Microsecond,
		}
		if m.debugs {
			a.Debug = fmt.Appendf(nil, `{"text":"turn %d","cells":[{"q":%d,"r":0}]}`, step, p)
		}
		switch m.rnd.IntN(50) {
		case 0:
			a = match.Answer{Input: engine.Input{Player: a.Player, Turn: a.Turn, Lapse: engine.TimedOut}}
		case 1:
			a.Turn--
		case 2:
			a.Actions = []byte("[\n]")
		}
		if m.rubbish != nil && p == 0 {
			a = match.Answer{Input: engine.Input{Turn: step - 2, Actions: m.rubbish, Valid: true}}
		}
		m.answer = append(m.answer, a)
	}
	for i := range m.answer {
		m.inputs = append(m.inputs, m.answer[i].Input)
	}
	m.last = m.game.Step(m.inputs)
	m.frame.State = m.game.AppendState(m.frame.State[:0])
	return &match.Play{Step: step, Answers: m.answer, Result: m.last, Frame: &m.frame}
}

// actions returns the actions of a player that moves, sometimes drops a bomb, and
// revives.
func (m *played) actions(s *hexabomb.State, player int) []byte {
	type action struct {
		ID        int32  `json:"id"`
		Movement  string `json:"movement"`
		Direction string `json:"direction,omitempty"`
		Range     int    `json:"bomb_range,omitempty"`
		Delay     int    `json:"bomb_delay,omitempty"`
	}
	list := []action{}
	for _, c := range s.Characters {
		if c.Color != hexabomb.ColorOf(engine.PlayerID(player)) {
			continue
		}
		a := action{ID: c.ID}
		switch {
		case !c.Alive && c.ReviveDelay > 0:
			continue
		case !c.Alive:
			a.Movement = "revive"
		case m.rnd.IntN(25) == 0:
			a.Movement, a.Range, a.Delay = "bomb", 2+m.rnd.IntN(3), 2+m.rnd.IntN(3)
		default:
			if m.rnd.IntN(4) == 0 {
				m.dirs[int(c.ID)] = hexgrid.Dir(m.rnd.IntN(hexgrid.NumDirs))
			}
			a.Movement, a.Direction = "move", m.dirs[int(c.ID)].String()
		}
		list = append(list, a)
	}
	text, err := json.Marshal(list)
	if err != nil {
		panic(err)
	}
	return text
}

// files plays the match and returns its recording before and after its end.
func (m *played) files(tb testing.TB) (live, finished []byte) {
	tb.Helper()
	r := m.open(tb)
	m.play(tb, r)
	live, err := os.ReadFile(r.Path())
	if err != nil {
		tb.Fatal(err)
	}
	r.Ended(m.ending())
	if finished, err = os.ReadFile(r.Path()); err != nil {
		tb.Fatal(err)
	}
	return live, finished
}

func (m *played) ending() *match.Ending {
	return &match.Ending{Steps: len(m.states) - 1, Winner: m.last.Winner, Seats: m.frame.Table.Seats}
}

// options returns options for recording m in a temporary folder.
func (m *played) options(tb testing.TB) Options {
	o := Options{
		Dir: tb.TempDir(), Program: "test", Map: m.board.AppendJSON(nil), MapName: "test", Seed: m.seed,
		Durable:  AtEnd,
		Complain: func(err error) { tb.Errorf("the recorder reports %v", err) },
	}
	return o
}

// record plays m to its end and returns the path of its recording.
func (m *played) record(tb testing.TB) string {
	tb.Helper()
	r := m.open(tb)
	m.play(tb, r)
	r.Ended(m.ending())
	return r.Path()
}

// gameProxy is the game of a match that is created later.
type gameProxy struct{ m *played }

var errProxy = errors.New("a proxy is not started")

func (g gameProxy) Rules() string                             { return hexabomb.Rules }
func (g gameProxy) Start(engine.Setup) (engine.Result, error) { return engine.Result{}, errProxy }
func (g gameProxy) Step([]engine.Input) engine.Result         { return engine.Result{} }
func (g gameProxy) AppendState(b []byte) []byte               { return b }
func (g gameProxy) AppendDelta(b []byte) []byte               { return b }
func (g gameProxy) AppendTally(dst []engine.Count, p engine.PlayerID) []engine.Count {
	return g.m.game.AppendTally(dst, p)
}

func (m *played) open(tb testing.TB) *Recorder {
	tb.Helper()
	o := m.options(tb)
	if !m.external {
		o.Rules = gameProxy{m}
	}
	return New(o)
}

func (p gameProxy) AppendAbridged(
	dst []byte, i int, in *engine.Input, limit int,
) ([]byte, int, bool) {
	return p.m.game.(engine.Abridger).AppendAbridged(dst, i, in, limit)
}
