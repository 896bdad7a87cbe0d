package launch

import (
	"fmt"
	"runtime"

	"golang.org/x/sys/unix"
)

// Cores returns the numbers of the processors that this process may use, nil if that cannot be
// told.
func Cores() []int { return affinity(0) }

// affinity returns the processors that a thread may use, 0 for this one, or nil if that cannot be
// told.
func affinity(thread int) (list []int) {
	var set unix.CPUSet
	if unix.SchedGetaffinity(thread, &set) != nil {
		return nil
	}
	for core := 0; len(list) < set.Count(); core++ {
		if set.IsSet(core) {
			list = append(list, core)
		}
	}
	return list
}

// onCores calls start on a thread that may only use some processors, which is inherited by what it
// starts.
func onCores(cores []int, start func() error) error {
	if len(cores) == 0 {
		return start()
	}
	runtime.LockOSThread()
	var usual unix.CPUSet
	err := unix.SchedGetaffinity(0, &usual)
	if err == nil {
		err = unix.SchedSetaffinity(0, setOf(cores))
	}
	if err != nil {
		runtime.UnlockOSThread()
		return fmt.Errorf("processors %v: %w", cores, err)
	}
	err = start()
	if unix.SchedSetaffinity(0, &usual) == nil { // else the thread ends with this goroutine
		runtime.UnlockOSThread()
	}
	return err
}

// pin restricts a child and its descendants to some processors. A thread that starts meanwhile may
// be left out.
func pin(g *group, cores []int) {
	set := setOf(cores)
	for _, pid := range family(g.pgid) {
		for _, thread := range threads(pid) {
			_ = unix.SchedSetaffinity(thread, set) // one that has ended needs none
		}
	}
}

func setOf(cores []int) *unix.CPUSet {
	set := new(unix.CPUSet)
	for _, core := range cores {
		set.Set(core)
	}
	return set
}
