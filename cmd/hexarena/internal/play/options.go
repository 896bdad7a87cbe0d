package play

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/cli"
	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording/rerun"
	"github.com/hexarena/hexarena/server/web"
)

// Options are what play is to do.
type Options struct {
	Values    config.Values
	Wrong     error       // mistakes in the settings
	Arguments []string    // the seats
	Past      *rerun.Past // the recorded match that is played on; nil: a new one is played

	cli.Program
	Analyse func(dir string) web.Analyse // lets judges look at the recordings of a folder
	Judges  []string                     // that are built in
}

// options are the settings by name.
type options struct {
	Options
	config.Config

	suddenDeath bool
	asJSON      bool
	asText      bool
	strict      bool
	open        bool
	watch       bool
}

// newOptions returns the options with the values of the settings.
func newOptions(o Options) options {
	v := o.Values
	return options{
		Options: o, Config: v.Config(),
		suddenDeath: v.Bool("sudden-death"), asJSON: v.Bool("json"), asText: v.Bool("text"),
		strict: v.Bool("strict"), open: v.Bool("open"), watch: v.Bool("watch"),
	}
}

// drawnSeed returns a random seed that is short enough to type.
func drawnSeed() uint64 { return uint64(rand.Uint32()) }

// changed reports whether a setting was given, in a file, the environment or a flag.
func (o *options) changed(setting string) bool { return o.Values.Given(setting) }

// Unless told otherwise, people see this many turns per second.
const watchedTPS = 10

// delay is the least time from one turn to the next, as bots are told. With no
// limit it is what netorcai sends.
func (p *runner) delay() time.Duration {
	if p.alternates() {
		return 0
	}
	return p.Interval()
}

// interval is the least time from one turn to the next; zero means no limit.
func (p *runner) interval() time.Duration {
	switch {
	case p.alternates():
		return 0
	case p.TurnInterval.Value > 0 || p.Pace == config.Timer:
		return p.delay()
	case (p.live || p.open) && !p.TurnInterval.Given:
		return time.Second / watchedTPS
	}
	return 0
}

// tps is the most turns per second as recordings have it: 0 if there is no limit.
func (o *options) tps() string {
	if o.TurnInterval.Value == 0 {
		return "0"
	}
	return strconv.FormatFloat(float64(time.Second)/float64(o.TurnInterval.Value), 'g', -1, 64)
}

// floor is the least time from one turn to the next at a speed that the user chose.
func (p *runner) floor(s tui.Speed) time.Duration {
	floor := p.interval()
	switch {
	case s.Full:
		return 0
	case s.Slower == 0:
		return floor
	case floor == 0: // there is nothing to double
		floor = time.Second / watchedTPS
	}
	return time.Duration(float64(floor) * math.Exp2(float64(s.Slower)))
}

// pace makes the pace of the match at a speed that the user chose. The turns of a recording are
// played at full speed.
func (p *runner) pace(s tui.Speed) func(match.Settings) match.Pace {
	pace := p.paceAt(s)
	if p.Past == nil {
		return pace
	}
	return func(settings match.Settings) match.Pace {
		if !p.Past.Over() {
			return match.Fast(p.TurnTimeout, 0)
		}
		return pace(settings)
	}
}

// paceAt makes the pace of turns whose answers count.
func (p *runner) paceAt(s tui.Speed) func(match.Settings) match.Pace {
	floor := p.floor(s)
	switch {
	case p.alternates():
		budget := *p.instance.Budget
		return func(match.Settings) match.Pace {
			return match.Clock(func(id engine.PlayerID) match.Budget { return p.left(budget, id) }, floor)
		}
	case p.Pace == config.Timer && s.Slower >= 0 && !s.Full:
		// At a timer's pace a shorter turn would leave the bots less time than they were told.
		return func(match.Settings) match.Pace { return match.Timer(floor, floor) }
	}
	return match.PaceSpec{Limit: p.TurnTimeout, Floor: floor}.Pace
}

// notRepeated are settings that again writes itself, and those that do not change the match.
var notRepeated = []string{
	"map", "turns", "seed", "order", "strict", "json", "text", "open", "watch",
}

// differs returns a remark if the same command can lead to another result, otherwise "".
func (p *runner) differs() string {
	if p.alternates() || p.Order == config.Seeded {
		return ""
	}
	return " (in the order of arrival the result can differ; with --order seeded only the bots can " +
		"change it)"
}

// command returns the command that plays the match with that seed again.
func (p *runner) command(seed uint64) string {
	if p.Past != nil {
		return p.playOn()
	}
	words := []string{"hexarena", "play"}
	if p.instance.MapInfo != nil {
		words = append(words, "--map", p.instance.Map)
	}
	words = append(words, "--turns", strconv.Itoa(p.MaxTurns), "--seed", strconv.FormatUint(seed, 10))
	if !p.alternates() {
		words = append(words, "--order", string(p.Order))
	}
	return p.withSeats(append(words, p.Values.Arguments(notRepeated...)...))
}

// withSeats returns a command with the seats behind its other words.
func (p *runner) withSeats(words []string) string {
	if slices.ContainsFunc(p.Arguments, func(a string) bool { return strings.HasPrefix(a, "-") }) {
		words = append(words, "--")
	}
	return launch.Quote(append(words, p.Arguments...))
}
