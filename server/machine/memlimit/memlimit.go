// Package memlimit sets the runtime's memory limit from that of the process's control group,
// so that the garbage collector works harder before the kernel kills the process. It starts
// no goroutines.
package memlimit

import (
	"io/fs"
	"os"
	"runtime/debug"
	"sync"
)

// The fraction of a group's memory that the Go runtime may use. The rest is for what the
// kernel counts but the runtime does not: the program's pages, page tables, and the buffers
// of sockets, of which thousands may be open.
const (
	shareNum = 4
	shareDen = 5
)

// Limit is a memory limit.
type Limit struct {
	Bytes int64  // of the Go runtime, as for debug.SetMemoryLimit; 0: unlimited
	From  string // the file with the group's limit, or GOMEMLIMIT; empty: no limit was found
}

// Apply sets the runtime's memory limit to four fifths of the limit of this process's control
// group, and returns it. The variable GOMEMLIMIT takes precedence, also if it is off. Without
// it and without a group's limit nothing is set. Later calls return the first result.
var Apply = sync.OnceValue(apply)

func apply() Limit {
	if text := os.Getenv("GOMEMLIMIT"); text != "" { // the runtime has applied it
		l := Limit{Bytes: debug.SetMemoryLimit(-1), From: "GOMEMLIMIT"}
		if text == "off" {
			l.Bytes = 0
		}
		return l
	}
	l := find(os.DirFS("/"))
	if l.Bytes > 0 {
		debug.SetMemoryLimit(l.Bytes)
	}
	return l
}

// find returns the runtime's share of the lowest limit of the process's group and its
// parents, in a root file system.
func find(root fs.FS) Limit {
	bytes, from := lowest(root)
	if bytes <= 0 {
		return Limit{}
	}
	return Limit{Bytes: bytes / shareDen * shareNum, From: from}
}
