package script

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// expendable makes this process the first that the system kills when it has no memory left.
func expendable() {
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0) // a container may have no /proc
}

// refused are the system calls that make a file, a connection or a process, or reach another
// process. A script runs in memory that Go checks, so that this is a second wall; a list of
// what is allowed would break with a new release of Go's runtime.
var refused = []uint32{
	unix.SYS_OPENAT, unix.SYS_OPENAT2, unix.SYS_NAME_TO_HANDLE_AT, unix.SYS_OPEN_BY_HANDLE_AT,
	unix.SYS_MEMFD_CREATE,
	unix.SYS_UNLINKAT, unix.SYS_RENAMEAT2, unix.SYS_MKDIRAT, unix.SYS_LINKAT, unix.SYS_SYMLINKAT,
	unix.SYS_MKNODAT, unix.SYS_FCHMODAT, unix.SYS_FCHOWNAT, unix.SYS_MOUNT, unix.SYS_UMOUNT2,
	unix.SYS_CHROOT,
	unix.SYS_SOCKET, unix.SYS_SOCKETPAIR, unix.SYS_CONNECT, unix.SYS_BIND, unix.SYS_LISTEN,
	unix.SYS_SENDTO,
	unix.SYS_EXECVE, unix.SYS_EXECVEAT, unix.SYS_KILL, unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV,
	unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PIDFD_OPEN, unix.SYS_BPF, unix.SYS_IO_URING_SETUP,
	unix.SYS_USERFAULTFD,
	unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_PERF_EVENT_OPEN,
}

// kinds are the kinds of system calls for which [refuse] installs a filter, by the architecture: as
// seccomp calls them, and with the numbers of those calls of refused that newer kinds have no more,
// such as open and fork.
var kinds = map[string]struct {
	arch  uint32
	older []uint32
}{
	"amd64": {unix.AUDIT_ARCH_X86_64, []uint32{
		2, 57, 58, 82, 83, 84, 85, 86, 87, 88, 90, 92, 133, 264,
	}},
	"arm64": {unix.AUDIT_ARCH_AARCH64, []uint32{38}},
}

// Offsets in the struct seccomp_data that a filter sees.
const (
	offNumber = 0
	offArch   = 4
	offFlags  = 16 // the low half of the first argument, which are the flags of clone
)

// refuse makes the kernel refuse calls that a script never makes, in case one gets out of the
// engine: no file, connection or process can be made any more by any thread. Kernels without
// filters go on without.
func refuse() error {
	kind, known := kinds[runtime.GOARCH]
	if !known {
		return nil
	}
	load := func(offset uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
	}
	jump := func(test uint16, k uint32, yes, no uint8) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | test | unix.BPF_K, K: k, Jt: yes, Jf: no}
	}
	give := func(k uint32) unix.SockFilter {
		return unix.SockFilter{
			Code: unix.BPF_RET | unix.BPF_K, K: k,
		}
	}
	denied := give(unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM))
	program := []unix.SockFilter{
		// System calls of another kind have other numbers.
		load(offArch), jump(unix.BPF_JEQ, kind.arch, 1, 0), denied,
		load(offNumber), jump(unix.BPF_JGE, 0x40000000, 0, 1), denied, // as those of x32 have
		// A thread is no process. The flags of clone3 are in memory; without it, clone is used.
		jump(unix.BPF_JEQ, unix.SYS_CLONE3, 0, 1), give(unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)),
		jump(unix.BPF_JEQ, unix.SYS_CLONE, 0, 4), load(offFlags),
		jump(unix.BPF_JSET, unix.CLONE_THREAD, 1, 0), denied,
		give(unix.SECCOMP_RET_ALLOW),
	}
	for _, number := range slices.Concat(refused, kind.older) {
		program = append(program, jump(unix.BPF_JEQ, number, 0, 1), denied)
	}
	program = append(program, give(unix.SECCOMP_RET_ALLOW))
	// The first call is for this thread, from which the second one gives it to all.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("give up privileges: %w", err)
	}
	filter := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	_, _, err := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER,
		unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&filter)))
	if err != 0 && err != unix.ENOSYS && err != unix.EINVAL {
		return fmt.Errorf("install a filter of system calls: %w", err)
	}
	return nil
}
