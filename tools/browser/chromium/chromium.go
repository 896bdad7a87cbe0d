//go:build browser

package chromium

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"time"

	"github.com/chromedp/chromedp"
)

// browsers are the names of the whole browser on different systems, shells those of its headless
// shell.
var (
	browsers = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"}
	shells   = []string{"chromium-headless-shell", "headless-shell"}
)

// ErrNone is the error if there is no Chromium on this machine.
var ErrNone = fmt.Errorf("there is no Chromium: none of %q is in PATH",
	slices.Concat(browsers, shells))

// Elsewhere is a name of this machine that the browser treats as another machine's: over
// plain HTTP its pages have fewer permissions than those of localhost.
const Elsewhere = "elsewhere.test"

// patience is the time that the browser may take to exit.
const patience = 30 * time.Second

// Start starts the browser, or the headless shell where only that is installed, with an empty
// profile. Each chromedp.NewContext on the returned context is a tab. stop ends the browser and
// removes the profile.
func Start(parent context.Context) (browser context.Context, stop func() error, err error) {
	return start(parent, slices.Concat(browsers, shells))
}

// StartShell is like Start, but prefers the headless shell: the same engine without the browser's
// own windows, extensions and services, which take as much processor time as a test's page.
func StartShell(parent context.Context) (browser context.Context, stop func() error, err error) {
	return start(parent, slices.Concat(shells, browsers))
}

func start(
	parent context.Context, programs []string,
) (browser context.Context, stop func() error, err error) {
	program := find(programs)
	if program == "" {
		return nil, nil, ErrNone
	}
	profile, err := os.MkdirTemp("", "chromium")
	if err != nil {
		return nil, nil, err
	}
	allocator, free := chromedp.NewExecAllocator(parent,
		chromedp.ExecPath(program), chromedp.UserDataDir(profile), chromedp.WindowSize(1440, 900),
		chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun,
		chromedp.NoDefaultBrowserCheck,
		chromedp.Flag("host-resolver-rules", "MAP "+Elsewhere+" 127.0.0.1"),
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true),
		chromedp.Flag("disable-dev-shm-usage", true), // it is small in containers
		chromedp.Flag("disable-background-timer-throttling", true),
		chromedp.Flag("disable-backgrounding-occluded-windows", true),
		chromedp.Flag("disable-renderer-backgrounding", true),
	)
	browser, leave := chromedp.NewContext(allocator)
	stop = func() error {
		ctx, cancel := context.WithTimeout(browser, patience)
		defer cancel()
		err := chromedp.Cancel(ctx)
		leave()
		free()
		return errors.Join(err, os.RemoveAll(profile))
	}
	if err := chromedp.Do(browser); err != nil {
		leave()
		free()
		return nil, nil, errors.Join(fmt.Errorf("%s does not start: %w", program, err),
			os.RemoveAll(profile))
	}
	return browser, stop, nil
}

// find returns the path of the first of programs that is installed, or nothing.
func find(programs []string) string {
	for _, name := range programs {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}
