package launch

import (
	"regexp"
	"slices"
	"time"
)

// OwnScript stands for the language of a script that this program runs.
const OwnScript = "hexarena's own JavaScript"

// interrupted matches the line by which package script says that a turn was interrupted, before its
// calls.
var interrupted = regexp.MustCompile(`^The time of .* was over, which was here:$`)

// How long the stacks of a child are awaited: until it has printed nothing for stackQuiet, and no
// longer than stackTime, which is enough for the hundreds of lines of a JVM on a busy machine.
const (
	stackTime  = 2 * time.Second
	stackQuiet = 100 * time.Millisecond
)

// Stack makes the child print where it is, as far as a program in its language can do so, and
// returns the lines that tell most; nil if it cannot. The child goes on, unless last allows ways
// that end it.
func (p *Process) Stack(language string, last bool) []string {
	before := p.output.count()
	asked := false
	if language == OwnScript { // it prints that without being asked, perhaps a moment ago
		if lines := p.Tail(); slices.ContainsFunc(lines, interrupted.MatchString) {
			return lines
		}
		asked = true
	} else {
		p.locked(func() { asked = askStack(p.group, language, last) })
	}
	if !asked {
		return nil
	}
	tick := time.NewTicker(stackQuiet)
	defer tick.Stop()
	late := time.After(stackTime)
	for seen := before; ; {
		select {
		case <-tick.C:
			n := p.output.count()
			if n > before && n == seen {
				return p.output.since(before)
			}
			seen = n
		case <-p.done:
			return p.output.since(before)
		case <-late:
			return p.output.since(before)
		}
	}
}

// locked calls do unless nothing is left of the child.
func (p *Process) locked(do func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.gone {
		do()
	}
}
