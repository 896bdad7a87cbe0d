package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/server/arena"
	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/web"
)

// playOptions are the flags of play, and its arguments.
type playOptions struct {
	arguments []string
	changed   func(flag string) bool

	game         string
	tc           string
	openingsFile string
	viewDistance int
	winDistance  int

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
	durable      string
	keep         string
	http         string
	open         bool
	watch        bool
	headless     bool
	count        int
	jobs         int
}

func (o *playOptions) flags(f *pflag.FlagSet) {
	f.StringVar(&o.game, "game", gameList[0].Name, "game to play: hexabomb or hextictactoe")
	f.StringVar(&o.tc, "tc", "", "hextictactoe: seconds that each side has, + and seconds that a move adds, such as 60+0.5; empty for no clock")
	f.StringVar(&o.openingsFile, "openings", "", "hextictactoe: file of positions, each of which is played twice, with both sides")
	f.IntVar(&o.viewDistance, "view-distance", 8, "hextictactoe: how far from other pieces a piece may be placed")
	f.IntVar(&o.winDistance, "win-distance", 6, "hextictactoe: how many pieces in a row win")
	f.StringVar(&o.mapName, "map", maps.Default, "name of a map that comes with hexarena, or a map file")
	f.IntVar(&o.turns, "turns", 100, "turns to play, 1 to 65535")
	f.StringVar(&o.paceName, "pace", "fast", "fast: a turn ends when all have answered; timer: it takes its time, one second unless --tps says otherwise")
	f.Float64Var(&o.tps, "tps", 0, "turns per second at the most, 0 for no limit (default 10 on a terminal or with --open, else none)")
	f.BoolVar(&o.suddenDeath, "sudden-death", false, "the dead stay dead, and a hunter joins as special player")
	f.Uint64Var(&o.seed, "seed", 0, "draws ids, seeded orders and the bots' seeds; kept when a match is played again (default random, another for each match)")
	f.StringVar(&o.orderName, "order", "arrival", "order in which actions apply: arrival, or seeded, which lets a match be played again")
	f.DurationVar(&o.turnTimeout, "turn-timeout", 10*time.Second, "after this time a turn goes on without those who have not answered, 0 to wait for ever; with --pace fast")
	f.StringVar(&o.bind, "bind", "127.0.0.1", "address to listen on")
	f.IntVar(&o.port, "port", arena.DefaultPort, "port to listen on, 0 for any free one")
	f.BoolVar(&o.asJSON, "json", false, "print the result as one JSON object")
	f.BoolVar(&o.strict, "strict", false, "exit with 3 or 4 if a bot failed, and refuse logins that cannot be traced to a bot that was started")
	f.StringVar(&o.logs, "logs", "bot-logs", "folder for what started bots print, made when needed")
	f.DurationVar(&o.startTimeout, "start-timeout", 10*time.Second, "time that a bot has to log in")
	f.StringVar(&o.record, "record", "recordings", "folder for recordings, made when needed; empty for none")
	f.StringVar(&o.durable, "durable", recording.EverySecond.String(), "what of a recording survives a loss of power: every turn, all but the last second, or what is there at the end")
	f.StringVar(&o.keep, "keep-recordings", "all", "recordings to keep in that folder, the newest ones: "+config.KeepAccepts)
	f.StringVar(&o.http, "http", web.DefaultAddress, "address of the page to watch on, empty for none; when left out, another port if that one is taken")
	f.BoolVar(&o.open, "open", false, "open the page in a browser, and keep it after the match until Ctrl-C, with a button to play again")
	f.BoolVar(&o.watch, "watch", false, "play again whenever the file of a bot changes, until Ctrl-C")
	f.BoolVar(&o.headless, "headless", false, "play built-in bots against each other in this process, with no server and no page, and count who wins; the order is seeded, and only --record records")
	f.IntVar(&o.count, "count", 1, "with --headless: matches to play, with seeds that count up")
	f.IntVar(&o.jobs, "jobs", min(runtime.NumCPU(), maxJobs), "with --headless: matches to play at once, on as many cores")
}

const (
	maxTurns = 65_535
	maxPort  = 65_535
	minTPS   = 0.001
	maxTPS   = 1e6
)

// newKeeper makes what deletes old recordings, as the options say.
func (o *playOptions) newKeeper(stderr io.Writer) *recording.Keeper {
	keep, _ := config.ParseKeep(o.keep) // it was checked
	return newKeeper(o.record, keep, func(t recording.Tidied) {
		if t.Err != nil {
			fmt.Fprintln(stderr, "hexarena: cannot delete old recordings:", plain(t.Err.Error()))
		}
	})
}

// check finds what is wrong with the options by themselves.
func (o *playOptions) check() error {
	var wrong []error
	bad := func(format string, args ...any) { wrong = append(wrong, fmt.Errorf(format, args...)) }
	if g := gameList.Find(o.game); g == nil || g.Rules == nil {
		bad("--game: %q is not one of %s", o.game, strings.Join(localGames(), ", "))
	}
	for _, flag := range []string{"tc", "openings", "view-distance", "win-distance"} {
		if g := gameList.Find(o.game); g != nil && !g.BotAPI && o.changed(flag) {
			bad("--%s: does not count with --game %s; leave it out", flag, o.game)
		}
	}
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
	if _, err := recording.ParseDurability(o.durable); err != nil {
		bad("--durable: %w", err)
	}
	if _, ok := config.ParseKeep(o.keep); !ok {
		bad("--keep-recordings: %q is not %s", o.keep, config.KeepAccepts)
	}
	if o.changed("record") {
		if err := checkFolder(o.record); err != nil {
			bad("--record: %w", err)
		}
	}
	if err := checkAddress(o.http); err != nil {
		bad("--http: %w", err)
	}
	if o.open && o.http == "" {
		wrong = append(wrong, errNoOpen)
	}
	return errors.Join(append(wrong, o.checkHeadless())...)
}

// localGames are the games that play can play: their rules are here.
func localGames() (names []string) {
	for _, g := range gameList {
		if g.Rules != nil {
			names = append(names, g.Name)
		}
	}
	return names
}

// checkAddress says what is wrong with an address to listen on, if it is one.
func checkAddress(address string) error {
	if address == "" {
		return nil
	}
	_, port, err := net.SplitHostPort(address)
	if n, numErr := strconv.Atoi(port); err != nil || numErr != nil || n < 0 || n > maxPort {
		return fmt.Errorf("%q is not an address with a port of 0…%d, such as %s or :8080", address, maxPort, web.DefaultAddress)
	}
	return nil
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

// interval is the least time from one turn to the next, 0 if there is none.
func (p *playRun) interval() time.Duration {
	switch {
	case p.tps > 0 || p.paceName == "timer":
		return p.delay()
	case (p.live || p.open) && !p.changed("tps"):
		return time.Second / watchedTPS
	}
	return 0
}

// pace makes the pace of the match, at full speed or as the options have it.
func (p *playRun) pace(full bool) func(match.Settings) match.Pace {
	floor := p.interval()
	switch {
	case full:
		floor = 0
	case p.paceName == "timer":
		return func(match.Settings) match.Pace { return match.Timer(floor, floor) }
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
	add("record", p.record)
	add("http", p.http)
	add("durable", p.durable)
	add("keep-recordings", p.keep)
	if slices.ContainsFunc(p.arguments, func(a string) bool { return strings.HasPrefix(a, "-") }) {
		words = append(words, "--")
	}
	return launch.Quote(append(words, p.arguments...))
}
