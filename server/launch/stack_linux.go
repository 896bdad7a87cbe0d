package launch

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// stackSignals are the signals at which programs print their stacks, by language. The kit for
// Python registers one, hexarena has the interpreter handle another, and the JVM and Go's runtime
// have theirs.
var stackSignals = map[string]struct{ goesOn, ends unix.Signal }{
	"Python": {goesOn: unix.SIGUSR1, ends: unix.SIGABRT},
	"Java":   {goesOn: unix.SIGQUIT},
	"Go":     {ends: unix.SIGQUIT},
}

// askStack sends the child of a group the signal at which it prints its stacks, if it handles it.
// One that it does not handle would only end it.
func askStack(g *group, language string, last bool) bool {
	signals := stackSignals[language]
	switch {
	case handles(g.pgid, signals.goesOn):
		return unix.Kill(g.pgid, signals.goesOn) == nil
	case last && handles(g.pgid, signals.ends):
		// Go's runtime prints the stack of the thread that gets the signal.
		return unix.Tgkill(g.pgid, busiest(g.pgid), signals.ends) == nil
	}
	return false
}

// handles reports whether a process has a handler for a signal.
func handles(pid int, s unix.Signal) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil || s == 0 {
		return false
	}
	_, caught, _ := strings.Cut(string(text), "\nSigCgt:")
	caught, _, _ = strings.Cut(caught, "\n")
	mask, err := strconv.ParseUint(strings.TrimSpace(caught), 16, 64)
	return err == nil && mask>>(s-1)&1 == 1
}

// busiest returns a thread of a process that runs, that which has used the most processor time if
// there are several; any if all wait.
func busiest(pid int) int {
	best, most := pid, uint64(0)
	for _, thread := range threads(pid) {
		dir := fmt.Sprintf("/proc/%d/task/%d/", pid, thread)
		stat, _ := os.ReadFile(dir + "stat")
		text, _ := os.ReadFile(dir + "schedstat")
		used, _, _ := strings.Cut(string(text), " ")
		if n, err := strconv.ParseUint(used, 10, 64); err == nil && n > most &&
			strings.Contains(string(stat), ") R ") {
			best, most = thread, n
		}
	}
	return best
}
