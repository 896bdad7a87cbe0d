//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"github.com/hexarena/hexarena/tools/harness"
)

// openFiles is the limit of open files in deploy/compose.yaml. The attackers need as many.
// All processes inherit it; if the system refuses it, its own limit stays.
const openFiles = 65_536

// The processors of the server and the honest bots, and of the attackers. They are the
// same on a machine that has only one.
var servedOn, attackedFrom = processors()

// processors returns the first and the last processor that this program may use.
func processors() (first, last int) {
	var set unix.CPUSet
	if unix.SchedGetaffinity(0, &set) != nil {
		return 0, 0
	}
	var all []int
	for i := range len(set) * strconv.IntSize {
		if set.IsSet(i) {
			all = append(all, i)
		}
	}
	return all[0], all[len(all)-1]
}

// start starts a program on one processor, unless all are shared.
func (o *options) start(
	ctx context.Context, processor int, command ...string,
) (p *harness.Process, err error) {
	err = o.startOn(processor, func() error {
		p, err = harness.Start(ctx, command[0], command[1:]...)
		return err
	})
	return p, err
}

// startOn calls start, whose processes run on one processor, unless all are shared.
func (o *options) startOn(processor int, start func() error) error {
	if o.shared {
		return start()
	}
	var all, one unix.CPUSet
	one.Set(processor)
	runtime.LockOSThread() // a process inherits the processors of the thread that starts it
	defer runtime.UnlockOSThread()
	if err := errors.Join(unix.SchedGetaffinity(0, &all), unix.SchedSetaffinity(0, &one)); err != nil {
		return fmt.Errorf("processor %d: %w", processor, err)
	}
	return errors.Join(start(), unix.SchedSetaffinity(0, &all))
}

// memoryLimit is the mem_limit of deploy/compose.yaml, in bytes.
const memoryLimit = 512 << 20

// The mount points of control groups: version 2, and the memory controller of version 1.
const (
	unifiedRoot = "/sys/fs/cgroup"
	memoryRoot  = "/sys/fs/cgroup/memory"
)

// cgroup is a control group with memoryLimit and without swap. The zero value is no group.
type cgroup struct {
	dir    string
	events string // the file that counts killed processes
}

var groups atomic.Int64 // number created so far, for their names

// newCgroup creates a control group. It fails without the permission to.
func newCgroup() (cgroup, error) {
	name := fmt.Sprintf("hexarena-attack-%d-%d", os.Getpid(), groups.Add(1))
	limit := strconv.Itoa(memoryLimit)
	if _, err := os.Stat(filepath.Join(unifiedRoot, "cgroup.controllers")); err == nil {
		// It is usually on already; if it cannot be turned on, memory.max is missing.
		_ = os.WriteFile(filepath.Join(unifiedRoot, "cgroup.subtree_control"), []byte("+memory"), 0)
		return createCgroup(filepath.Join(unifiedRoot, name), "memory.events", "memory.max", limit,
			"memory.swap.max", "0")
	}
	return createCgroup(filepath.Join(memoryRoot, name), "memory.oom_control",
		"memory.limit_in_bytes", limit, "memory.memsw.limit_in_bytes", limit)
}

// createCgroup creates a group and sets the limits of memory and, if the system counts
// it, of swap.
func createCgroup(dir, events, memory, limit, swap, swapLimit string) (cgroup, error) {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return cgroup{}, err
	}
	g := cgroup{dir, filepath.Join(dir, events)}
	err := overwrite(filepath.Join(dir, memory), limit)
	if err == nil {
		err = overwrite(filepath.Join(dir, swap), swapLimit)
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	}
	if err != nil {
		g.remove()
		return cgroup{}, err
	}
	return g, nil
}

// overwrite writes an existing file. In a control group, no others can be created.
func overwrite(file, text string) error {
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// inside returns the start of a command that executes the program that follows inside the
// group, by whose limit it may size itself.
func (g cgroup) inside() []string {
	if g.dir == "" {
		return nil
	}
	return []string{"sh", "-c", `echo $$ >"$0" && exec "$@"`, filepath.Join(g.dir, "cgroup.procs")}
}

// killsOf matches the count of processes that the kernel has killed at the limit.
var killsOf = regexp.MustCompile(`(?m)^oom_kill [1-9]`)

// killed reports whether the kernel has killed a process at the limit.
func (g cgroup) killed() bool {
	text, err := os.ReadFile(g.events)
	return err == nil && killsOf.Match(text)
}

// remove removes the group after its processes have ended, which the kernel may notice a
// moment later.
func (g cgroup) remove() {
	for range 50 {
		if err := os.Remove(g.dir); err == nil || errors.Is(err, fs.ErrNotExist) {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// printConditions prints the machine, and what limits the value of the figures.
func (o *options) printConditions(out io.Writer) {
	fmt.Fprintf(out, "linux/%s, %s: ", runtime.GOARCH, runtime.Version())
	switch {
	case o.shared:
		fmt.Fprintf(out, "%d processors for all processes\n", runtime.NumCPU())
	case servedOn != attackedFrom:
		fmt.Fprintf(out, "server and honest bots on processor %d, attackers on processor %d\n", servedOn,
			attackedFrom)
	default:
		fmt.Fprintln(out,
			"there is only one processor: the attackers' own processor time delays the honest bots")
	}
	if g, err := newCgroup(); err != nil {
		fmt.Fprintf(out,
			"no control group can be created (%v): the server's memory is measured but not limited\n", err)
	} else {
		g.remove()
		fmt.Fprintf(out, "the server has %d MiB of memory\n", memoryLimit>>20)
	}
	if text, err := os.ReadFile("/proc/loadavg"); err == nil {
		load, _, _ := strings.Cut(string(text), " ")
		if n, _ := strconv.ParseFloat(load, 64); n > 0.5 {
			fmt.Fprintf(out, "other programs use the processors (load %s): times say little\n", load)
		}
	}
}
