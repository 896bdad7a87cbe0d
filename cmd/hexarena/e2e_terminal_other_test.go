//go:build !linux

package main

// terminalCases returns no cases, because they need a Linux pseudo-terminal.
func terminalCases() []e2eCase { return nil }
