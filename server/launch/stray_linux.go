package launch

import (
	"os"

	"github.com/hexarena/hexarena/server/origin"
)

// strayRounds bounds how often stray processes are searched for: one that forks during a
// round is found in the next, and one that forks for ever must not delay this process.
const strayRounds = 10

// killStrays kills processes that have left the group and still have the mark, such as
// daemons that a bot has started. One that has changed its environment stays.
func killStrays(mark string) {
	for range strayRounds {
		if !killMarked(mark) {
			return
		}
	}
}

// killMarked kills the processes that have a mark, and reports whether there were any.
func killMarked(mark string) (found bool) {
	for _, pid := range origin.Marked(mark) {
		// The process is held before it is checked again, so that another one that has got
		// its number meanwhile is not killed.
		p, err := os.FindProcess(pid)
		if err != nil {
			continue
		}
		if origin.Bears(pid, mark) && p.Kill() == nil {
			found = true
		}
		_ = p.Release()
	}
	return found
}
