package script

import (
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// watchTime is the time between two looks at the memory: in it a script fills some 30 MiB at most.
const watchTime = 10 * time.Millisecond

// ownMemory is what the engine itself needs, in MiB, which does not count as the script's.
const ownMemory = 24

// watch ends the process once the script uses more than memory MiB. All of the engine is Go, whose
// runtime knows all memory, also that of the stacks on which functions of the language call each
// other.
func watch(file string, memory int) {
	limit := uint64(memory+ownMemory) << 20
	// else the runtime ends the process first, with its own calls
	debug.SetMaxStack(4 * int(limit))
	debug.SetMemoryLimit(int64(limit) * 3 / 4) // garbage is collected before the limit is reached
	go func() {
		for range time.Tick(watchTime) {
			n := used()
			if limit < n && n < 2*limit {
				debug.FreeOSMemory() // perhaps it is garbage
				n = used()
			}
			if n > limit {
				die("%s uses more than %d MiB of memory", file, memory)
			}
		}
	}()
}

// used returns the memory that this process has from the system, in bytes.
func used() uint64 {
	samples := []metrics.Sample{
		{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"},
	}
	metrics.Read(samples)
	return samples[0].Value.Uint64() - samples[1].Value.Uint64()
}
