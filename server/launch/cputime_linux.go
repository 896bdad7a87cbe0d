package launch

import (
	"time"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"
)

// cpuTime returns the processor time that the child of a group, its descendants and those that they
// have waited for have used so far.
func cpuTime(g *group) time.Duration { return usedBelow(g.pgid) }

// tick is the unit of times in /proc, on all of Go's architectures.
const tick = time.Second / 100

// usedBelow returns the time of a process and its descendants. Those that run have a clock in
// nanoseconds, as clock_getcpuclockid(3) names it; of those that were waited for /proc has ticks.
func usedBelow(pid int) (used time.Duration) {
	const perProcess = 2 // CPUCLOCK_SCHED, all threads
	for _, pid := range family(pid) {
		var clock unix.Timespec
		if unix.ClockGettime(int32(^pid<<3|perProcess), &clock) != nil {
			continue // it has ended
		}
		used += time.Duration(clock.Nano())
		if p, err := procfs.NewProc(pid); err == nil {
			if stat, err := p.Stat(); err == nil {
				used += time.Duration(stat.CUTime+stat.CSTime) * tick
			}
		}
	}
	return used
}
