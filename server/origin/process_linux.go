package origin

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// processes maps each process of this machine to its parent.
type processes map[int]int

// running returns the running processes. Those that end meanwhile may be missing.
func running() (processes, error) {
	all := processes{}
	list, err := pids()
	if err != nil {
		return nil, err
	}
	for _, pid := range list {
		if parent, err := parentOf(pid); err == nil {
			all[pid] = parent
		}
	}
	return all, nil
}

// pids returns the ids of all processes that /proc shows.
func pids() ([]int, error) {
	proc, err := os.Open("/proc")
	if err != nil {
		return nil, err
	}
	defer proc.Close()
	names, err := proc.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	var list []int
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			list = append(list, pid)
		}
	}
	return list, nil
}

// parentOf reads the parent of a process from its stat: the second field after the name,
// which may contain parentheses and spaces.
func parentOf(pid int) (int, error) {
	stat, err := os.ReadFile(file(pid, "stat"))
	if err != nil {
		return 0, err
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 2 {
		return 0, fmt.Errorf("process %d: stat %q names no parent", pid, stat)
	}
	return strconv.Atoi(string(fields[1]))
}

func file(pid int, name string) string { return filepath.Join("/proc", strconv.Itoa(pid), name) }

// ancestor returns the index of the root that a process is or descends from, or -1.
func (all processes) ancestor(pid int, roots []Root) int {
	for range len(all) { // parents that were read at different times could form a cycle
		if i := slices.IndexFunc(roots, func(r Root) bool { return r.PID == pid }); i >= 0 {
			return i
		}
		parent, ok := all[pid]
		if !ok {
			return -1
		}
		pid = parent
	}
	return -1
}

// Bears reports whether a process was started with an entry, KEY=value, in its environment.
func Bears(pid int, entry string) bool {
	environment, err := os.ReadFile(file(pid, "environ"))
	return err == nil && slices.Contains(strings.Split(string(environment), "\x00"), entry)
}

func marked(entry string) (list []int) {
	all, _ := pids() // without /proc there are none
	for _, pid := range all {
		if Bears(pid, entry) {
			list = append(list, pid)
		}
	}
	return list
}

// holding says whether a process holds a socket.
type holding int

const (
	no holding = iota
	yes
	hidden // its descriptors cannot be read
)

func holds(pid int, inode uint64) holding {
	fds, err := os.Open(file(pid, "fd"))
	if err != nil {
		return unseen(err)
	}
	defer fds.Close()
	names, err := fds.Readdirnames(-1)
	if err != nil {
		return unseen(err)
	}
	want := fmt.Sprintf("socket:[%d]", inode)
	for _, name := range names {
		if target, err := os.Readlink(filepath.Join(fds.Name(), name)); err == nil && target == want {
			return yes
		}
	}
	return no
}

// unseen distinguishes a process with hidden descriptors from one that has ended.
func unseen(err error) holding {
	if errors.Is(err, fs.ErrPermission) {
		return hidden
	}
	return no
}

// owner returns the user that owns the sockets of a process.
func owner(pid int) (uid uint32, ok bool) {
	status, err := os.ReadFile(file(pid, "status"))
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(status)) {
		// Real, effective, saved and file system user; the last is a socket's.
		if fields := strings.Fields(line); len(fields) == 5 && fields[0] == "Uid:" {
			n, err := strconv.ParseUint(fields[4], 10, 32)
			return uint32(n), err == nil
		}
	}
	return 0, false
}
