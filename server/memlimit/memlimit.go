// Package memlimit bounds the memory of the process by that of its control group, so
// that the garbage collector works harder before the kernel kills the process. It
// starts no goroutines.
package memlimit

import (
	"io/fs"
	"os"
	"runtime/debug"
	"sync"
)

// The share of a group's memory that the Go runtime may use. The other fifth is for
// what the runtime does not count and the kernel does: the program's own pages, page
// tables, and the buffers of sockets, of which thousands may be open.
const (
	shareNum = 4
	shareDen = 5
)

// Limit is a limit of memory that is in force.
type Limit struct {
	Bytes int64  // of the Go runtime, as debug.SetMemoryLimit has it; 0: unlimited
	From  string // the file that names the group's limit, or GOMEMLIMIT; empty: there is none
}

// Apply sets the runtime's memory limit to four fifths of what the control group of
// this process may use, and returns it. The variable GOMEMLIMIT wins, also when it
// says off; without it and without a group's limit, nothing is set. What the first call
// found, the others return.
var Apply = sync.OnceValue(apply)

func apply() Limit {
	if text := os.Getenv("GOMEMLIMIT"); text != "" { // the runtime has read it
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

// find returns the runtime's share of the lowest limit of the process's group and
// of those that hold it, in a root file system.
func find(root fs.FS) Limit {
	bytes, from := lowest(root)
	if bytes <= 0 {
		return Limit{}
	}
	return Limit{Bytes: bytes / shareDen * shareNum, From: from}
}
