package match

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/engine"
)

// plainGame counts its steps and keeps its inputs.
type plainGame struct {
	step   int
	inputs [][]engine.Input
	panics int // the step that panics; 0: none
	ends   int // the step that ends the game; 0: none
}

func (g *plainGame) Rules() string { return "plain/1" }

func (g *plainGame) Start(engine.Setup) (engine.Result, error) {
	return engine.Result{Await: engine.Everyone, Winner: engine.NoPlayer}, nil
}

func (g *plainGame) Step(in []engine.Input) engine.Result {
	g.step++
	if g.step == g.panics {
		panic("out of cheese")
	}
	g.inputs = append(g.inputs, append([]engine.Input(nil), in...))
	return engine.Result{Await: engine.Everyone, Winner: engine.NoPlayer, Over: g.step == g.ends}
}

func (g *plainGame) AppendState(dst []byte) []byte {
	return fmt.Appendf(dst, `{"step":%d}`,
		g.step)
}
func (g *plainGame) AppendDelta(dst []byte) []byte { return g.AppendState(dst) }

func (g *plainGame) AppendTally(dst []engine.Count, _ engine.PlayerID) []engine.Count { return dst }

// fakeSeat keeps what it is told. Its bot answers each TURN after a delay, in a
// separate goroutine; with a negative delay it does not answer.
type fakeSeat struct {
	place    *Place
	id       engine.PlayerID
	received chan string
	delay    func(turn int) time.Duration
	asked    chan int
	bot      sync.WaitGroup
}

func newSeat(delay func(int) time.Duration) *fakeSeat {
	s := &fakeSeat{
		id: -2, received: make(chan string, 1000), delay: delay, asked: make(chan int, 1000),
	}
	s.bot.Go(func() {
		for turn := range s.asked {
			if d := s.delay(turn); d >= 0 {
				time.Sleep(d)
				s.place.Answer(turn, []byte(`[]`), nil, d)
			}
		}
	})
	return s
}

func always(d time.Duration) func(int) time.Duration { return func(int) time.Duration { return d } }

func (s *fakeSeat) Welcome(p *Place) { s.place = p; s.record("welcome") }

func (s *fakeSeat) Begin(f *Frame, id engine.PlayerID) {
	s.id = id
	s.record("begin %s", f.State)
}

func (s *fakeSeat) Offer(f *Frame) {
	if f.Moment == Ended {
		s.record("end %s", f.State)
		return
	}
	s.record("turn %d %s", f.Turn, f.State)
	s.asked <- f.Turn
}

func (s *fakeSeat) Kick(reason error) { s.record("kick: %v", reason); close(s.asked) }

// leave leaves and returns when the match has noticed.
func (s *fakeSeat) leave() {
	s.place.Leave("left")
	s.place.match.ask(func() {})
	close(s.asked)
}

func (s *fakeSeat) record(format string, args ...any) { s.received <- fmt.Sprintf(format, args...) }

// expect fails the test unless the seat is told exactly this next.
func (s *fakeSeat) expect(t *testing.T, want ...string) {
	t.Helper()
	for _, w := range want {
		select {
		case got := <-s.received:
			if got != w {
				t.Fatalf("seat was told %q, want %q", got, w)
			}
		case <-time.After(time.Hour):
			t.Fatalf("seat was told nothing, want %q", w)
		}
	}
}

// diary is a watcher that keeps the turns.
type diary struct {
	BaseWatcher
	plays  []string
	times  []time.Duration // since the start
	seats  [][]SeatInfo
	begun  time.Time
	ending *Ending
}

func (d *diary) Started(*Frame)  { d.begun = time.Now() }
func (d *diary) Ended(e *Ending) { d.ending = e }

func (d *diary) Played(p *Play) {
	text := fmt.Sprint(p.Step, ":")
	for _, a := range p.Answers {
		text += fmt.Sprintf(" %d@%d", a.Player, a.Turn)
		if a.Lapse != engine.Answered {
			text += "!" + strings.ReplaceAll(a.Lapse.String(), " ", "-")
		}
	}
	d.plays = append(d.plays, text)
	d.times = append(d.times, p.At.Sub(d.begun))
	d.seats = append(d.seats, p.Frame.Table.Seats)
}

func quiet(o Options) Options {
	o.Log = zerolog.Nop()
	if o.Pace == nil {
		o.Pace = func(Settings) Pace { return Fast(0, 0) }
	}
	if o.Referee == nil {
		o.Referee = Local(&plainGame{})
	}
	return o
}
