package harness

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// Memory returns the resident memory of a process in bytes, 0 if /proc does not tell.
func Memory(pid int) int { return status(pid, "VmRSS:") }

// Peak returns the most resident memory that a process ever had, in bytes, 0 if /proc
// does not tell.
func Peak(pid int) int { return status(pid, "VmHWM:") }

func status(pid int, key string) int {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if _, rest, ok := strings.Cut(string(text), key); ok {
		kilobytes, _ := strconv.Atoi(strings.Fields(rest)[0])
		return kilobytes << 10
	}
	return 0
}

// clockTicks is the number of units per second in which Linux counts processor time.
const clockTicks = 100

// CPUTime returns the processor time that a running process has used, 0 if /proc does
// not tell.
func CPUTime(pid int) (total time.Duration) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(stat), ") ") // the name before it may hold anything
	if fields := strings.Fields(rest); len(fields) > 12 {
		for _, text := range fields[11:13] { // user and system time
			n, _ := strconv.Atoi(text)
			total += time.Duration(n) * time.Second / clockTicks
		}
	}
	return total
}
