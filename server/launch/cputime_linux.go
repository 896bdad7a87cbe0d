package launch

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"
)

// cpuTime returns the processor time that the child of a group, its descendants and those that they have waited for
// have used so far.
func cpuTime(g *group) time.Duration { return usedBelow(g.pgid) }

// tick is the unit of times in /proc, on all of Go's architectures.
const tick = time.Second / 100

// usedBelow returns the time of a process and its descendants. Those that run have a clock in nanoseconds, as
// clock_getcpuclockid(3) names it; of those that were waited for /proc has ticks.
func usedBelow(pid int) (used time.Duration) {
	const perProcess = 2 // CPUCLOCK_SCHED, all threads
	var clock unix.Timespec
	if unix.ClockGettime(int32(^pid<<3|perProcess), &clock) != nil {
		return 0 // it has ended
	}
	used = time.Duration(clock.Nano())
	if p, err := procfs.NewProc(pid); err == nil {
		if stat, err := p.Stat(); err == nil {
			used += time.Duration(stat.CUTime+stat.CSTime) * tick
		}
	}
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid)) // the pattern is well formed
	for _, list := range lists {
		text, _ := os.ReadFile(list) // of a thread that has ended: empty
		for word := range strings.FieldsSeq(string(text)) {
			if child, err := strconv.Atoi(word); err == nil {
				used += usedBelow(child)
			}
		}
	}
	return used
}
