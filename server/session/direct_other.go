//go:build !unix

package session

import "syscall"

// directWriter writes nothing on systems without non-blocking writes to sockets:
// everything goes through the queue.
type directWriter struct{}

func (directWriter) init(syscall.RawConn) {}

// TryWrite writes nothing.
func (directWriter) TryWrite([]byte) int { return 0 }
