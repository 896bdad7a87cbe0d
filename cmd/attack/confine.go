//go:build linux

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"

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
func (o *options) confined(processor int, group *cgroup, command ...string) []string {
	if o.shared {
		processor = anyProcessor
	}
	return append([]string{o.self, confineCommand, strconv.Itoa(processor), group.path()}, command...)
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
