//go:build !unix

package session

import (
	"io"
	"net"
	"syscall"
)

// directWriter writes nothing on systems without non-blocking writes to sockets:
// everything goes through the queue.
type directWriter struct{}

func (directWriter) init(syscall.RawConn) {}

// TryWrite writes nothing.
func (directWriter) TryWrite([]byte) int { return 0 }

func readerOf(conn net.Conn) io.Reader { return conn }
