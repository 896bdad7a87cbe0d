package launch

import (
	"fmt"
	"os"
)

// Exit describes how a child process ended.
type Exit struct {
	Code    int    // -1 if a signal ended it
	Signal  string // its name, such as "SIGSEGV"; empty if there was none
	Stopped bool   // after it had been told to stop
}

// Crashed reports whether the process ended with an error.
func (e Exit) Crashed() bool { return e.Code != 0 }

// String returns the exit in words, such as "exit code 1" or "killed by SIGSEGV".
func (e Exit) String() string {
	switch {
	case e.Signal != "":
		return "killed by " + e.Signal
	case e.Code > 255: // codes of Windows' own, which are known in this form
		return fmt.Sprintf("exit code 0x%08X", uint32(e.Code))
	}
	return fmt.Sprintf("exit code %d", e.Code)
}

func exitOf(s *os.ProcessState) Exit {
	if s == nil { // waiting for it failed
		return Exit{Code: -1}
	}
	return Exit{Code: s.ExitCode(), Signal: signalOf(s)}
}
