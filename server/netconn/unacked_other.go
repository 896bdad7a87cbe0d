//go:build !linux

package netconn

import "syscall"

// unacked is not known: there is no call for it that all systems have.
func unacked(syscall.Conn) (bytes int, known bool) { return 0, false }
