package sim

import (
	"fmt"
	"slices"
	"time"

	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/prompt"
)

// delayTurns is the variable that operators change here.
var delayTurns = prompt.Variable{
	Variable: config.Variables[slices.IndexFunc(config.Variables[:],
		func(v config.Variable) bool { return v.Name == "delay-turns" })],
	Get: func(s match.Settings) float64 { return s.DelayTurns },
	Set: func(s *match.Settings, value float64) { s.DelayTurns = value },
}

// printed is what the console has printed for the newest command.
type printed struct {
	*actor
	text string
}

// Write implements io.Writer.
func (p *printed) Write(b []byte) (int, error) {
	p.note("reads %q", b)
	p.text += string(b)
	return len(b), nil
}

// mostCommands is more than there is time for in a match that ends.
const mostCommands = 200

// console returns an actor that enters commands until the match is over. The values that it reads
// have a sequential explanation: a variable has the value that was set last, and a match starts
// once.
func console(o *observer, m *match.Match, over <-chan struct{}) func(*actor) {
	return func(a *actor) {
		out := &printed{actor: a}
		prompt := &prompt.Prompt{
			Match: func() *match.Match { return m }, Variables: []prompt.Variable{delayTurns}, Out: out,
			Quit: func() { a.violate("the console quits") },
		}
		delay := o.plan.settings().DelayTurns
		for range mostCommands {
			a.sleep(between(a.rng, 100*time.Millisecond, 3*time.Second))
			select {
			case <-over:
				return
			default:
			}
			longer := float64(turnTime.Milliseconds() + a.rng.Int64N(500))
			set := "set delay-turns=" + delayTurns.Format(longer)
			lines := []string{"start", "start", "print all", set, set + "s", "set x=1", "print", "help", ""}
			line := lines[a.rng.IntN(len(lines))]
			a.note("enters %q", line)
			begun := o.begun()
			out.text = ""
			prompt.Do(line)
			// a match that cannot begin with its players is over by then, not when "start" returns
			a.sleep(0)
			select {
			case <-m.Done():
				continue // perhaps it was before the command
			default:
			}
			if o.plan.trouble.Slow > 0 || o.plan.logic != "" && line == "start" {
				// a command may wait for the disk, and others may come before it; there may be no game logic
				continue
			}
			switch line {
			case set:
				delay = longer
				o.expect(out.text == "", "%q leads to %q", line, out.text)
			case "print all":
				want := fmt.Sprintf("delay-turns=%s\n", delayTurns.Format(delay))
				o.expect(out.text == want, "%q leads to %q, want %q", line, out.text, want)
			case "start":
				o.expect(o.begun() && (begun || out.text == "") && (!begun || out.text != ""), "%q leads to %q",
					line, out.text)
			}
		}
	}
}
