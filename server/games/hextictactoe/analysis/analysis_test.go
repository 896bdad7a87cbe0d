package analysis

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"go.uber.org/goleak"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/botapi"
)

func TestMain(m *testing.M) {
	thorough.Overlap()
	goleak.VerifyTestMain(m)
}

// sample is a game that x wins, after o has missed to block and x to win.
const sample = `1. [0,4][1,4]; 2. [1,0][2,0]; 3. [0,5][1,5]; 4. [3,0][-4,4]; 5. [0,6][1,6]; 6. [0,7][1,7];
	7. [2,6][2,5]; 8. [4,0][5,0];`

func gameOf(t testing.TB, notation string) *Game {
	t.Helper()
	r, err := htttx.ParseNotation(notation)
	if err != nil {
		t.Fatal(err)
	}
	var moves [][]htttx.Cell
	for _, m := range r.Moves {
		moves = append(moves, m.Pieces)
	}
	g, err := NewGame(hextictactoe.Defaults(), moves)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// judged runs a judge over the sample. Nothing may hang.
func judged(t *testing.T, b *strict, o Options) (*Report, error) {
	t.Helper()
	address := b.start(t)
	d := botapi.NewDialer(false, zerolog.Nop())
	defer d.Close()
	o.Dialer, o.Address = d, address
	if o.Time == 0 {
		o.Time = 20 * time.Second
	}
	if o.Blunder == 0 {
		o.Blunder = 0.5
	}
	ctx, cancel := context.WithTimeoutCause(t.Context(), 60*time.Second, errors.New("the analysis hangs"))
	defer cancel()
	return Run(ctx, gameOf(t, sample), o)
}

func everything() *htttx.Socket {
	return &htttx.Socket{
		MoveTimeLimit: true, Evaluation: true, EvaluationTimeLimit: true, Config: true, FreeSetup: true,
		ResettableState: true,
		MoveSkips:       true, DualSided: true, FreeMoveOrder: true, Interruptible: true, RequestID: true,
		APIRoot: htttx.DefaultSocketRoot,
	}
}

// A judge is sent what it declared and nothing else; whatever that is, the
// analysis comes to its end, and says the same wherever the judge can be brought.
func TestEveryCombinationOfCapabilities(t *testing.T) {
	thorough.Long(t)
	for n := 0; n < 1<<9; n += thorough.Size(5, 1) { // an odd step has each flag on and off
		can := everything()
		for i, f := range []*bool{
			&can.Evaluation, &can.FreeSetup, &can.ResettableState, &can.MoveSkips, &can.DualSided,
			&can.FreeMoveOrder,
			&can.RequestID, &can.EvaluationTimeLimit, &can.MoveTimeLimit,
		} {
			*f = n>>i&1 == 1
		}
		b := &strict{socket: can}
		r, err := judged(t, b, Options{Moves: []int{3, 4, 2}, Threats: true, Depth: 2})
		if err != nil || len(b.wrong) > 0 || b.fetched != 1 {
			t.Fatalf("%+v: %v; asked for its capabilities %d times; the judge complains: %q", *can, err,
				b.fetched, b.wrong)
		}
		for i, number := range []int{3, 4, 2} {
			m := r.Moves[i]
			reachable := can.FreeSetup || can.MoveSkips
			if m.Number != number || (m.Before != nil && m.After != nil) != reachable ||
				!reachable && m.Note != errUnreachable.Error() {
				t.Fatalf("%+v: %+v", *can, m)
			}
			if reachable &&
				(*m.Before.Heuristic != float64(2*number-1)/100 || *m.Instead.Heuristic != *m.After.Heuristic) {
				t.Fatalf("%+v: before %v, after %v, instead %v", *can, *m.Before.Heuristic, *m.After.Heuristic,
					*m.Instead.Heuristic)
			}
		}
	}
}

// Each capability is used, and what takes its place is used without it.
func TestCapabilitiesOnTheWire(t *testing.T) {
	thorough.Full(t)
	all := func(htttx.Packet) bool { return true }
	moves := func(p htttx.Packet) bool { _, ok := p.(htttx.MoveRequest); return ok }
	evals := func(p htttx.Packet) bool { _, ok := p.(htttx.EvalRequest); return ok }
	for _, tt := range []struct {
		name    string
		lacks   func(*htttx.Socket)
		options Options
		quiet   func(htttx.Packet) bool
		with    []string // texts of a packet that is there with the capability and not without
		without []string // the other way round
	}{
		{name: "evaluation", lacks: func(s *htttx.Socket) { s.Evaluation = false }, with: []string{
			`"eval_request","side":"o"`,
		}},
		{name: "evaluation_time_limit", lacks: func(s *htttx.Socket) { s.EvaluationTimeLimit = false }, with: []string{`"evaluation_time_limit":20}`}},
		{name: "move_time_limit", lacks: func(s *htttx.Socket) { s.MoveTimeLimit = false }, with: []string{`"move_time_limit":20`}},
		{name: "config", lacks: func(s *htttx.Socket) { s.Config = false }, options: Options{Depth: 3}, with: []string{`1 {"type":"config","depth":3}`}},
		{
			name: "free_setup", lacks: func(s *htttx.Socket) { s.FreeSetup = false },
			options: Options{Moves: []int{5}},
			with: []string{
				`1 {"type":"setup","board":{"cells":[{"q":0,"r":0,"p":"x"},{"q":0,"r":4,"p":"o"}`,
			},
			without: []string{`"move_request","side":"o","previous":[{"side":"o","pieces":[{"q":0,"r":4},{"q":1,"r":4}]},{"side":"x"`},
		},
		{
			name: "resettable_state", lacks: func(s *htttx.Socket) { s.ResettableState = false },
			options: Options{Moves: []int{5, 2}},
			with:    []string{`1 {"type":"setup","board":{"cells":[{"q":0,"r":0,"p":"x"},{"q":0,"r":4,"p":"o"},{"q":1,"r":4,"p":"o"}]}}`},
			without: []string{`2 {"type":"setup"`},
		},
		{
			name: "move_skips", lacks: func(s *htttx.Socket) { s.MoveSkips = false },
			options: Options{Moves: []int{1, 2}},
			with:    []string{`"previous":[{"side":"o","pieces":[{"q":0,"r":4},{"q":1,"r":4}]}]`},
		},
		{name: "dual_sided", lacks: func(s *htttx.Socket) { s.DualSided = false }, with: []string{
			`1 {"type":"move_request","side":"x"`,
		}, without: []string{`2 {"type":"move_request","side":"x"`}},
		{
			name: "free_move_order", lacks: func(s *htttx.Socket) { s.FreeMoveOrder = false },
			options: Options{Moves: []int{1}, Threats: true},
			with:    []string{`"move_request","side":"o","previous":[],"board":{"cells":[{"q":0,"r":0,"p":"x"},{"q":0,"r":4,"p":"o"},{"q":1,"r":4,"p":"o"}]}`},
		},
		{
			name: "interruptible", lacks: func(s *htttx.Socket) { s.Interruptible = false },
			options: Options{Moves: []int{1}, Time: 20 * time.Millisecond}, quiet: all,
			with: []string{`1 {"type":"interrupt","request_id":1}`}, without: []string{`2 {"type":"setup"`},
		},
		{
			name: "interruptible, an evaluation", lacks: func(s *htttx.Socket) { s.Interruptible = false },
			options: Options{Moves: []int{1}, Time: 20 * time.Millisecond}, quiet: evals,
			with: []string{`1 {"type":"interrupt"}`},
		},
		{
			name: "request_id", lacks: func(s *htttx.Socket) { s.RequestID = false },
			options: Options{Moves: []int{1}, Time: 20 * time.Millisecond}, quiet: moves,
			with:    []string{`1 {"type":"move_request"`, `"request_id":2}`},
			without: []string{`1 {"type":"interrupt"}`},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, declared := range []bool{true, false} {
				b := &strict{socket: everything(), quiet: tt.quiet}
				there, absent := tt.with, tt.without
				if !declared {
					tt.lacks(b.socket)
					there, absent = absent, there
				}
				r, err := judged(t, b, tt.options)
				if err != nil || len(b.wrong) > 0 {
					t.Fatalf("%v; the judge complains: %q", err, b.wrong)
				}
				if len(b.lines(there...)) == 0 || absent != nil && len(b.lines(absent...)) > 0 {
					t.Errorf("declared %v: want %q and not %q among\n%s", declared, there, absent,
						strings.Join(b.lines(), "\n"))
				}
				name, _, _ := strings.Cut(tt.name, ",")
				if !slices.ContainsFunc(r.Judge.Features, func(f Feature) bool {
					return f.Name == name &&
						f.Declared == declared && f.Effect != ""
				}) {
					t.Errorf("the features are %+v", r.Judge.Features)
				}
				if tt.quiet != nil && !strings.Contains(r.Moves[0].Note, "no answer in time") {
					t.Errorf("the note of a silent judge is %q", r.Moves[0].Note)
				}
			}
		})
	}
}

func TestVerdicts(t *testing.T) {
	r, err := judged(t, &strict{socket: everything()}, Options{})
	if err != nil || len(r.Moves) != 8 {
		t.Fatalf("%d moves: %v", len(r.Moves), err)
	}
	for i, note := range []string{"", "", "", "", "", "misses a win in one: [4,0][5,0]", "", "wins"} {
		if m := r.Moves[i]; m.Note != note || m.Blunder != strings.HasPrefix(note, "misses") ||
			m.Won != (i == 7) {
			t.Errorf("move %d: %+v, want %q", i+1, m, note)
		}
	}
	if last := r.Moves[7]; *last.After.Heuristic != 1 || last.Loss != nil {
		t.Errorf("the last move: %+v", last)
	}
}

// Without the socket's capabilities, a judge that is stateless as well is asked
// that way; one that says nothing of evaluations still prefers moves.
func TestStatelessJudge(t *testing.T) {
	for _, socket := range []*htttx.Socket{nil, {APIRoot: htttx.DefaultSocketRoot}} {
		b := &strict{
			socket: socket, stateless: &htttx.Stateless{APIRoot: htttx.DefaultStatelessRoot}, silent: true,
		}
		r, err := judged(t, b, Options{Threats: true})
		if err != nil || !r.Judge.Stateless || len(b.lines("turn ")) < 15 ||
			len(b.lines()) != len(b.lines("turn ")) {
			t.Fatalf("%v, %+v, heard %q", err, r, b.lines())
		}
		if m := r.Moves[3]; m.Before != nil || m.Preferred == nil || m.Threat == nil || m.Loss != nil {
			t.Errorf("%+v", m)
		}
	}
}

// A judge that is awaited when the user has had enough is interrupted.
func TestInterruptedByTheUser(t *testing.T) {
	b := &strict{socket: everything()}
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	b.quiet = func(p htttx.Packet) bool {
		m, ok := p.(htttx.MoveRequest)
		if ok && *m.RequestID == 3 {
			cancel(enough)
		}
		return ok && *m.RequestID == 3
	}
	address := b.start(t)
	d := botapi.NewDialer(false, zerolog.Nop())
	defer d.Close()
	r, err := Run(ctx, gameOf(t, sample), Options{
		Dialer: d, Address: address, Time: time.Minute, Blunder: 1,
	})
	if err != enough || len(r.Moves) != 1 || len(b.lines(`{"type":"interrupt","request_id":3}`)) != 1 {
		t.Errorf("%v after %d moves; heard\n%s", err, len(r.Moves), strings.Join(b.lines(), "\n"))
	}
}

// Judges that break the rules cost a note, or the analysis, but never hang it.
func TestHostileJudges(t *testing.T) {
	for _, tt := range []struct{ retort, want string }{
		{"hello", "failed 3 times in a row: sent something malformed"},
		{`{"type":"move_response","request_id":1,"move":{"pieces":[{"q":0,"r":0},{"q":9999,"r":0}]}}`, ""},
		{strings.Repeat(" ",
			botapi.MaxMessage+1), "failed 3 times in a row: sent a message of more than 1 MiB"},
	} {
		b := &strict{socket: everything(), retort: tt.retort}
		b.socket.RequestID = false
		r, err := judged(t, b, Options{Moves: []int{1}})
		if got := fmt.Sprint(err); !strings.Contains(got, tt.want) ||
			tt.want == "" && (err != nil || r.Moves[0].Note != "the judge's own move is against the rules") {
			t.Errorf("to %.40q: %v, %+v", tt.retort, err, r)
		}
	}
}

func TestNewGameRefuses(t *testing.T) {
	for want, moves := range map[string][][]htttx.Cell{
		"move 1 is against the rules: forfeit: cell occupied":               {{{Q: 0, R: 0}, {Q: 1, R: 0}}},
		"move 2 is against the rules: forfeit: too far":                     {{{Q: 1, R: 0}, {Q: 2, R: 0}}, {{Q: 99, R: 0}, {Q: 1, R: 1}}},
		"move 1 is against the rules: forfeit: one piece that does not win": {{{Q: 1, R: 0}}},
	} {
		if _, err := NewGame(hextictactoe.Defaults(), moves); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("NewGame = %v, want %s", err, want)
		}
	}
}

// A move that wins at once is found by the rules, also where a piece counts on the other
// one of its move.
func TestWinInOne(t *testing.T) {
	rules := hextictactoe.Defaults()
	for _, tt := range []struct {
		view int
		x    []int32 // on the line r = 0
		o    []int32
		want string
	}{
		{8, []int32{0, 1, 2, 3}, nil, "[-2,0][-1,0]"},
		{8, []int32{0, 1, 2, 3}, []int32{-1}, "[4,0][5,0]"},
		{8, []int32{0, 1, 2, 3}, []int32{-1, 5}, ""},
		{8, []int32{0, 1, 2}, nil, ""},
		{8, []int32{0, 1, 3, 4, 5}, []int32{-1}, "[2,0]"},
		{1, []int32{0, 1, 2, 3}, nil, "[-1,0][-2,0]"},
		{1, []int32{0, 1, 4, 5}, []int32{-1}, "[2,0][3,0]"},
	} {
		rules.ViewDistance = tt.view
		rules.Setup = &hextictactoe.Position{ToMove: hextictactoe.X}
		for side, list := range map[hextictactoe.Side][]int32{
			hextictactoe.X: tt.x, hextictactoe.O: tt.o,
		} {
			for _, q := range list {
				rules.Setup.Pieces = append(rules.Setup.Pieces,
					hextictactoe.Piece{Coord: hextictactoe.Coord{Q: int(q)}, Side: side})
			}
		}
		g, err := NewGame(rules, nil)
		if err != nil {
			t.Fatal(err)
		}
		move := g.winInOne(nil, htttx.Cross)
		won, _ := g.try(nil, htttx.Cross, move)
		if got := CellsText(move); won != (tt.want != "") || len(move) != strings.Count(tt.want, "[") {
			t.Errorf("winInOne(x %v, o %v, view %d) = %s, won %v, want such as %s", tt.x, tt.o, tt.view, got,
				won, tt.want)
		}
	}
}

// The evaluation that comes with a move is of the position after it: before it, the win is one move
// further away.
func TestBeforeMove(t *testing.T) {
	for after, want := range map[int32]int32{
		1: 2, -1: -2, 7: 8, math.MaxInt32: math.MaxInt32, math.MinInt32: math.MinInt32, 0: 0,
	} {
		if e := beforeMove(&htttx.Evaluation{WinIn: &after}); *e.WinIn != want {
			t.Errorf("a win in %d after a move is one in %d before it, want %d", after, *e.WinIn, want)
		}
	}
	if e := beforeMove(&htttx.Evaluation{}); e.WinIn != nil || beforeMove(nil) != nil {
		t.Errorf("of nothing there is %+v", e)
	}
}
