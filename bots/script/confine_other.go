//go:build !unix

package script

import "time"

// confine bounds what the process may use: the memory only.
func confine(file string, memory int) error {
	watch(file, memory)
	return nil
}

// cpuTime returns 0: only the clock counts here.
func cpuTime() time.Duration { return time.Duration(time.Since(started)) }
