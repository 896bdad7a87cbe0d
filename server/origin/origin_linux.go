package origin

import (
	"net/netip"
	"os"
	"slices"
)

func supported(port uint16) bool {
	s, err := findSocket(func(s *socket) bool { return s.listens && s.local.Port() == port })
	return err == nil && s != nil && holds(os.Getpid(), s.inode) == yes
}

func find(peer netip.AddrPort, port uint16, roots []Root) (Finding, error) {
	s, err := findSocket(func(s *socket) bool { return s.local == peer && s.remote.Port() == port })
	if s == nil || err != nil {
		return Unknown, err
	}
	all, err := running()
	if err != nil {
		return Unknown, err
	}
	var descended, marked, concealed []int // roots whose processes hold the socket, or may hold it
	for pid := range all {
		root, descends := all.ancestor(pid, roots), true
		if root < 0 {
			descends = false
			root = slices.IndexFunc(roots, func(r Root) bool { return r.Mark != "" && Bears(pid, r.Mark) })
		}
		if root < 0 {
			continue
		}
		switch held := holds(pid, s.inode); {
		case held == yes && descends:
			descended = append(descended, root)
		case held == yes:
			marked = append(marked, root)
		case held == hidden && descends && mayOwn(pid, s.uid):
			concealed = append(concealed, root)
		}
	}
	if len(descended) > 0 {
		return agreed(descended, true), nil
	}
	if len(marked) > 0 {
		return agreed(marked, false), nil
	}
	if len(concealed) > 0 && !concealedElsewhere(all, roots, s.uid) {
		return agreed(concealed, true), nil
	}
	return Unknown, nil
}

// agreed returns the finding if all elements are the same root, and otherwise Unknown.
func agreed(list []int, descends bool) Finding {
	for _, root := range list[1:] {
		if root != list[0] {
			return Unknown
		}
	}
	return Finding{Root: list[0], Descends: descends}
}

// concealedElsewhere reports whether a process outside all roots may hold a user's socket,
// because its descriptors are hidden.
func concealedElsewhere(all processes, roots []Root, uid uint64) bool {
	for pid := range all {
		if all.ancestor(pid, roots) < 0 && mayOwn(pid, uid) && holds(pid, 0) == hidden {
			return true
		}
	}
	return false
}
