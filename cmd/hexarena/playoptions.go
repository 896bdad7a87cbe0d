package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/server/arena"
	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/match"
)

// playOptions are the flags of play, and its arguments.
type playOptions struct {
	arguments []string
	changed   func(flag string) bool

	mapName      string
	turns        int
	paceName     string
	tps          float64
	suddenDeath  bool
	seed         uint64
	orderName    string
	turnTimeout  time.Duration
	bind         string
	port         int
	asJSON       bool
	strict       bool
	logs         string
	startTimeout time.Duration
	record       string
	http         string
}

func (o *playOptions) flags(f *pflag.FlagSet) {
	f.StringVar(&o.mapName, "map", maps.Default, "name of a map that comes with hexarena, or a map file")
	f.IntVar(&o.turns, "turns", 100, "turns to play, 1 to 65535")
	f.StringVar(&o.paceName, "pace", "fast", "fast: a turn ends when all have answered; timer: it takes its time, one second unless --tps says otherwise")
	f.Float64Var(&o.tps, "tps", 0, "turns per second at the most, 0 for no limit (default 10 on a terminal, else none)")
	f.BoolVar(&o.suddenDeath, "sudden-death", false, "the dead stay dead, and a hunter joins as special player")
	f.Uint64Var(&o.seed, "seed", 0, "draws ids, seeded orders and the bots' seeds (default random)")
	f.StringVar(&o.orderName, "order", "arrival", "order in which actions apply: arrival, or seeded, which lets a match be played again")
	f.DurationVar(&o.turnTimeout, "turn-timeout", 10*time.Second, "after this time a turn goes on without those who have not answered, 0 to wait for ever; with --pace fast")
	f.StringVar(&o.bind, "bind", "127.0.0.1", "address to listen on")
	f.IntVar(&o.port, "port", arena.DefaultPort, "port to listen on, 0 for any free one")
	f.BoolVar(&o.asJSON, "json", false, "print the result as one JSON object")
	f.BoolVar(&o.strict, "strict", false, "exit with 3 or 4 if a bot failed")
	f.StringVar(&o.logs, "logs", "bot-logs", "folder for what started bots print, made when needed")
	f.DurationVar(&o.startTimeout, "start-timeout", 10*time.Second, "time that a bot has to log in")
	f.StringVar(&o.record, "record", "", "folder for recordings; in this version only the empty one, for none")
	f.StringVar(&o.http, "http", "", "address for browsers; in this version only the empty one, for none")
}

const (
	maxTurns = 65_535
	maxPort  = 65_535
	minTPS   = 0.001
	maxTPS   = 1e6
)

// check finds what is wrong with the options by themselves.
func (o *playOptions) check() error {
	var wrong []error
	bad := func(format string, args ...any) { wrong = append(wrong, fmt.Errorf(format, args...)) }
	if o.turns < 1 || o.turns > maxTurns {
		bad("--turns: %d is not in 1…%d", o.turns, maxTurns)
	}
	if o.port < 0 || o.port > maxPort {
		bad("--port: %d is not in 0…%d", o.port, maxPort)
	}
	if o.paceName != "fast" && o.paceName != "timer" {
		bad("--pace: %q is neither fast nor timer", o.paceName)
	}
	switch {
	case !(o.tps == 0 || o.tps >= minTPS && o.tps <= maxTPS): // NaN as well
		bad("--tps: %v is not in %v…%.0f, nor 0 for no limit", o.tps, minTPS, float64(maxTPS))
	case o.tps == 0 && o.paceName == "timer" && o.changed("tps"):
		bad("--tps: 0 is no length for the turns of --pace timer; choose another or --pace fast")
	}
	if o.turnTimeout < 0 {
		bad("--turn-timeout: %v is negative", o.turnTimeout)
	}
	if o.startTimeout <= 0 {
		bad("--start-timeout: %v is not more than 0", o.startTimeout)
	}
	if o.record != "" {
		bad("--record: %q: recording is not available in this version; leave it out", o.record)
	}
	if o.http != "" {
		bad("--http: %q: the page is not available in this version; leave it out", o.http)
	}
	return errors.Join(wrong...)
}

// Unless told otherwise, people see this many turns per second.
const watchedTPS = 10

// delay is the least time from one turn to the next, as bots are told. With no
// limit it is what netorcai tells.
func (o *playOptions) delay() time.Duration {
	if o.tps > 0 {
		return time.Duration(float64(time.Second) / o.tps)
	}
	return time.Second
}

// pace makes the pace of the match, at full speed or as the options have it.
func (p *playRun) pace(full bool) func(match.Settings) match.Pace {
	floor := time.Duration(0)
	switch {
	case full:
	case p.paceName == "timer":
		return func(match.Settings) match.Pace { return match.Timer(p.delay(), p.delay()) }
	case p.tps > 0:
		floor = p.delay()
	case p.live && !p.changed("tps"):
		floor = time.Second / watchedTPS
	}
	return func(match.Settings) match.Pace { return match.Fast(p.turnTimeout, floor) }
}

// again is the command that plays the match again.
func (p *playRun) again() string {
	words := []string{
		"hexarena", "play", "--map", p.mapName, "--turns", strconv.Itoa(p.turns),
		"--seed", strconv.FormatUint(p.seed, 10), "--order", p.orderName,
	}
	add := func(flag string, value ...string) {
		if p.changed(flag) {
			words = append(append(words, "--"+flag), value...)
		}
	}
	if p.suddenDeath {
		words = append(words, "--sudden-death")
	}
	add("pace", p.paceName)
	add("tps", strconv.FormatFloat(p.tps, 'g', -1, 64))
	add("turn-timeout", p.turnTimeout.String())
	add("start-timeout", p.startTimeout.String())
	add("bind", p.bind)
	add("port", strconv.Itoa(p.port))
	add("logs", p.logs)
	if slices.ContainsFunc(p.arguments, func(a string) bool { return strings.HasPrefix(a, "-") }) {
		words = append(words, "--")
	}
	return launch.Quote(append(words, p.arguments...))
}
