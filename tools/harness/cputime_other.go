//go:build !unix

package harness

import "time"

// ProcessorTime returns the processor time that this process has used, 0 if the system does not
// tell.
func ProcessorTime() time.Duration { return 0 }
