package isolate

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// mostUserProcesses is the limit of the processes of a container's user, who may be the user of
// this process: far more than users have. Those of the container are limited by cgroups. Without it
// podman sets one that only root with all capabilities may, and up to this one any root may.
const mostUserProcesses = 32768

// ulimits returns the limits of a container's processes.
func ulimits() []string {
	processes := uint64(mostUserProcesses)
	var own unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NPROC, &own); err == nil {
		processes = min(processes, own.Max)
	}
	return []string{
		"--ulimit", fmt.Sprintf("nofile=%d:%[1]d", maxFiles), "--ulimit", "core=0:0",
		"--ulimit", fmt.Sprintf("nproc=%d:%[1]d", processes),
	}
}
