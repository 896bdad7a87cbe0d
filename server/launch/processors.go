package launch

import "runtime"

// Processors returns how many processors this process may use at once: those that its threads may
// run on, or fewer if its control group has a quota, as a container's has. The runtime rounds a
// quota up, to 2 at least.
func Processors() int { return runtime.GOMAXPROCS(0) }
