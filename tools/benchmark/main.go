// Command benchmark measures a built hexarena from outside, as processes on the loopback interface,
// and prints one table: turns per second over TCP compared with a server without a game that has
// the same clients, turns per second in process, matches of cups, the cost of a cup whose matches
// one worker plays, many or two, a round of an event, the time to a first bot in each language,
// bots in JavaScript by hexarena and by Node, environments for learning, simulators in each
// language, jitter, memory, start time, size, and the cost of thousands of viewers of the page for
// the players.
//
//	make benchmark
//
// Machines are noisy and differ, so programs that are compared run in alternation,
// several times, and the table shows the medians of the ratios.
//
// It runs one child process at a time and ends it when it is interrupted.
package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"github.com/hexarena/hexarena/bots/kits"
	"github.com/hexarena/hexarena/tools/harness"
)

var program = harness.Program{
	Name: "benchmark", Setup: setup,
	Children: map[string]func([]string, io.Reader, io.Writer) error{
		ceilingCommand: runCeiling, playersCommand: runPlayers, cupBotCommand: runCupBot,
	},
}

func main() { program.Main() }

// bench is one run of the benchmark.
type bench struct {
	*harness.Job
	against string // another build to compare with over TCP; "" for none
	rounds  int
	turns   int    // of a match at full speed
	ticks   int    // turns of a match at the timer's pace
	viewers int    // of the match that many watch
	nats    string // URLs of the servers between a cup and its worker; "": in the cup's process
	// fleetSize is the number of workers of the cup that many play.
	fleetSize int
	chosen    []part
	table     harness.Table

	languages []*kits.Kit
}

// part measures one or several rows of the table.
type part struct {
	name    string
	measure func(*bench, context.Context) error
	// processor says that the part needs processor times: where the system does not tell them, it is
	// left out.
	processor bool
}

var parts = []part{
	{name: "players", measure: (*bench).players},
	{name: "visus", measure: (*bench).visus},
	{name: "small", measure: (*bench).small},
	{name: "page", measure: (*bench).page},
	{name: "jitter", measure: (*bench).jitter},
	{name: "headless", measure: (*bench).headless},
	{name: "cups", measure: (*bench).cups},
	{name: "workers", measure: (*bench).workers, processor: true},
	{name: "fleet", measure: (*bench).fleet, processor: true},
	{name: "second", measure: (*bench).second, processor: true},
	{name: "kits", measure: (*bench).kits},
	{name: "env", measure: (*bench).environments},
	{name: "scripts", measure: (*bench).scripts},
	{name: "footprint", measure: (*bench).footprint},
	{name: "event", measure: (*bench).events},
	{name: "join", measure: (*bench).joined},
	{name: "viewers", measure: (*bench).watched},
}

// maxTurns is the most turns that a match can have.
const maxTurns = 65_535

func setup(j *harness.Job) func(context.Context) error {
	b := &bench{Job: j}
	j.Flags.StringVar(&j.Hexarena, "binary", "bin/hexarena",
		"the program to measure; make build makes it")
	j.Flags.StringVar(&b.against, "against", "",
		"another build, which plays the same matches in alternation with -binary")
	j.Int(&b.rounds, "rounds", 5, 1, math.MaxInt, "measurements of each pair")
	j.Int(&b.turns, "turns", 40_000, 10, maxTurns, "turns of a match at full speed")
	j.Int(
		&b.ticks, "ticks", 400, 20, maxTurns,
		fmt.Sprintf(
			"turns of a match at the pace of 50 ms, and with -viewers of 100 ms, there %d at most",
			watchedTurns),
	)
	j.Int(&b.viewers, "viewers", 2000, 1, math.MaxInt, "viewers of the match that many watch")
	j.Int(&b.fleetSize, "workers", 50, 1, math.MaxInt, "workers of the cup that many play")
	j.Flags.StringVar(&b.nats, "nats", "", "URLs of NATS servers with JetStream, separated by "+
		"commas, over which workers play; without them, the cup has its own")
	language := func(k *kits.Kit) string { return k.Language }
	languages := j.Flags.String(
		"kits", "",
		"languages whose kits to measure, separated by commas: "+harness.Names(kits.All,
			language)+" (default all)",
	)
	quick := j.Flags.Bool("quick", false, "a short run: 2 rounds, 4000 turns, 60 ticks")
	title := func(p part) string { return p.name }
	only := j.Flags.String("only", "",
		"parts to measure, separated by commas: "+harness.Names(parts, title)+" (default all)")
	j.Check(func() (err error) {
		if *quick {
			b.rounds, b.turns, b.ticks = 2, 4000, 60
		}
		if b.chosen, err = harness.Select("only", parts, title, *only); err != nil {
			return err
		}
		if b.languages, err = harness.Select("kits", kits.All, language, *languages); err != nil {
			return err
		}
		if j.Hexarena, err = filepath.Abs(j.Hexarena); err != nil {
			return err
		}
		if _, err := os.Stat(j.Hexarena); err != nil {
			return fmt.Errorf("-binary: %w; make build makes it", err)
		}
		if b.against == "" {
			return nil
		}
		if _, err = os.Stat(b.against); err != nil {
			return fmt.Errorf("-against: %w; give the path of an earlier build", err)
		}
		return nil
	})
	return b.run
}

func (b *bench) run(ctx context.Context) error {
	began := time.Now()
	for _, p := range b.chosen {
		if p.processor && harness.ProcessorTime() == 0 {
			b.Report("%s: processor time is unknown on this system", p.name)
			continue
		}
		if err := p.measure(b, ctx); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	b.Report("done after %v", time.Since(began).Round(time.Second))
	fmt.Fprintf(b.Out, "%s/%s, %d cores, %s; %d rounds; medians, in brackets the lowest and the "+
		"highest\n",
		runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version(), b.rounds)
	return b.table.Print(b.Out, "measured", "beside")
}

// game is a match that is measured.
type game struct {
	what  string
	crowd harness.Crowd
	board string // a map
	turns int
	flags []string // further ones of the server
}

// The map of most matches, and the number of characters of each of its players.
const (
	largeMap   = "archipelago" // 455 cells
	characters = 7
)

// plainFlags start a server without recordings and page.
var plainFlags = []string{"--record", "", "--http", ""}

// fullFlags start a server with recordings and page.
func (b *bench) fullFlags() []string {
	return []string{"--record", filepath.Join(b.Dir, "recordings"), "--http", "127.0.0.1:0"}
}

// serve starts a server whose match begins when all clients have logged in. Settings have
// netorcai's names, which every build knows.
func (g *game) serve(
	ctx context.Context, program string, flags ...string,
) (*harness.Server, error) {
	return harness.Serve(ctx, program, append(append([]string{
		"--autostart", "--map", g.board, "--nb-turns-max", strconv.Itoa(g.turns),
		"--nb-players-max", strconv.Itoa(g.crowd.Players), "--nb-visus-max", strconv.Itoa(g.crowd.Visus),
	}, g.flags...), flags...)...)
}

// outcome is what was measured in a match.
type outcome struct {
	harness.Outcome
	cpu float64 // processor time of the server per turn in µs, its start included
}

// playOn connects a crowd to the match of a process and waits for the end of the process.
func playOn(
	ctx context.Context, p *harness.Process, w harness.Crowd, addr string,
) (o outcome, err error) {
	if o.Outcome, err = w.Play(ctx, addr); err != nil {
		p.Stop()
		return o, err
	}
	err = p.Wait()
	o.cpu = float64(p.CPU().Microseconds()) / float64(o.Turns+1)
	return o, err
}
