package main

import (
	"slices"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// Tests of this repository that the build tag changes, in different ways, are found, and others are
// not.
func TestFind(t *testing.T) {
	thorough.Long(t)
	tests, packages, err := find("../..")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{
		"TestFieldIsFair":                    true, // calls Size
		"TestEveryCombinationOfCapabilities": true, // in a subtest
		"TestMillion":                        true, // by a flag
		"TestIsolatedByPodman":               true, // calls Full
		"TestNeverMisses":                    true, // by a function of another file
		"TestBotsPlay":                       true, // by another package
		"TestBenchmark":                      true, // in a file that needs the tag
		"TestMain":                           false,
		"TestScripts":                        false, // calls Long, which has no size
		"TestFind":                           false,
	} {
		if slices.Contains(tests, name) != want {
			t.Errorf("%s is found: %v, want %v", name, !want, want)
		}
	}
	if !slices.Contains(packages, "./server/contest/pairing") ||
		slices.Contains(packages, "./server/machine/limits") {
		t.Errorf("the packages are %q", packages)
	}
}
