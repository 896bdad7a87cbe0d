package script

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/grafana/sobek"
)

// part is a part of a script's work.
type part string

// The parts.
const (
	starting part = "starting" // the script itself, and the constructor of its bot
	turning  part = "turn"     // the method turn
	ending   part = "end"      // the method end
	ticking  part = "timer"    // the function of a timer
)

// errOver interrupts what is no longer waited for.
var errOver = errors.New("the match does not wait any longer")

// stopTime is the time that an interrupted script may run on, and stopWork how much processor time
// it has to use in it: on a busy machine a script that would stop may not run. The engine looks for
// interrupts between all instructions, so that only a single long call of a function of the
// language, such as indexOf in an endless list, takes that long.
const (
	stopTime = 200 * time.Millisecond
	stopWork = 100 * time.Millisecond
)

// activity is what the script does at present, and interrupts it. The goroutines that read and
// run use it.
type activity struct {
	vm   *sobek.Runtime
	file string // of the script, for messages

	mu      sync.Mutex // guards what follows
	part    part       // that runs; "" while the script waits
	turn    int        // of a turn that runs
	run     int        // counts the parts that ran
	stopped bool       // the part was interrupted

	// Messages are counted as they arrive.
	arrived int
	taken   int // the newest that the script's goroutine has taken
	over    int // the newest TURN_OVER
	overOf  int // the number of its TURN
	ends    int // the newest GAME_ENDS
}

// enter notes that a part of the script runs, for the message with that count. It reports false
// if a message that has arrived says that the part is not waited for.
func (a *activity) enter(p part, turn, count int) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch p {
	case turning:
		if a.over > count && a.overOf == turn || a.ends > count {
			return false
		}
	case ticking:
		if a.over > a.taken {
			return false
		}
	}
	a.part, a.turn, a.stopped = p, turn, false
	a.run++
	return true
}

// answered notes that what still runs belongs to no turn.
func (a *activity) answered() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.part == turning {
		a.part = ticking
	}
}

// leave notes that the script waits again.
func (a *activity) leave() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.part = ""
	a.vm.ClearInterrupt() // one that came too late
}

// take notes that the script's goroutine has a message.
func (a *activity) take(m message) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.taken = m.count
}

// arrive counts a message, and interrupts the script if the message says that the part which
// runs is not waited for any longer. The script itself and the constructor of its bot take as
// long as they need.
func (a *activity) arrive(m *message) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.arrived++
	m.count = a.arrived
	late := false
	switch m.Type {
	case typeTurnOver:
		a.over, a.overOf = m.count, m.Turn
		late = a.part == ticking || a.part == ending || a.part == turning && a.turn == m.Turn
	case typeGameEnds:
		a.ends = m.count
		late = a.part == turning
	}
	if !late || a.stopped {
		return
	}
	a.stopped = true
	a.vm.Interrupt(errOver)
	run, used := a.run, cpuTime()
	time.AfterFunc(stopTime, func() { a.insist(run, used) })
}

// insist ends the process if the part that was interrupted still runs.
func (a *activity) insist(run int, used time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.part == "" || a.run != run:
	case cpuTime()-used < stopWork:
		time.AfterFunc(stopTime, func() { a.insist(run, used) })
	default:
		die("%s runs on after the time of %s was over, in a function that cannot be interrupted",
			a.file, named(a.part, a.turn))
	}
}

// named names a part of a script, for messages.
func named(p part, turn int) string {
	switch p {
	case turning:
		return fmt.Sprintf("turn %d", turn)
	case ticking:
		return "a timer's function"
	}
	return "the method " + string(p)
}

// die ends the process at once, for a reason.
func die(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "hexarena: "+format+"\n", args...)
	os.Exit(1)
}
