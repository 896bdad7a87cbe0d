package prompt

import (
	"os"

	"golang.org/x/sys/windows"
)

// enableEscapes enables escape sequences on a console, which older ones support only on
// request, and returns a function that undoes it.
func enableEscapes(out *os.File) (undo func()) {
	console := windows.Handle(out.Fd())
	var before uint32
	if windows.GetConsoleMode(console, &before) != nil ||
		windows.SetConsoleMode(console, before|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) != nil {
		return func() {}
	}
	return func() { _ = windows.SetConsoleMode(console, before) }
}
