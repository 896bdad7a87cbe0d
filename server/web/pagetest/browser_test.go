//go:build browser

package pagetest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/hexarena/hexarena/tools/browser/chromium"
)

// patience is the time that a test waits before it fails.
const patience = 90 * time.Second

// browser is the browser of all tests; absent is the reason why there may be no browser.
// screenshots is the folder for pictures of the pages, or empty.
var (
	browser     context.Context
	absent      error
	screenshots = os.Getenv("HEXARENA_SCREENSHOTS")
)

func TestMain(m *testing.M) {
	os.Unsetenv("HEXARENA_SCREENSHOTS") // programs that tests start would refuse it as a setting
	code, err := withBrowser(m.Run)
	if err != nil {
		fmt.Fprintln(os.Stderr, "the browser:", err)
		code = 1
	}
	os.Exit(code)
}

// withBrowser starts the browser, calls run and stops the browser.
func withBrowser(run func() int) (code int, err error) {
	var stop func() error
	browser, stop, err = chromium.StartShell(context.Background())
	if errors.Is(err, chromium.ErrNone) {
		absent = err
		code = run()
		return code, errors.Join(stopFirefox(), removeProgram())
	}
	if err != nil {
		return 1, err
	}
	code = run()
	return code, errors.Join(stopFirefox(), stop(), removeProgram())
}
