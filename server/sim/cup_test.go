package sim

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/netorcai"
	cupplan "github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/contest/source"
	"github.com/hexarena/hexarena/server/contest/sprt"
	"github.com/hexarena/hexarena/server/cup"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/cup/cuptest"
	"github.com/hexarena/hexarena/server/cup/standings"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/games/hexabomb"
	"github.com/hexarena/hexarena/server/machine/disk"
	"github.com/hexarena/hexarena/server/seat"
)

// slow is a bot that thinks for a while, so that time passes, and may fail in a turn.
type slow struct {
	netorcai.Bot
	rng   *rand.Rand
	fails int // the turn; negative: none
}

func (b *slow) Turn(m netorcai.Turn) ([]byte, error) {
	time.Sleep(time.Duration(b.rng.IntN(40)) * time.Millisecond)
	if m.Number == b.fails {
		return nil, errors.New("the bot fails")
	}
	return b.Bot.Turn(m)
}

// cupTurns is the number of turns the matches of cups have: enough to differ.
const cupTurns = 3

// cupGame returns hexabomb with slow bots, one of which fails often.
func cupGame() *games.Game {
	g := hexabomb.Game()
	add := func(name, of string, fails func(*rand.Rand) int) {
		g.Builtins = append(g.Builtins, games.Builtin{Name: name, New: func(seed uint64) netorcai.Bot {
			rng := rand.New(rand.NewPCG(seed, 1))
			b, err := hexabomb.Game().NewBuiltin(of, seed)
			if err != nil {
				panic(err)
			}
			return &slow{b, rng, fails(rng)}
		}})
	}
	never := func(*rand.Rand) int { return -1 }
	add("slow", "random", never)
	add("steady", "painter", never)
	add("fails", "random", func(rng *rand.Rand) int { return rng.IntN(2 * cupTurns) })
	add("crashes", "random", func(*rand.Rand) int { return 1 })
	return g
}

// cups is what all cups have in common.
type cups struct {
	game    *games.Game
	boards  []games.Instance
	maps    []cupplan.Map
	scratch string
}

func newCups(t *testing.T) *cups {
	t.Helper()
	g := cupGame()
	c := &cups{game: g, boards: cuptest.Boards(t, g, "pebble", "clover"), scratch: t.TempDir()}
	for _, b := range c.boards {
		c.maps = append(c.maps, cupplan.Map{Name: b.Map, Places: b.Players})
	}
	return c
}

// draw returns the contest of a seed.
func (c *cups) draw(t *testing.T, rng *rand.Rand, seed uint64) *cup.Contest {
	t.Helper()
	bots := []string{"slow", "steady", "fails", "crashes", "slow"}[:2+rng.IntN(4)]
	formats := []cupplan.Format{
		cupplan.RoundRobin, cupplan.RoundRobin, cupplan.Gauntlet, cupplan.Swiss, cupplan.Ladder,
		cupplan.KnockOut, cupplan.Comparison,
	}
	p := &cupplan.Plan{
		Format: formats[rng.IntN(len(formats))], Game: c.game.Name, Maps: c.maps, Seats: 2,
		Count: 8 + rng.IntN(24), Seed: seed,
		Settings: []cupplan.Setting{{Name: "turns", Value: fmt.Sprint(cupTurns)}},
	}
	if p.Format == cupplan.Comparison {
		p.Test = &sprt.Hypotheses{NElo0: 0, NElo1: 30, Alpha: 0.05, Beta: 0.05}
	}
	entrants, err := source.Enter(t.Context(), bots, seat.Known{Game: c.game.Name, Builtin: c.game.NewBuiltin}, c.scratch)
	if err != nil {
		t.Fatal(err)
	}
	for i := range entrants {
		p.Bots = append(p.Bots, entrants[i].Bot)
	}
	if err := errors.Join(cup.WholeRounds(p), p.Check()); err != nil {
		t.Fatal(err)
	}
	return &cup.Contest{
		Plan: p, Shard: cupplan.Whole, Game: c.game, Boards: c.boards, Entrants: entrants,
		Turns: cupTurns, Program: "sim",
	}
}

// cupFolder is the folder of a cup on a storage.
const cupFolder = "/cup"

// play plays a contest on a storage, through some crashes, to its end, and returns its log.
func playCup(c *cup.Contest, s *Storage, rng *rand.Rand, crashes int) ([]byte, error) {
	options := cup.Options{Jobs: 1 + rng.IntN(4), CheckpointRows: 1 + rng.IntN(9)}
	failed := false
	for range crashes {
		if rng.IntN(3) == 0 {
			failed = true
			s.Trouble(Trouble{Errors: 0.02, Slow: time.Duration(1+rng.IntN(60)) * time.Millisecond})
		}
		ctx, cancel := context.WithCancel(context.Background())
		ends := s.Crash
		if rng.IntN(3) == 0 {
			ends = s.Kill
		}
		crash := time.AfterFunc(time.Duration(
			rng.IntN(1500))*time.Millisecond, func() { ends(); cancel() })
		err := cup.Play(ctx, c, &cup.Folder{Dir: cupFolder, Disk: s.Mount()}, options)
		crash.Stop()
		cancel()
		s.calm()
		if err == nil {
			break
		}
	}
	d := s.Mount()
	if err := cup.Play(context.Background(), c, &cup.Folder{Dir: cupFolder, Disk: d}, options); err != nil {
		return nil, err
	}
	if err := sameTables(&archive.Cup{Dir: cupFolder, Plan: c.Plan, Shard: c.Shard, Disk: d}, !failed); err != nil {
		return nil, err
	}
	return disk.ReadFile(d, cupFolder+"/log.ndjson")
}

// sameTables returns an error if the table from the checkpoint is not that from all rows. The
// output of bots counts only if wanted: a sync that failed leaves times that can be read, and are
// gone after a crash.
func sameTables(c *archive.Cup, printed bool) error {
	all, err := c.Standings(func(*results.Row) error { return nil })
	if err != nil {
		return err
	}
	s, rows := c.Resume()
	if err := rows.AddTo(s, func(*results.Row) error { return nil }); err != nil {
		return err
	}
	got, want := s.Table(5), all.Table(5)
	for _, list := range [][]standings.ErrorGroup{got.Errors, want.Errors} {
		for i := range list {
			if g := &list[i]; !printed {
				g.Turns, g.Exit, g.Printed = 0, "", nil
			}
		}
	}
	if !reflect.DeepEqual(got, want) {
		return fmt.Errorf(
			"the table from the checkpoint has the bots\n%+v\nand the errors\n%+v\nwant\n%+v\nand\n%+v",
			got.Bots, got.Errors, want.Bots, want.Errors)
	}
	return nil
}

// runCup plays the cup of a seed undisturbed and through crashes, and if it can be divided in
// shards as well. It returns a digest of the log, and an error if the logs differ.
func (c *cups) runCup(t *testing.T, seed uint64) (digest string, err error) {
	synctest.Test(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(seed, 2))
		contest := c.draw(t, rng, seed)
		want, failure := playCup(contest, NewStorage(seed), rng, 0)
		if digest, err = digestOf(want), failure; err != nil {
			return
		}
		got, failure := playCup(contest, NewStorage(seed), rng, 1+rng.IntN(5))
		if err = failure; err != nil {
			return
		}
		if !bytes.Equal(got, want) {
			err = fmt.Errorf("after crashes the log is\n%s\nwant\n%s", got, want)
			return
		}
		if contest.Plan.Format != cupplan.RoundRobin && contest.Plan.Format != cupplan.Gauntlet {
			return
		}
		merged := make([][]byte, bytes.Count(want, []byte("\n")))
		for i := range 3 {
			part := *contest
			part.Shard = cupplan.Shard{Number: i + 1, Of: 3}
			log, failure := playCup(&part, NewStorage(seed+uint64(i)), rng, rng.IntN(3))
			if err = failure; err != nil {
				return
			}
			lines, k := bytes.SplitAfter(log, []byte("\n")), 0
			for _, line := range lines[:len(lines)-1] {
				k = part.Shard.Next(k, contest.Plan.Stretch())
				merged[k] = line
				k++
			}
		}
		if got := bytes.Join(merged, nil); !bytes.Equal(got, want) {
			err = fmt.Errorf("the shards have the log\n%s\nwant\n%s", got, want)
		}
	})
	return digest, err
}

// Cups of built-in bots that are played on a disk which crashes, fails and is slow have the logs of
// cups that are not disturbed, byte for byte, and so have shards together; tables from checkpoints
// are those from all rows. More seeds:
//
//	go test -count=1 -timeout 0 -run TestCups -v ./server/sim -args -seeds 1..10000
func TestCups(t *testing.T) {
	thorough.Long(t)
	forSeeds(t, usualTime, newCups(t).runCup)
}
