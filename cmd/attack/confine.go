//go:build linux

package main

import (
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
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// confineCommand is the argument that makes this program execute another one with a part
// of the machine. A processor, a control group and a command line follow it.
const confineCommand = "confine"

// openFiles is the limit of open files in deploy/compose.yaml. The attackers need as many.
// If the system refuses it, its own limit stays.
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
	first = -1
	for i := range len(set) * strconv.IntSize {
		if !set.IsSet(i) {
			continue
		}
		if first < 0 {
			first = i
		}
		last = i
	}
	return max(first, 0), last
}

// anyProcessor stands for all processors.
const anyProcessor = -1

// confined returns the command that runs a program on one processor, unless all are
// shared, and in a control group if one is given.
func (o *options) confined(processor int, group cgroup, command ...string) []string {
	if o.shared {
		processor = anyProcessor
	}
	return append([]string{o.Self, confineCommand, strconv.Itoa(processor), group.dir}, command...)
}

// runConfined executes another program in its place. So the program starts inside its
// group, by whose limit it may size itself.
func runConfined(args []string, _ io.Reader, _ io.Writer) error {
	if len(args) < 3 {
		return errors.New("give a processor, a control group and a program")
	}
	processor, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	if processor != anyProcessor {
		runtime.LockOSThread() // the thread that is bound must be the one that calls Exec
		var set unix.CPUSet
		set.Set(processor)
		if err := unix.SchedSetaffinity(0, &set); err != nil {
			return fmt.Errorf("processor %d: %w", processor, err)
		}
	}
	if group := args[1]; group != "" {
		if err := overwrite(filepath.Join(group, "cgroup.procs"), strconv.Itoa(os.Getpid())); err != nil {
			return err
		}
	}
	_ = syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: openFiles, Max: openFiles})
	return fmt.Errorf("%s: %w", args[2], syscall.Exec(args[2], args[2:], os.Environ()))
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
		return createCgroup(filepath.Join(unifiedRoot, name), "memory.events", "memory.max", limit, "memory.swap.max", "0")
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
		fmt.Fprintf(out, "server and honest bots on processor %d, attackers on processor %d\n", servedOn, attackedFrom)
	default:
		fmt.Fprintln(out, "there is only one processor: the attackers' own processor time delays the honest bots")
	}
	if g, err := newCgroup(); err != nil {
		fmt.Fprintf(out, "no control group can be created (%v): the server's memory is measured but not limited\n", err)
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
