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

// confineCommand makes this program another one, with less of the machine.
const confineCommand = "confine"

// openFiles is the limit of open files in deploy/compose.yaml. The attackers need as
// many. Where the system gives no more than it does, that has to do.
const openFiles = 65_536

// Processors: of the server and the honest bots, and of all others. They are the
// same where there is only one.
var servedOn, attackedFrom = processors()

// processors are the first and the last that this program may use.
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

// anyProcessor stands for all of them.
const anyProcessor = -1

// confined is the command that runs a program on one processor, unless all are shared,
// and, if it is given, in a control group.
func (o *options) confined(processor int, group *cgroup, command ...string) []string {
	if o.shared {
		processor = anyProcessor
	}
	return append([]string{o.self, confineCommand, strconv.Itoa(processor), group.path()}, command...)
}

// runConfined becomes another program, which so begins in its group: it may size
// itself by what the group allows.
func runConfined(args []string) error {
	if len(args) < 3 {
		return errors.New("a processor, a control group and a program are needed")
	}
	processor, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	if processor != anyProcessor {
		runtime.LockOSThread() // the thread that is bound has to be the one that becomes the program
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

// surroundings tells what the figures were taken on, and what that leaves to be
// desired.
func (o *options) surroundings(out io.Writer) {
	fmt.Fprintf(out, "linux/%s, %s: ", runtime.GOARCH, runtime.Version())
	switch {
	case o.shared:
		fmt.Fprintf(out, "%d processors, which all share\n", runtime.NumCPU())
	case servedOn != attackedFrom:
		fmt.Fprintf(out, "server and honest bots on processor %d, attackers on processor %d\n", servedOn, attackedFrom)
	default:
		fmt.Fprintln(out, "there is only one processor, for the attackers as well: what they take of it delays the honest bots")
	}
	if g, err := newCgroup(); err != nil {
		fmt.Fprintf(out, "no control group can be made (%v): the server's memory is measured, and not limited\n", err)
	} else {
		g.remove()
		fmt.Fprintf(out, "the server has %d MiB of memory\n", memoryLimit>>20)
	}
	if text, err := os.ReadFile("/proc/loadavg"); err == nil {
		load, _, _ := strings.Cut(string(text), " ")
		if n, _ := strconv.ParseFloat(load, 64); n > 0.5 {
			fmt.Fprintf(out, "other programs keep the processors busy (load %s): times say little\n", load)
		}
	}
}
