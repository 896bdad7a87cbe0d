//go:build unix

package script

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// mostFiles is the number of files the process may have open: those that it has, and what Go's
// runtime needs. It opens none once a script runs.
const mostFiles = 32

// confine takes from this process what a script does not need, and bounds the memory.
func confine(file string, memory int) error {
	expendable()
	for _, limit := range []struct {
		resource int
		most     unix.Rlimit // constants fit its fields, whose type depends on the system
	}{
		{unix.RLIMIT_FSIZE, unix.Rlimit{}},
		{unix.RLIMIT_NOFILE, unix.Rlimit{Cur: mostFiles, Max: mostFiles}},
		{unix.RLIMIT_CORE, unix.Rlimit{}},
	} {
		if err := unix.Setrlimit(limit.resource, &limit.most); err != nil {
			return fmt.Errorf("limit the process: %w", err)
		}
	}
	watch(file, memory)
	return refuse()
}

// cpuTime returns the processor time that this process has used.
func cpuTime() time.Duration {
	var used unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &used) != nil {
		return time.Since(started)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
