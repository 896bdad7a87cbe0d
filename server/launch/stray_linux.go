package launch

import (
	"os"

	"github.com/hexarena/hexarena/server/origin"
)

// strayRounds bounds how often stray processes are looked for: one that forks while
// it is looked for is found in the next round, and one that never stops must not
// keep us.
const strayRounds = 10

// killStrays kills processes that have left the group and still bear the mark, as
// daemons do that a bot has started. One that has changed its environment stays.
func killStrays(mark string) {
	for range strayRounds {
		if !killMarked(mark) {
			return
		}
	}
}

// killMarked kills the processes that bear a mark, and reports whether there were any.
func killMarked(mark string) (found bool) {
	for _, pid := range origin.Marked(mark) {
		// The process is held before it is looked at again, so that another one that
		// got its number meanwhile is not killed.
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
