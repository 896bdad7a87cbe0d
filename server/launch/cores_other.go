//go:build !linux

package launch

// Cores returns nil: programs are not bound to processors on this system.
func Cores() []int { return nil }

func onCores(_ []int, start func() error) error { return start() }

func pin(*group, []int) {}
