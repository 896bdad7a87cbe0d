package script

import "golang.org/x/sys/unix"

// arch is the kind of the system calls that [refuse] knows.
const arch = unix.AUDIT_ARCH_AARCH64

// older are system calls that newer architectures do not have.
var older []uint32
