package origin

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"slices"

	"github.com/prometheus/procfs"
)

// processes maps each process of this machine to its parent.
type processes map[int]int

// running returns the running processes. Those that end meanwhile may be missing.
func running() (processes, error) {
	list, err := procfs.AllProcs()
	all := processes{}
	for _, p := range list {
		if stat, err := p.Stat(); err == nil {
			all[p.PID] = stat.PPID
		}
	}
	return all, err
}

// ancestor returns the index of the root that a process is or descends from, or -1.
func (all processes) ancestor(pid int, roots []int) int {
	for range len(all) { // parents that were read at different times could form a cycle
		if i := slices.Index(roots, pid); i >= 0 {
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

func children(pid int) (list []int) {
	all, _ := running() // nil without /proc
	for child, parent := range all {
		if parent == pid {
			list = append(list, child)
		}
	}
	return list
}

// holding reports whether a process holds a socket.
type holding int

const (
	no holding = iota
	yes
	hidden // its descriptors cannot be read
)

func holds(pid int, inode uint64) holding {
	p, err := procfs.NewProc(pid)
	if err != nil {
		return no // it has ended
	}
	targets, err := p.FileDescriptorTargets()
	switch {
	case errors.Is(err, fs.ErrPermission):
		return hidden
	case slices.Contains(targets, fmt.Sprintf("socket:[%d]", inode)):
		return yes
	}
	return no
}

// mayOwn reports whether a user's socket can belong to a process whose descriptors are
// hidden, such as a bot that runs as another user by sudo.
func mayOwn(pid int, uid uint64) bool {
	p, err := procfs.NewProc(pid)
	if err != nil {
		return false
	}
	status, err := p.NewStatus()
	return err == nil && status.UIDs[3] == uid // the file system user, which is a socket's
}

// socket is a TCP socket of this machine.
type socket struct {
	local, remote netip.AddrPort // IPv4 in IPv6 is converted to IPv4
	listens       bool
	uid           uint64 // of the socket's owner
	inode         uint64
}

const stateListen = 0x0A // TCP_LISTEN in the kernel's net/tcp_states.h

// findSocket returns the first socket of this network namespace for which fits returns true, or
// nil.
func findSocket(fits func(*socket) bool) (*socket, error) {
	proc, err := procfs.NewDefaultFS()
	if err != nil {
		return nil, err
	}
	//lint:ignore SA1019 the tables of /proc are slow with very many sockets, but netlink would need another module
	for _, read := range []func() (procfs.NetTCP, error){proc.NetTCP, proc.NetTCP6} {
		table, err := read()
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // without IPv6 there is no second table
			return nil, err
		}
		for _, l := range table {
			s := socket{
				addrPort(l.LocalAddr, l.LocalPort), addrPort(l.RemAddr, l.RemPort), l.St == stateListen, l.UID,
				l.Inode,
			}
			if fits(&s) {
				return &s, nil
			}
		}
	}
	return nil, nil
}

func addrPort(ip net.IP, port uint64) netip.AddrPort {
	addr, _ := netip.AddrFromSlice(ip)
	return netip.AddrPortFrom(addr.Unmap(), uint16(port))
}
