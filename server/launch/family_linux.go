package launch

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// family returns a process and its descendants. Those that start or end meanwhile may be missing.
func family(pid int) []int {
	list := []int{pid}
	for i := 0; i < len(list); i++ {
		for _, thread := range threads(list[i]) {
			// of one that has ended: empty
			text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", list[i], thread))
			for word := range strings.FieldsSeq(string(text)) {
				if child, err := strconv.Atoi(word); err == nil {
					list = append(list, child)
				}
			}
		}
	}
	return list
}

// threads returns the threads of a process, none if it has ended.
func threads(pid int) (list []int) {
	entries, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	for _, e := range entries {
		if thread, err := strconv.Atoi(e.Name()); err == nil {
			list = append(list, thread)
		}
	}
	return list
}
