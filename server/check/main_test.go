package check

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// The test binary is also the bots that are checked.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "check-test-bot" {
		playBadly(os.Args[2])
	}
	if len(os.Args) > 2 && os.Args[1] == "check-test-packets" {
		packetsBadly(os.Args[2], os.Args[3:])
	}
	thorough.Overlap()
	thorough.DirectPython()
	goleak.VerifyTestMain(m)
}
