package prompt

import (
	"os"

	"golang.org/x/sys/windows"
)

// enableEscapes makes a console understand escape sequences, which older ones
// do only when asked, and returns what undoes it.
func enableEscapes(out *os.File) (undo func()) {
	console := windows.Handle(out.Fd())
	var before uint32
	if windows.GetConsoleMode(console, &before) != nil ||
		windows.SetConsoleMode(console, before|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) != nil {
		return func() {}
	}
	return func() { _ = windows.SetConsoleMode(console, before) }
}
