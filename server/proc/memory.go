package proc

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Memory is what a process has resident, in bytes, and Peak the most that it ever had.
// They are 0 where /proc does not tell.
func Memory(id int) int { return status(id, "VmRSS:") }

// Peak is the most that a process ever had resident.
func Peak(id int) int { return status(id, "VmHWM:") }

func status(id int, key string) int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", id))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, key); ok {
			kilobytes, _ := strconv.Atoi(strings.Fields(rest)[0])
			return kilobytes << 10
		}
	}
	return 0
}
