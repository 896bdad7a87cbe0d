// Package thorough divides tests into three tiers. go test -short runs those that take less than a
// twentieth of a second; go test ./... adds those that take up to half a second of a processor, at
// a size that suits every change, so that all of them take a minute on two processors, half of it
// spent on linking; with the build tag thorough, which make thorough sets, all run, at full size.
package thorough

import (
	"flag"
	"os"
	"testing"
)

// Long marks a test that takes a twentieth of a second or more, waiting included: go test -short
// skips it.
func Long(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("go test without -short runs it")
	}
}

// Full marks a test that only runs with the tag: it takes half a second of a processor, waits for
// seconds, or what it tests is seldom there.
func Full(t testing.TB) {
	t.Helper()
	if !Enabled {
		t.Skip("make thorough runs it")
	}
}

// Size returns the size of a test: full with the build tag thorough, ordinary without.
func Size[T any](ordinary, full T) T {
	if Enabled {
		return full
	}
	return ordinary
}

// Overlap allows up to eight parallel tests of a package at once, unless the flag -parallel
// says otherwise. TestMain calls it where tests wait for sockets, clocks and processes rather
// than compute: by default, only as many run at once as there are processors.
func Overlap() {
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err)
	}
}

// toolsVariable is the environment variable that says, if it is not empty, that the machine
// has all programs that tests run. .ci/run sets it.
const toolsVariable = "REQUIRE_TOOLS"

// Lack ends a test that needs a program which the machine lacks: go test ./... needs nothing
// but Go. It skips the test, or fails it where all programs are required.
func Lack(t testing.TB, what any) {
	t.Helper()
	if os.Getenv(toolsVariable) != "" {
		t.Fatalf("%v, and %s is set", what, toolsVariable)
	}
	t.Skip(what)
}
