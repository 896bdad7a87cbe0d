//go:build !linux

package isolate

import "fmt"

// ulimits returns the limits of a container's processes.
func ulimits() []string {
	return []string{"--ulimit", fmt.Sprintf("nofile=%d:%[1]d", maxFiles), "--ulimit", "core=0:0"}
}
