package script

import "golang.org/x/sys/unix"

// arch is the kind of the system calls that [refuse] knows.
const arch = unix.AUDIT_ARCH_X86_64

// older are system calls that newer architectures do not have.
var older = []uint32{
	unix.SYS_OPEN, unix.SYS_CREAT, unix.SYS_UNLINK, unix.SYS_RENAME, unix.SYS_MKDIR, unix.SYS_RMDIR, unix.SYS_LINK,
	unix.SYS_SYMLINK, unix.SYS_MKNOD, unix.SYS_CHMOD, unix.SYS_CHOWN, unix.SYS_FORK, unix.SYS_VFORK,
}
