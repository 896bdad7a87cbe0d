//go:build browser

package pagetest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// patience is how long a test waits before it calls something hung.
const patience = 60 * time.Second

// programs are the names that Chromium has on different systems.
var programs = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "headless-shell"}

// browser is the browser of all tests; absent says why there is none.
var (
	browser context.Context
	absent  error
)

func TestMain(m *testing.M) {
	code, err := withBrowser(m.Run)
	if err != nil {
		fmt.Fprintln(os.Stderr, "the browser:", err)
		code = 1
	}
	os.Exit(code)
}

// withBrowser calls run while the browser is there.
func withBrowser(run func() int) (code int, err error) {
	program := findBrowser()
	if program == "" {
		absent = fmt.Errorf("there is no Chromium: none of %q is in PATH", programs)
		return run(), nil
	}
	profile, err := os.MkdirTemp("", "pagetest")
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(profile)) }()
	allocator, stop := chromedp.NewExecAllocator(context.Background(),
		chromedp.ExecPath(program), chromedp.UserDataDir(profile), chromedp.WindowSize(1440, 900),
		chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck,
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true),
		chromedp.Flag("disable-dev-shm-usage", true), // which is small in containers
		chromedp.Flag("disable-background-timer-throttling", true),
		chromedp.Flag("disable-backgrounding-occluded-windows", true),
		chromedp.Flag("disable-renderer-backgrounding", true),
	)
	defer stop()
	var cancel context.CancelFunc
	browser, cancel = chromedp.NewContext(allocator)
	defer cancel()
	if err := chromedp.Do(browser); err != nil {
		return 1, fmt.Errorf("%s does not start: %w", program, err)
	}
	code = run()
	ctx, cancelWait := context.WithTimeout(browser, patience)
	defer cancelWait()
	return code, chromedp.Cancel(ctx)
}

func findBrowser() string {
	for _, name := range programs {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}
