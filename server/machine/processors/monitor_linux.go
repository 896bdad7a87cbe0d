package processors

import "syscall"

// WakeMonitor is called before a goroutine computes for long. The thread by which Go's runtime
// shares a processor among such goroutines sleeps while none runs, until one makes a system call
// that the scheduler knows: sessions, which wake bots of this process, read and write without.
func WakeMonitor() { _, _, _ = syscall.Syscall(syscall.SYS_GETPID, 0, 0, 0) }
