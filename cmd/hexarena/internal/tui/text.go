package tui

import (
	"fmt"
	"os"
	"strings"
	"time"
	"unicode"

	"golang.org/x/term"

	"github.com/hexarena/hexarena/server/launch"
)

// Plain returns text that may come from a bot without characters that control a terminal.
func Plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '\uFFFD'
	}, text)
}

// PlainLines returns text as [Plain] does, but keeps its lines, and a space for each tab.
func PlainLines(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\r\n"), "\n")
	for i, line := range lines {
		lines[i] = launch.Printable([]byte(line))
	}
	return strings.Join(lines, "\n")
}

// IsTerminal reports whether a reader or writer is a terminal.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Roughly returns a duration as people say it: in seconds, minutes or hours.
func Roughly(d time.Duration) string {
	switch {
	case d < 90*time.Second:
		return fmt.Sprintf("%.0f s", max(1, d.Seconds()))
	case d < 90*time.Minute:
		return fmt.Sprintf("%.0f min", d.Minutes())
	}
	return fmt.Sprintf("%.1f h", d.Hours())
}
