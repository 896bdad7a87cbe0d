package launch

import (
	"regexp"
	"slices"
)

// tellingLines is the number of lines people read of what a failed bot has printed.
const tellingLines = 10

var (
	// noise matches lines about functions of Node, the JVM and Go's runtime, which are not where the
	// mistake is.
	noise = regexp.MustCompile(`^ +at .*\(?node:|^\s+at (java\.base/|.*\(java\.base@)|^node:internal/.*:\d+$|^Node\.js v\d|^(runtime[./]\S*|panic)\(.*\)$|^\s+\S+/src/runtime/`)
	// firstFirst matches where a report begins whose first lines tell most: of Go's panics and stacks,
	// of exceptions of the JVM, of Python's faulthandler, of Node and of Rust.
	firstFirst = regexp.MustCompile(`^(panic|fatal error|SIG[A-Z]+): |^(Exception in thread .*|([a-z]\w*\.)+[A-Z]\w*(Exception|Error)\b)|^(Current thread|Thread|Stack) .*most recent call first|` +
		`^(/|[A-Za-z]:|file:).*\.[cm]?[jt]s:\d+$|^thread '.*panicked at`)
	// lastFirst matches where one begins whose last lines do: of Python's exceptions.
	lastFirst = regexp.MustCompile(`^Traceback \(most recent call last\)`)
	// mainThread matches where a list of all threads of a JVM or of Go has the one that a program
	// begins with.
	mainThread = regexp.MustCompile(`^"main" #|^goroutine 1 gp=`)
)

// Telling returns at most ten of some lines that a program has printed, those that tell most of why
// and where it ended or hangs: the message with the file and the line. If it does not know their
// form, they are the last ones.
func Telling(lines []string) []string {
	lines = slices.DeleteFunc(slices.Clone(lines), noise.MatchString)
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	for i := len(lines) - 1; i >= 0; i-- {
		report := lines[i:]
		switch {
		case mainThread.MatchString(lines[i]):
			if end := slices.Index(report, ""); end > 0 {
				report = report[:end]
			}
			return report[:min(len(report), tellingLines)]
		case lastFirst.MatchString(lines[i]):
			return lines[max(0, len(lines)-tellingLines):]
		case firstFirst.MatchString(lines[i]) && len(report) <= tellingLines:
			return report
		case firstFirst.MatchString(lines[i]):
			return slices.Concat(report[:tellingLines-2], []string{"…", report[len(report)-1]})
		}
	}
	return lines[max(0, len(lines)-tellingLines):]
}
