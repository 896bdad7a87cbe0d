package sim

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
)

// Whatever the disk does, and whenever the power fails, recordings hold what their recorders
// did not complain about. Worlds have recorders of their own, of the same seed; these are the
// seeds in which they were less durable than acknowledged.
func TestRecordersCrash(t *testing.T) {
	thorough.Long(t)
	for _, seed := range foundByRecorders {
		for _, text := range crashRecorders(t, seed) {
			t.Errorf("seed %d: %s", seed, text)
		}
	}
}

var foundByRecorders = []uint64{
	8, 11, // with durability at the end, nothing made the name of a finished file durable
	12, 29, 157, // a turn whose sync failed was written twice; a folder's failing sync was ignored
	724, 936, // what a sync every second lost when it failed was not written again
	2489, // it was written again, but not synced again
	// the footer of frames that were not synced survived, and the intact lines were not read
	67277, 151024, 155195,
}

// tinyBoard is a board of four cells for two players.
var tinyBoard = &hexabomb.Map{
	Cells:  []hexgrid.Coord{{Q: 0}, {Q: 1}, {Q: 2}, {Q: 3}},
	Starts: [][]hexgrid.Coord{{{Q: 0}}, {{Q: 3}}},
}

// recorded plays a match of random length for a recorder on a disk, and calls finish before the
// recorder learns of the end.
func recorded(rnd *rand.Rand, disk *Disk, packer *recording.Packer, l *ledger, finish func()) {
	game := hexabomb.New(tinyBoard)
	turns := 5 + rnd.IntN(11)
	o := recording.Options{
		Disk: disk, Dir: "d", Durable: l.level, Packer: packer, Rules: game,
		Map: tinyBoard.AppendJSON(nil), Seed: l.seed, Complain: l.complain,
	}
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
	l.seen()
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
		l.seen()
	}
	finish()
	r.Ended(&match.Ending{Steps: turns, Winner: result.Winner})
	l.end(r.Err())
}

func randomMoves(rnd *rand.Rand, turn int) (inputs []engine.Input) {
	for p := range engine.PlayerID(2) {
		text := fmt.Sprintf(`[{"id":%d,"movement":"move","direction":"%s"}]`, p,
			[]string{"x+", "x-"}[rnd.IntN(2)])
		inputs = append(inputs, engine.Input{Player: p, Turn: turn, Actions: []byte(text)})
	}
	return inputs
}

// crashRecorders runs three generations of recorders, some of which have a disk in trouble, and
// returns what is missing in their recordings after a crash. Recorders alone crash in more ways
// than whole worlds do in the same time.
func crashRecorders(t *testing.T, seed uint64) (missing []string) {
	t.Helper()
	synctest.Test(t, func(*testing.T) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		s := NewStorage(seed)
		var all []*ledger
		for range 3 {
			level := recording.Durability(rnd.IntN(3))
			s.Trouble(drawTrouble(rnd))
			var running sync.WaitGroup
			var packer recording.Packer
			disk := s.Mount()
			for range 1 + rnd.IntN(3) {
				l := &ledger{level: level, seed: rnd.Uint64(), readable: -1}
				all = append(all, l)
				stream := rand.New(rand.NewPCG(rnd.Uint64(), 2))
				running.Go(func() { recorded(stream, disk, &packer, l, func() {}) })
			}
			time.Sleep(time.Duration(rnd.Int64N(int64(12 * time.Second))))
			slow := s.calm()
			if rnd.IntN(2) == 0 {
				time.Sleep(time.Duration(rnd.Int64N(int64(3 * time.Second))))
			}
			power := rnd.IntN(3) > 0
			for _, l := range all {
				l.crash(power, slow)
			}
			if power {
				s.Crash()
			} else {
				s.Kill()
			}
			running.Wait()
			missing = append(missing, s.missing("d", power, all)...)
		}
	})
	return missing
}

// crashPacking cuts the power while a recording is packed, and returns what is missing in it.
func crashPacking(t *testing.T, seed uint64) (missing []string) {
	t.Helper()
	synctest.Test(t, func(*testing.T) {
		rnd := rand.New(rand.NewPCG(seed, 3))
		s := NewStorage(seed)
		l := &ledger{level: recording.EveryTurn, seed: seed, readable: -1}
		var running sync.WaitGroup
		packing := make(chan struct{})
		running.Go(func() {
			recorded(rnd, s.Mount(), new(recording.Packer), l, func() {
				s.Trouble(Trouble{Slow: time.Second})
				close(packing)
			})
		})
		<-packing
		time.Sleep(time.Duration(rnd.Int64N(int64(packingTime))))
		l.crash(true, s.calm())
		s.Crash()
		running.Wait()
		missing = s.missing("d", true, []*ledger{l})
	})
	return missing
}

// packingTime is the time that a recording is packed on a disk whose operations take up to a
// second: there are about ten.
const packingTime = 6 * time.Second

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
