//go:build !linux

package netconn

import "syscall"

// unacked returns false: there is no portable call for it.
func unacked(syscall.Conn) (bytes int, known bool) { return 0, false }
