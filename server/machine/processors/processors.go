// Package processors makes Go's scheduler use as many processors as a process has work for.
//
// A match of programs that connect waits nearly always: each answer wakes one goroutine for some
// microseconds. With more processors than work, the scheduler wakes another thread for each of
// them, which finds nothing to do: half of what a turn costs. The processors that it leaves are the
// bots' as well.
package processors

import (
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/hexarena/hexarena/server/machine/panics"
)

// window is how long less work must last until fewer processors are used. A change stops the
// process for some 20 µs, which is little once a second; matches of a cup follow each other faster.
const window = time.Second

// Allowed returns how many processors this process may use at once: those that its threads may run
// on, or fewer if its control group has a quota, as a container's has. The runtime rounds a quota
// up, to 2 at least.
func Allowed() int { return process.most() }

// Follow makes the scheduler follow the work of this process from now on. If the operator has set
// GOMAXPROCS in the environment, Follow changes nothing.
func Follow() {
	if os.Getenv("GOMAXPROCS") == "" {
		process.follow()
	}
}

// Use counts work that keeps a processor busy, or whose goroutines run one at a time, until the
// function that it returns is called: a match, a bot of this process, a request. More work than
// processors takes more of them at once.
func Use() (done func()) {
	process.add(1)
	return func() { process.add(-1) }
}

// process is this process: its scheduler has one number of processors.
var process = &follower{
	now:   func() int { return runtime.GOMAXPROCS(0) },
	set:   func(n int) { runtime.GOMAXPROCS(n) },
	reset: runtime.SetDefaultGOMAXPROCS,
}

// follower follows the work.
type follower struct {
	now   func() int // how many processors are used
	set   func(int)
	reset func() // uses all that are allowed, and follows the quota

	mu      sync.Mutex
	follows bool
	allowed int // when fewer than all are used
	used    int // 0: all that are allowed
	work    int
	peak    int         // the most work in this window
	window  *time.Timer // nil: no window has begun
}

func (f *follower) follow() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.follows = true
	f.begin()
}

func (f *follower) most() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.used > 0 {
		return f.allowed
	}
	return f.now()
}

func (f *follower) add(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.work += n
	f.peak = max(f.peak, f.work)
	if f.used > 0 && f.work > f.used {
		f.use(f.work)
	}
	f.begin()
}

// begin begins a window, unless one has begun, or it would change nothing.
func (f *follower) begin() {
	if !f.follows || f.work == 0 && f.used == 0 || f.window != nil {
		return
	}
	f.window = panics.AfterFunc(window, f.end, func(*panics.Error) {})
}

// end ends a window. A process without work has all processors: it may compute what is no match.
func (f *follower) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.use(f.peak)
	f.peak, f.window = f.work, nil
	f.begin()
}

// use makes the scheduler use n processors, or all that are allowed if these are fewer, or n is 0.
func (f *follower) use(n int) {
	if f.used == 0 {
		f.allowed = f.now()
	}
	if n == 0 || n >= f.allowed {
		n = 0
	}
	switch {
	case n == f.used:
		return
	case n == 0:
		f.reset()
	default:
		f.set(n)
	}
	f.used = n
}
