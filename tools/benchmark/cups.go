package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/tools/harness"
)

// The turns of a match of a cup, and what its bots take for each of them where they think.
const (
	cupTurns  = 100
	thinkTime = 20 * time.Millisecond
)

// cups measures cups whose bots are processes that stay: how many matches of trivial bots they
// play, and what they cost beside bots that compute all the time.
func (b *bench) cups(ctx context.Context) error {
	board, err := b.cupMap()
	if err != nil {
		return err
	}
	cores := runtime.NumCPU()
	var rates, cpu, shares harness.Series
	for round := range b.rounds {
		fast, err := b.playCup(ctx, cup{
			board: board, bots: 4, seats: 4, jobs: 2 * cores,
			matches: max(8*cores, b.turns/cupTurns), think: 0,
		})
		if err != nil {
			return err
		}
		rates, cpu = append(rates, fast.rate), append(cpu, fast.cpu)
		// As many bots as cores compute at the same time, by their processor time: other load of the
		// machine does not count. A match takes each of them two seconds, so that a short run plays one
		// block of two.
		slow, err := b.playCup(ctx, cup{
			board: board, bots: 2, seats: 2, jobs: max(1, cores/2),
			matches: 2 * max(1, min(2*cores, b.turns/cupTurns/2)), think: thinkTime,
		})
		if err != nil {
			return err
		}
		shares = append(shares, slow.share)
		b.Report("cups, round %d of %d: %.0f matches/s, %.1f ms of CPU a match; %.2f %% of the "+
			"processor time of bots that think",
			round+1, b.rounds, fast.rate, fast.cpu, slow.share)
	}
	row := harness.Row{
		What:  "cup, 4 bots that stay, 100 turns, 91 cells",
		First: fmt.Sprintf("%.1f ms of CPU a match", cpu.Median()), Figure: rates.Format(0, " matches/s"),
	}
	if cores == 2 {
		row.Target, row.Met = "≥ 60 matches/s", rates.Median() >= 60
	}
	b.table.Add(row)
	if harness.ProcessorTime() == 0 {
		b.Report("cup, processor time: unknown on %s", runtime.GOOS)
		return nil
	}
	b.table.Add(harness.Row{
		What:   "cup, 20 ms a turn on all cores: processor time beside the bots'",
		Figure: shares.Format(2, " %"),
		Target: "≤ 2 %", Met: shares.Median() <= 2,
	})
	return nil
}

// cup is a cup that is measured.
type cup struct {
	board                      string
	bots, seats, jobs, matches int
	think                      time.Duration // for a turn
}

// cupOutcome is what was measured of a cup.
type cupOutcome struct {
	rate  float64 // matches a second, the start of the processes included
	share float64 // percent of the bots' processor time that the cup took beside it
	cpu   float64 // processor time of a match in ms, that of the bots included
}

// playCup plays a cup of bots that are this program, and waits for its end.
func (b *bench) playCup(ctx context.Context, c cup) (o cupOutcome, err error) {
	dir, err := os.MkdirTemp(b.Dir, "cup")
	if err != nil {
		return o, err
	}
	args := []string{
		"cup", "--format", "round-robin", "--out", filepath.Join(dir, "cup"), "--seed", "1", "--maps",
		c.board, "--turns", strconv.Itoa(cupTurns), "--seats", strconv.Itoa(c.seats),
		"--count", strconv.Itoa(c.matches), "--jobs", strconv.Itoa(c.jobs), "--keep", "none", "--json",
		"--env", reportVariable + "=" + dir,
	}
	for range c.bots {
		args = append(args, fmt.Sprintf("%s %s %v", b.Self, cupBotCommand, c.think))
	}
	began := time.Now()
	p, err := harness.Start(ctx, b.Hexarena, args...)
	if err != nil {
		return o, err
	}
	if err := p.Wait(); err != nil {
		return o, err
	}
	o.cpu = harness.Milliseconds(p.CPU()) / float64(c.matches)
	o.rate = float64(c.matches) / time.Since(began).Seconds()
	reports, err := filepath.Glob(filepath.Join(dir, "*"+reportExtension))
	if err != nil {
		return o, err
	}
	var bots time.Duration
	turns := 0
	for _, path := range reports {
		var r cupBotReport
		text, err := os.ReadFile(path)
		if err == nil {
			err = json.Unmarshal(text, &r)
		}
		if err != nil {
			return o, err
		}
		bots, turns = bots+r.CPU, turns+r.Turns
	}
	if want := c.matches * c.seats * (cupTurns - 1); turns != want {
		return o, fmt.Errorf("the bots answered %d turns, want %d", turns, want)
	}
	if bots > 0 {
		o.share = 100 * float64(p.CPU()-bots) / float64(bots)
	}
	return o, nil
}

// cupMap writes a map of 91 cells for four players.
func (b *bench) cupMap() (path string, err error) {
	m := hexagonOf(5)
	for _, c := range []hexgrid.Coord{{Q: 5}, {Q: -5}, {R: 5}, {R: -5}} {
		m.Starts = append(m.Starts, []hexgrid.Coord{c})
	}
	path = filepath.Join(b.Dir, "cup.json")
	return path, os.WriteFile(path, m.AppendJSON(nil), 0o600)
}

// cupBotCommand makes this program a bot, which computes for a time in each turn, does nothing,
// stays between matches, and writes a report to a folder at the end. The folder is no argument,
// since a cup would take it for a part of the bot.
const (
	cupBotCommand   = "cup-bot"
	reportVariable  = "CUP_BOT_REPORTS"
	reportExtension = ".bot"
)

type cupBotReport struct {
	CPU   time.Duration // processor time of the process
	Turns int           // that it answered
}

func runCupBot(args []string, _ io.Reader, _ io.Writer) error {
	if len(args) != 1 {
		return errors.New("want the time for a turn")
	}
	think, err := time.ParseDuration(args[0])
	if err != nil {
		return err
	}
	runtime.GOMAXPROCS(1) // it has one thing to do at a time, and other bots want the cores
	ctx, bot := context.Background(), &cupBot{think: think}
	login := netorcai.Login{Nickname: os.Getenv("BOT_NICKNAME"), Role: netorcai.RolePlayer, Stay: true}
	c, err := netorcai.Dial(ctx, net.JoinHostPort(os.Getenv("BOT_HOST"), os.Getenv("BOT_PORT")), login)
	if err != nil {
		return err
	}
	defer c.Close()
	play := func(netorcai.GameStarts) (netorcai.Bot, error) { return bot, nil }
	if err := c.PlayAll(ctx, play); err != nil {
		return err
	}
	text, err := json.Marshal(cupBotReport{harness.ProcessorTime(), bot.turns})
	if err != nil {
		return err
	}
	return os.WriteFile(
		filepath.Join(os.Getenv(reportVariable), strconv.Itoa(os.Getpid())+reportExtension), text, 0o600)
}

// spins is how often a bot counts before it asks for its processor time: for some ten microseconds.
const spins = 20_000

// cupBot computes for a time in each turn, and does nothing.
type cupBot struct {
	think time.Duration // processor time
	turns int
}

// Start implements netorcai.Bot.
func (*cupBot) Start(netorcai.GameStarts) error { return nil }

// Turn implements netorcai.Bot.
func (b *cupBot) Turn(netorcai.Turn) ([]byte, error) {
	b.turns++
	for began := harness.ProcessorTime(); b.think > 0 && harness.ProcessorTime()-began < b.think; {
		for range spins {
		}
	}
	return []byte("[]"), nil
}

// End implements netorcai.Bot.
func (*cupBot) End(netorcai.GameEnds) {}

// hexagonOf returns a map without starting places that has all cells at most radius steps from one.
func hexagonOf(radius int) *hexabomb.Map {
	m := new(hexabomb.Map)
	for q := -radius; q <= radius; q++ {
		for r := -radius; r <= radius; r++ {
			if c := (hexgrid.Coord{Q: q, R: r}); hexgrid.Distance(c, hexgrid.Coord{}) <= radius {
				m.Cells = append(m.Cells, c)
			}
		}
	}
	return m
}
