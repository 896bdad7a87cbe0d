package origin

import (
	"net/netip"
	"os"
)

func supported(port uint16) bool {
	s, err := findSocket(func(s *socket) bool { return s.listens && s.local.Port() == port })
	return err == nil && s != nil && holds(os.Getpid(), s.inode) == yes
}

func find(peer netip.AddrPort, port uint16, roots []int) (int, error) {
	s, err := findSocket(func(s *socket) bool { return s.local == peer && s.remote.Port() == port })
	if s == nil || err != nil {
		return Unknown, err
	}
	all, err := running()
	if err != nil {
		return Unknown, err
	}
	var found, concealed []int // roots whose processes hold the socket, or may hold it
	for pid := range all {
		root := all.ancestor(pid, roots)
		if root < 0 {
			continue
		}
		switch held := holds(pid, s.inode); {
		case held == yes:
			found = append(found, root)
		case held == hidden && mayOwn(pid, s.uid):
			concealed = append(concealed, root)
		}
	}
	if len(found) > 0 {
		return agreed(found), nil
	}
	if len(concealed) > 0 && !concealedElsewhere(all, roots, s.uid) {
		return agreed(concealed), nil
	}
	return Unknown, nil
}

// agreed returns the root if all elements are the same one, and otherwise Unknown.
func agreed(list []int) int {
	for _, root := range list[1:] {
		if root != list[0] {
			return Unknown
		}
	}
	return list[0]
}

// concealedElsewhere reports whether a process outside all roots may hold a user's socket,
// because its descriptors are hidden.
func concealedElsewhere(all processes, roots []int, uid uint64) bool {
	for pid := range all {
		if all.ancestor(pid, roots) < 0 && mayOwn(pid, uid) && holds(pid, 0) == hidden {
			return true
		}
	}
	return false
}
