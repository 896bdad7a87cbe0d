// Package thorough divides tests into three tiers. go test -short runs those that take
// less than about a second; go test ./... runs all, at a size that suits every change; with
// the build tag thorough, which make thorough sets, they run at full size,
// with those that take minutes.
package thorough

import "testing"

// Long marks a test that takes a second or more: go test -short skips it.
func Long(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes a second or more")
	}
}
