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

// The mount points of control groups: version 2, and the memory controller of version 1.
const (
	unifiedRoot = "/sys/fs/cgroup"
	memoryRoot  = "/sys/fs/cgroup/memory"
)

// cgroup is a control group with memoryLimit and without swap.
type cgroup struct {
	dir    string
	events string // the file that counts killed processes
}

var groups atomic.Int64 // number created so far, for their names

// newCgroup creates a control group. It fails without the permission to.
func newCgroup() (*cgroup, error) {
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
func createCgroup(dir, events, memory, limit, swap, swapLimit string) (*cgroup, error) {
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

// overwrite writes an existing file. In a control group, no others can be created.
func overwrite(file, text string) error {
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// path returns the folder of the group; empty for no group.
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

// remove removes the group after its processes have ended, which the kernel may notice a
// moment later.
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
