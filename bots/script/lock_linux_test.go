package script

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
)

// The process of a script has the filter of system calls, and can write no file.
func TestLocked(t *testing.T) {
	t.Parallel()
	c := start(t, 64, "bot.js", kit("return [];"))
	c.begin()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	if _, known := kinds[runtime.GOARCH]; known &&
		!strings.Contains(string(status), "\nSeccomp:\t2\n") {
		t.Errorf("it has no filter:\n%s", status)
	}
	limits, err := os.ReadFile(fmt.Sprintf("/proc/%d/limits", c.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(string(limits), "\n") {
		if strings.HasPrefix(line, "Max file size") && strings.Fields(line)[3] != "0" {
			t.Error(line)
		}
	}
}
