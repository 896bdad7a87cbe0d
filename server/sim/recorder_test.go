package sim

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
)

// Whatever the disk does, and whenever the power fails, recordings hold what their recorders
// did not complain about.
func TestRecordersCrash(t *testing.T) {
	warmUp(t)
	seeds := 1000
	if testing.Short() {
		seeds = 100
	}
	for seed := range uint64(seeds) {
		if t.Run(fmt.Sprint(seed), func(t *testing.T) { crashRecorders(t, seed) }); false {
			return
		}
	}
}

// warmUp has package recording make what it shares among all matches, which must not belong
// to a bubble of synctest.
func warmUp(t *testing.T) {
	t.Helper()
	_, err := recording.Write(recording.Options{Disk: NewStorage(0).Mount(), Dir: "d", Game: hexabomb.New(tinyBoard)}, recording.Moves{Turns: 1})
	if err != nil {
		t.Fatal(err)
	}
}

// tinyBoard is a board of four cells for two players.
var tinyBoard = &hexabomb.Map{
	Cells:  []hexgrid.Coord{{Q: 0}, {Q: 1}, {Q: 2}, {Q: 3}},
	Starts: [][]hexgrid.Coord{{{Q: 0}}, {{Q: 3}}},
}

// ledger is what is known of a recording: what was acknowledged, and when.
type ledger struct {
	mu       sync.Mutex // guards all below: the match may be in the middle of a turn when the power fails
	path     string
	acked    []time.Time // by turn, beginning with the initial state
	trouble  bool        // the recorder has complained, and nothing is well again
	ended    bool        // the recording was finished without a complaint
	level    recording.Durability
	crashed  bool // the recorder's generation is over
	readable int  // the last turn that was there after that, -1 without any
	safe     int  // the last turn that has to survive the next power failure
}

// seen is what the recorder told, once it has recorded a turn.
func (l *ledger) seen(path string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.path = path
	l.acked = append(l.acked, time.Now())
}

func (l *ledger) complain(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.trouble = err != nil
	if err == nil { // what waited is written now
		for i := range l.acked {
			l.acked[i] = time.Now()
		}
	}
}

// durable returns the last turn that has to be there after a crash, -1 if the file need not be.
func (l *ledger) durable(power bool, slow time.Duration) int {
	last := len(l.acked) - 1
	switch {
	case l.crashed && power:
		return l.safe
	case l.crashed:
		return l.readable
	case l.trouble:
		return -1
	case l.ended, !power, l.level == recording.EveryTurn:
		return last
	case l.level == recording.AtEnd:
		return -1
	}
	// A sync begins up to a second after a turn, or after the one before it, and takes its time;
	// that it failed is known when the next turn is recorded.
	for last >= 0 && time.Since(l.acked[last]) <= time.Second+2*slow {
		last--
	}
	for last >= 0 && l.acked[len(l.acked)-1].Sub(l.acked[last]) <= time.Second+2*slow {
		last--
	}
	return last
}

// recorded plays a match of random length for a recorder on a disk.
func recorded(rnd *rand.Rand, disk *Disk, d recording.Durability, l *ledger) {
	game := hexabomb.New(tinyBoard)
	turns := 5 + rnd.IntN(11)
	o := recording.Options{Disk: disk, Dir: "d", Durable: d, Game: game, Map: tinyBoard.AppendJSON(nil), Seed: rnd.Uint64(), Complain: l.complain}
	r := recording.New(o)
	result, err := game.Start(engine.Setup{Players: 2, Turns: turns, Seed: o.Seed})
	if err != nil {
		panic(err)
	}
	frame := &match.Frame{State: game.AppendState(nil), Table: match.Table{
		Settings: match.Settings{Turns: turns, Players: 2}, Players: 2,
		Seats: []match.SeatInfo{{ID: 0}, {ID: 1}},
	}}
	r.Started(frame)
	l.seen(r.Path())
	for step := 1; step <= turns; step++ {
		time.Sleep(time.Duration(rnd.Int64N(int64(900 * time.Millisecond))))
		var inputs []engine.Input
		play := &match.Play{Step: step, Frame: frame}
		if step > 1 {
			inputs = randomMoves(rnd, step-2)
		}
		for _, in := range inputs {
			play.Answers = append(play.Answers, match.Answer{Input: in})
		}
		result = game.Step(inputs)
		frame.State = game.AppendState(frame.State[:0])
		play.Result = result
		r.Played(play)
		l.seen(r.Path())
	}
	r.Ended(&match.Ending{Steps: turns, Winner: result.Winner})
	l.mu.Lock()
	defer l.mu.Unlock()
	l.path, l.ended = r.Path(), r.Err() == nil && !disk.Ended()
}

func randomMoves(rnd *rand.Rand, turn int) (inputs []engine.Input) {
	for p := range engine.PlayerID(2) {
		text := fmt.Sprintf(`[{"id":%d,"movement":"move","direction":"%s"}]`, p, []string{"x+", "x-"}[rnd.IntN(2)])
		inputs = append(inputs, engine.Input{Player: p, Turn: turn, Actions: []byte(text)})
	}
	return inputs
}

// crashRecorders runs three generations of recorders, one of which may have a disk in trouble.
func crashRecorders(t *testing.T, seed uint64) {
	synctest.Test(t, func(t *testing.T) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		s := NewStorage(seed)
		var all []*ledger
		for range 3 {
			d := recording.Durability(rnd.IntN(3))
			trouble := drawTrouble(rnd)
			s.Trouble(trouble)
			var running sync.WaitGroup
			disk := s.Mount()
			for range 1 + rnd.IntN(3) {
				l := &ledger{level: d, readable: -1}
				all = append(all, l)
				stream := rand.New(rand.NewPCG(rnd.Uint64(), 2))
				running.Go(func() { recorded(stream, disk, d, l) })
			}
			time.Sleep(time.Duration(rnd.Int64N(int64(12 * time.Second))))
			if rnd.IntN(2) == 0 {
				s.Trouble(Trouble{})
				time.Sleep(time.Duration(rnd.Int64N(int64(3 * time.Second))))
			}
			power := rnd.IntN(3) > 0
			var due []int
			for _, l := range all {
				l.mu.Lock()
				due = append(due, l.durable(power, trouble.Slow))
				l.safe = l.durable(true, trouble.Slow)
			}
			if power {
				s.Crash()
			} else {
				s.Kill()
			}
			for _, l := range all {
				l.mu.Unlock()
			}
			s.Trouble(Trouble{})
			running.Wait()
			after := s.Mount()
			for i, l := range all {
				readable, err := verify(after, l.path)
				if l.crashed = true; power {
					l.safe = readable
				}
				if l.readable = readable; readable < due[i] || err != nil {
					t.Errorf("seed %d, power failure %t, %+v, durable %d: %s can be read to turn %d, want %d: %v",
						seed, power, trouble, l.level, l.path, readable, due[i], err)
				}
			}
		}
	})
}

func drawTrouble(rnd *rand.Rand) (t Trouble) {
	switch rnd.IntN(5) {
	case 0:
		t.Space = 1 + rnd.Int64N(8<<10)
	case 1:
		t.Errors = rnd.Float64() / 4
	case 2:
		t.ReadOnly = rnd.IntN(4) == 0
	}
	switch rnd.IntN(6) {
	case 0, 1:
		t.Slow = time.Duration(rnd.Int64N(int64(200*time.Millisecond)) + 1)
	case 2:
		t.Slow = time.Duration(rnd.Int64N(int64(3*time.Second)) + 1)
	}
	return t
}

// verify returns the last turn of a recording that can be read, -1 without any. The error is
// set if a turn is not what it was when it was played.
func verify(disk *Disk, path string) (last int, err error) {
	f, err := disk.Open(path)
	if err != nil {
		return -1, nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return -1, err
	}
	r, err := recording.NewReader(f, info.Size())
	if err != nil {
		return -1, nil
	}
	defer r.Close()
	p, err := recording.NewReplay(r, func(_ string, board []byte) (engine.Game, error) {
		m, err := hexabomb.ParseMap(board)
		return hexabomb.New(m), err
	})
	if err != nil {
		return -1, err
	}
	for {
		_, err := p.Next()
		var damage *recording.DamageError
		if err == io.EOF || errors.As(err, &damage) {
			return r.Step(), nil
		}
		if err != nil {
			return r.Step(), err
		}
	}
}
