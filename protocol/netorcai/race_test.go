//go:build race

package netorcai

// raced reports whether the race detector runs, under which a sync.Pool drops some of what it is
// given.
const raced = true
