package processors

import "syscall"

// WakeMonitor is called before a goroutine runs for long without blocking. The thread by which Go's
// runtime shares a processor among such goroutines, and looks for news of the network meanwhile,
// sleeps while none runs, until one makes a system call that the scheduler knows, or until a timer.
// Sessions, which wake bots of this process, read and write by calls that it does not know.
func WakeMonitor() { _, _, _ = syscall.Syscall(syscall.SYS_GETPID, 0, 0, 0) }
