//go:build !linux

package processors

// WakeMonitor does nothing: the scheduler knows all system calls.
func WakeMonitor() {}
