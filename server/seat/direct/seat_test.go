package direct

import (
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"go.uber.org/goleak"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/match"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// quickBot answers at once and has debug data.
type quickBot struct{ turns int }

func (q *quickBot) Start(netorcai.GameStarts) error { return nil }

func (q *quickBot) Turn(netorcai.Turn) ([]byte, error) {
	q.turns++
	return nil, nil
}

func (q *quickBot) End(netorcai.GameEnds) {}

func (q *quickBot) Debug() netorcai.Debug {
	return netorcai.Debug{
		Values: map[string]float64{"turns": float64(q.turns)}, More: []byte(`"considerations":[1]`),
	}
}

// slowBot thinks until it is interrupted.
type slowBot struct {
	quickBot
	limit       time.Duration
	interrupted chan struct{}
	once        sync.Once
}

func (b *slowBot) Turn(netorcai.Turn) ([]byte, error) {
	<-b.interrupted
	return nil, nil
}

func (b *slowBot) Interrupt()                   { b.once.Do(func() { close(b.interrupted) }) }
func (b *slowBot) SetLimit(limit time.Duration) { b.limit = limit }

// debugLog is a watcher that keeps the players' debug data.
type debugLog struct {
	match.BaseWatcher
	debug []string
}

func (s *debugLog) Played(p *match.Play) {
	for i := range p.Answers {
		if p.Answers[i].Debug != nil {
			s.debug = append(s.debug, string(p.Answers[i].Debug))
		}
	}
}

// play plays a match whose turns wait briefly for answers.
func play(t *testing.T, turns int, w match.Watcher, bots ...netorcai.Bot) match.Ending {
	t.Helper()
	o := match.Options{
		Settings: match.Settings{Turns: turns, Players: len(bots)}, Autostart: true,
		Referee: match.Local(idleGame{}), Log: zerolog.Nop(),
		Pace: match.PaceSpec{Limit: time.Second / 4}.Pace,
	}
	if w != nil {
		o.Watchers = append(o.Watchers, w)
	}
	m := match.New(o)
	var loops []*loop
	var running sync.WaitGroup
	running.Go(func() {
		for _, bot := range bots {
			l := newLoop()
			loops = append(loops, l)
			running.Go(l.run)
			if _, err := m.Join(l.seat(bot, time.Second), match.Candidate{Role: match.Player}); err != nil {
				t.Error(err)
			}
		}
	})
	e := m.Run(t.Context())
	for _, l := range loops {
		l.close()
	}
	running.Wait()
	return e
}

// idleGame is a game whose state never changes.
type idleGame struct{}

func (idleGame) Rules() string { return "still/1" }

func (idleGame) Start(engine.Setup) (engine.Result, error) { return idleGame{}.Step(nil), nil }

func (idleGame) Step([]engine.Input) engine.Result {
	return engine.Result{Await: engine.Everyone, Winner: engine.NoPlayer}
}

func (idleGame) AppendState(dst []byte) []byte { return append(dst, "{}"...) }
func (idleGame) AppendDelta(dst []byte) []byte { return append(dst, "{}"...) }

func (idleGame) AppendTally(dst []engine.Count, _ engine.PlayerID) []engine.Count { return dst }

// A slow bot does not delay bots with other loops, and is interrupted when its match is
// over.
func TestThinkingIsCutOff(t *testing.T) {
	thorough.Long(t)
	slow, fast := &slowBot{interrupted: make(chan struct{})}, &quickBot{}
	e := play(t, 4, nil, slow, fast)
	if e.Err != nil || e.Steps != 4 || fast.turns != 3 {
		t.Errorf("ending %+v; the quick bot answered %d turns, want 3", e, fast.turns)
	}
	if slow.limit != time.Second {
		t.Errorf("the bot was told that a turn may take %v", slow.limit)
	}
}

// Debug data of a bot reaches watchers.
func TestDebug(t *testing.T) {
	w := &debugLog{}
	if e := play(t, 3, w, &quickBot{}); e.Err != nil {
		t.Fatal(e.Err)
	}
	const want = `{"text":"","cells":[],"values":{"turns":1},"considerations":[1]}`
	if len(w.debug) == 0 || w.debug[0] != want {
		t.Errorf("shown: %q, want %q first", w.debug, want)
	}
}

// silentBot answers at once without debug data.
type silentBot struct{ netorcai.Bot }

// A steady turn allocates nothing.
func TestTurnAllocatesNothing(t *testing.T) {
	match := func(turns int) float64 {
		return testing.AllocsPerRun(1,
			func() { play(t, turns, nil, silentBot{&quickBot{}}, silentBot{&quickBot{}}) })
	}
	const more = 2000
	if n := (match(1000+more) - match(1000)) / more; n > 0.05 {
		t.Errorf("a turn allocates %v times", n)
	}
}
