package memlimit

import (
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// hierarchy is a kind of control group that may limit memory.
type hierarchy struct {
	filesystem string   // type in mountinfo
	controller string   // required among the mount's options; empty: any
	files      []string // files with limits in each group's folder
}

var (
	// Above memory.high the kernel slows the process down, which for a match is no better than
	// being killed at memory.max.
	v2 = hierarchy{"cgroup2", "", []string{"memory.max", "memory.high"}}
	v1 = hierarchy{"cgroup", "memory", []string{"memory.limit_in_bytes"}}
)

// unlimited is more than any machine has. Version 1 represents no limit by the largest
// multiple of a page in 64 bits, version 2 by the word max.
const unlimited = 1 << 60

// lowest returns the lowest limit of the process's groups in bytes and the file that
// contains it, or 0. Both versions may be mounted side by side.
func lowest(root fs.FS) (limit int64, from string) {
	for _, m := range memberships(root) {
		dir, top, ok := m.mounted(root)
		for ; ok; dir = path.Dir(dir) {
			for _, file := range m.files {
				name := path.Join(dir, file)
				if n := readLimit(root, name); n > 0 && (limit == 0 || n < limit) {
					limit, from = n, "/"+name
				}
			}
			if dir == top {
				break
			}
		}
	}
	return limit, from
}

// membership is a control group of the process, in a hierarchy that may limit memory.
type membership struct {
	group string // path
	hierarchy
}

// memberships returns the groups of the process. A line of /proc/self/cgroup is
// ID:CONTROLLERS:PATH, without controllers for version 2.
func memberships(root fs.FS) (list []membership) {
	text, _ := fs.ReadFile(root, "proc/self/cgroup") // an error means no groups
	for line := range strings.Lines(string(text)) {
		part := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3)
		switch {
		case len(part) < 3:
		case part[0] == "0" && part[1] == "":
			list = append(list, membership{part[2], v2})
		case slices.Contains(strings.Split(part[1], ","), v1.controller):
			list = append(list, membership{part[2], v1})
		}
	}
	return list
}

// mounted returns the folder of the group and the topmost visible folder of its hierarchy. A
// container may see only its own group, as the root of the mount, although
// /proc/self/cgroup contains the host's path.
func (m membership) mounted(root fs.FS) (dir, top string, ok bool) {
	text, _ := fs.ReadFile(root, "proc/self/mountinfo")
	for line := range strings.Lines(string(text)) {
		mount, source, found := strings.Cut(line, " - ")
		where, what := strings.Fields(mount), strings.Fields(source)
		if !found || len(where) < 5 || len(what) < 3 || what[0] != m.filesystem {
			continue
		}
		if m.controller != "" && !slices.Contains(strings.Split(what[2], ","), m.controller) {
			continue
		}
		top = strings.TrimPrefix(unescape(where[4]), "/")
		below, inside := cutFolder(m.group, unescape(where[3]))
		if !inside {
			below = "" // the group is outside the mount
		}
		return path.Join(top, below), path.Clean(top), fs.ValidPath(path.Join(top, below))
	}
	return "", "", false
}

// cutFolder returns the rest of a path below a folder.
func cutFolder(p, folder string) (below string, inside bool) {
	folder = strings.TrimSuffix(folder, "/")
	below, inside = strings.CutPrefix(p, folder)
	inside = inside && (below == "" || below[0] == '/') &&
		!slices.Contains(strings.Split(below, "/"), "..")
	return strings.TrimPrefix(below, "/"), inside
}

// unescape decodes the octal escapes of mountinfo: spaces, tabs, line feeds and backslashes.
func unescape(s string) string {
	return strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`).Replace(s)
}

// readLimit returns the limit in a file, or 0.
func readLimit(root fs.FS, name string) int64 {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return 0
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil || n >= unlimited { // an error stands for the word max
		return 0
	}
	return n
}
