//go:build !linux

package main

// terminalCases are none here: they need a pseudo-terminal as Linux has them.
func terminalCases() []e2eCase { return nil }
