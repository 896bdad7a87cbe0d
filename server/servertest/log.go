package servertest

import (
	"strings"
	"sync"
)

// Log is a log that many goroutines may write, line by line.
type Log struct {
	mu    sync.Mutex
	lines []string
}

// Write implements io.Writer, for one line.
func (l *Log) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, string(line))
	return len(line), nil
}

// About returns the lines that contain a text.
func (l *Log) About(text string) (found []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, line := range l.lines {
		if strings.Contains(line, text) {
			found = append(found, line)
		}
	}
	return found
}

// String returns the whole log.
func (l *Log) String() string { return strings.Join(l.About(""), "") }
