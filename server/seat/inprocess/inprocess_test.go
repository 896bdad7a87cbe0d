package inprocess

import (
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"go.uber.org/goleak"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/match"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// quick answers at once, with a figure to show.
type quick struct{ turns int }

func (q *quick) Start(netorcai.GameStarts) error { return nil }

func (q *quick) Turn(netorcai.Turn) ([]byte, error) {
	q.turns++
	return nil, nil
}

func (q *quick) End(netorcai.GameEnds) {}

func (q *quick) Debug() netorcai.Debug {
	return netorcai.Debug{Values: map[string]float64{"turns": float64(q.turns)}, More: []byte(`"considerations":[1]`)}
}

// thinker thinks until it is interrupted.
type thinker struct {
	quick
	limit       time.Duration
	interrupted chan struct{}
	once        sync.Once
}

func (b *thinker) Turn(netorcai.Turn) ([]byte, error) {
	<-b.interrupted
	return nil, nil
}

func (b *thinker) Interrupt()                   { b.once.Do(func() { close(b.interrupted) }) }
func (b *thinker) SetLimit(limit time.Duration) { b.limit = limit }

// shown keeps what players show beside their answers.
type shown struct {
	match.Watcher
	debug []string
}

func (s *shown) Joined(match.SeatInfo, match.Role) {}
func (s *shown) Left(match.SeatInfo, match.Role)   {}
func (s *shown) Started(*match.Frame)              {}
func (s *shown) Ended(*match.Ending)               {}

func (s *shown) Played(p *match.Play) {
	for i := range p.Answers {
		if p.Answers[i].Debug != nil {
			s.debug = append(s.debug, string(p.Answers[i].Debug))
		}
	}
}

// play plays a match in which a turn waits a moment for an answer.
func play(t *testing.T, turns int, w match.Watcher, bots ...netorcai.Bot) match.Ending {
	t.Helper()
	o := match.Options{
		Settings: match.Settings{Turns: turns, Players: len(bots)}, Autostart: true, Referee: match.Local(still{}), Log: zerolog.Nop(),
		Pace: func(match.Settings) match.Pace { return match.Fast(10*time.Millisecond, 0) },
	}
	if w != nil {
		o.Watchers = append(o.Watchers, w)
	}
	m := match.New(o)
	var loops []*Loop
	var running sync.WaitGroup
	running.Go(func() {
		for _, bot := range bots {
			loop := NewLoop()
			loops = append(loops, loop)
			running.Go(loop.Run)
			if _, err := m.Join(loop.Seat(bot, time.Second), match.Candidate{Role: match.Player}); err != nil {
				t.Error(err)
			}
		}
	})
	e := m.Run(t.Context())
	for _, loop := range loops {
		loop.Close()
	}
	running.Wait()
	return e
}

// still is a game in which nothing happens.
type still struct{}

func (still) Rules() string { return "still/1" }

func (still) Start(engine.Setup) (engine.Result, error) { return still{}.Step(nil), nil }

func (still) Step([]engine.Input) engine.Result {
	return engine.Result{Await: engine.Everyone, Winner: engine.NoPlayer}
}

func (still) AppendState(dst []byte) []byte { return append(dst, "{}"...) }
func (still) AppendDelta(dst []byte) []byte { return append(dst, "{}"...) }

func (still) AppendTally(dst []engine.Count, _ engine.PlayerID) []engine.Count { return dst }

// A bot that thinks for long delays no other with a loop of its own, and stops thinking
// when its match is over.
func TestThinkingIsCutOff(t *testing.T) {
	slow, fast := &thinker{interrupted: make(chan struct{})}, &quick{}
	e := play(t, 10, nil, slow, fast)
	if e.Err != nil || e.Steps != 10 || fast.turns != 9 {
		t.Errorf("ending %+v; the quick bot answered %d turns, want 9", e, fast.turns)
	}
	if slow.limit != time.Second {
		t.Errorf("the bot was told that a turn may take %v", slow.limit)
	}
}

// What a bot shows reaches those that watch.
func TestDebug(t *testing.T) {
	w := &shown{}
	if e := play(t, 3, w, &quick{}); e.Err != nil {
		t.Fatal(e.Err)
	}
	const want = `{"text":"","cells":[],"values":{"turns":1},"considerations":[1]}`
	if len(w.debug) == 0 || w.debug[0] != want {
		t.Errorf("shown: %q, want %q first", w.debug, want)
	}
}

// silent answers at once and shows nothing.
type silent struct{ netorcai.Bot }

// A steady turn allocates nothing.
func TestTurnAllocatesNothing(t *testing.T) {
	match := func(turns int) float64 {
		return testing.AllocsPerRun(1, func() { play(t, turns, nil, silent{&quick{}}, silent{&quick{}}) })
	}
	const more = 2000
	if n := (match(1000+more) - match(1000)) / more; n > 0.05 {
		t.Errorf("a turn allocates %v times", n)
	}
}
