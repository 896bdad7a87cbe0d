//go:build !linux

package launch

// killStrays does nothing: here a process's environment cannot be read, and on
// Windows nothing leaves the group.
func killStrays(string) {}
