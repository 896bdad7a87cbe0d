//go:build linux

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// memoryLimit is the mem_limit of deploy/compose.yaml, in bytes.
const memoryLimit = 512 << 20

// Where the system shows its control groups: version 2, and the controller of
// memory in version 1.
const (
	unifiedRoot = "/sys/fs/cgroup"
	memoryRoot  = "/sys/fs/cgroup/memory"
)

// cgroup is a control group with the memory limit and without swap.
type cgroup struct {
	dir    string
	events string // the file that counts what was killed
}

var groups atomic.Int64 // that were made, for their names

// newCgroup makes a control group. It fails where the process may not.
func newCgroup() (*cgroup, error) {
	name := fmt.Sprintf("hexarena-attack-%d-%d", os.Getpid(), groups.Add(1))
	limit := strconv.Itoa(memoryLimit)
	if _, err := os.Stat(filepath.Join(unifiedRoot, "cgroup.controllers")); err == nil {
		// It is on already, as a rule; where it cannot be, memory.max is missing.
		_ = os.WriteFile(filepath.Join(unifiedRoot, "cgroup.subtree_control"), []byte("+memory"), 0)
		return makeCgroup(filepath.Join(unifiedRoot, name), "memory.events", "memory.max", limit, "memory.swap.max", "0")
	}
	return makeCgroup(filepath.Join(memoryRoot, name), "memory.oom_control",
		"memory.limit_in_bytes", limit, "memory.memsw.limit_in_bytes", limit)
}

// makeCgroup makes a group and sets the limit of memory, and that of swap where the
// system counts it.
func makeCgroup(dir, events, memory, limit, swap, swapLimit string) (*cgroup, error) {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, err
	}
	g := &cgroup{dir, filepath.Join(dir, events)}
	if err := overwrite(filepath.Join(dir, memory), limit); err != nil {
		g.remove()
		return nil, err
	}
	if err := overwrite(filepath.Join(dir, swap), swapLimit); err != nil && !errors.Is(err, fs.ErrNotExist) {
		g.remove()
		return nil, err
	}
	return g, nil
}

// overwrite writes a file that has to be there already: in the root of a control
// group, others cannot be made.
func overwrite(file, text string) error {
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// path is where the group is; empty for no group.
func (g *cgroup) path() string {
	if g == nil {
		return ""
	}
	return g.dir
}

// killed reports whether the kernel has killed a process at the limit.
func (g *cgroup) killed() bool {
	if g == nil {
		return false
	}
	text, err := os.ReadFile(g.events)
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(text)) {
		if n, ok := strings.CutPrefix(line, "oom_kill "); ok {
			return strings.TrimSpace(n) != "0"
		}
	}
	return false
}

// remove removes the group, whose processes have ended: the kernel may take a
// moment to notice.
func (g *cgroup) remove() {
	if g == nil {
		return
	}
	for range 50 {
		if err := os.Remove(g.dir); err == nil || errors.Is(err, fs.ErrNotExist) {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}
