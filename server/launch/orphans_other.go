//go:build unix && !linux

package launch

import "syscall"

// adoptOrphans does nothing: here orphans have process 1 as their parent.
func adoptOrphans() {}

// childAttr returns the attributes of the child: it leads a group.
func childAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
