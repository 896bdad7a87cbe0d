//go:build browser

package pagetest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

type void = chromedp.Action[chromedp.Void]

// tab is one page with a separate profile. Errors in it fail the test when it is closed.
type tab struct {
	t   *testing.T
	ctx context.Context

	mu       sync.Mutex // guards problems
	problems []string
}

// reportViolations makes the page report violations of its content security policy, even if
// the browser does not log them.
const reportViolations = `document.addEventListener("securitypolicyviolation",
	(e) => console.error("forbidden by " + e.effectiveDirective + ": " + e.blockedURI))`

// open opens an address after some preparations.
func open(t *testing.T, url string, before ...void) *tab {
	t.Helper()
	b := openEmpty(t)
	t.Cleanup(func() {
		if problems := b.taken(); len(problems) > 0 {
			t.Errorf("the browser complains:\n%s", strings.Join(problems, "\n"))
		}
	})
	b.do(before...)
	b.do(chromedp.Navigate(url))
	return b
}

// openEmpty opens a tab whose problems the test checks itself.
func openEmpty(t *testing.T) *tab {
	t.Helper()
	if absent != nil {
		thorough.Lack(t, absent)
	}
	ctx, closeTab := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	b := &tab{t: t, ctx: ctx}
	t.Cleanup(closeTab)
	// The first action binds the tab to its context, so it has no deadline.
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("open a tab: %v", err)
	}
	if err := chromedp.Listen(ctx, b.note); err != nil {
		t.Fatalf("listen to the tab: %v", err)
	}
	b.do(
		call(page.AddScriptToEvaluateOnNewDocument,
			page.AddScriptToEvaluateOnNewDocumentParams{Source: reportViolations}),
		call(emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}),
		size(1440, 900),
	)
	return b
}

// note keeps an error that the browser reports.
func (b *tab) note(event any) {
	var problem string
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		problem = "exception: " + e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			problem += " " + e.ExceptionDetails.Exception.Description
		}
	case *runtime.EventConsoleAPICalled:
		if e.Type != runtime.ConsoleAPICalledTypeError && e.Type != runtime.ConsoleAPICalledTypeWarning &&
			e.Type != runtime.ConsoleAPICalledTypeAssert {
			return
		}
		problem = "console " + string(e.Type)
		for _, arg := range e.Args {
			problem += fmt.Sprintf(" %s %s", arg.Value, arg.Description)
		}
	case *log.EventEntryAdded:
		if e.Entry.Level != log.EntryLevelError && e.Entry.Level != log.EntryLevelWarning {
			return
		}
		if strings.Contains(e.Entry.Text, "Cross-Origin-Opener-Policy header has been ignored") {
			return // expected on pages without HTTPS
		}
		problem = fmt.Sprintf("%s %s: %s %s", e.Entry.Source, e.Entry.Level, e.Entry.Text, e.Entry.URL)
	default:
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.problems = append(b.problems, problem)
}

// taken returns all errors that the browser has reported.
func (b *tab) taken() []string {
	b.do(chromedp.Evaluate[chromedp.Void](`0`)) // earlier reports have arrived now
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.problems
}

func (b *tab) do(steps ...void) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.t.Fatalf("the browser: %v", err)
	}
}

// press presses keys one after another on the focused element.
func (b *tab) press(keys ...string) {
	b.t.Helper()
	for _, key := range keys {
		b.do(chromedp.KeyEvent(key))
	}
}

// value evaluates an expression in the page.
func value[T any](b *tab, expression string, options ...chromedp.EvaluateOption) T {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, options...))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// pollInterval is the time between two checks of a condition.
const pollInterval = 25 * time.Millisecond

// await waits until an expression has a value. what describes it in a failure.
func await[T comparable](b *tab, what, expression string, want T) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	next := time.NewTicker(pollInterval)
	defer next.Stop()
	var last T // the last value that was read
	var problem error
	for {
		got, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
		if err == nil && got == want {
			return
		}
		if ctx.Err() == nil {
			last, problem = got, err
		}
		select {
		case <-next.C:
		case <-ctx.Done():
			b.shoot("failed " + b.t.Name())
			b.t.Fatalf("%s = %v, %v, want %v", what, last, problem, want)
		}
	}
}

// settle waits until animations are over: for more frames than a turn takes.
func (b *tab) settle() {
	b.t.Helper()
	value[bool](b, `new Promise((done) => {
		let left = 60;
		requestAnimationFrame(function frame() {
			if (--left > 0) requestAnimationFrame(frame);
			else done(true);
		});
	})`, chromedp.EvalAwaitPromise)
}

// shoot writes a picture of the tab, with what is below the window, if pictures are enabled.
func (b *tab) shoot(name string) {
	if screenshots == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(b.ctx), patience)
	defer cancel()
	picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	if err == nil {
		err = os.MkdirAll(screenshots, 0o750)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(screenshots, strings.ReplaceAll(name, "/", " ")+".png"), picture,
			0o600)
	}
	if err != nil {
		b.t.Errorf("picture %s: %v", name, err)
	}
}

// sizes are those of a monitor, a laptop and a phone.
var sizes = []window{{"1920", size(1920, 1080)}, {"1440", size(1440, 900)}, {"phone", phone}}

type window struct {
	name string
	size void
}

// tooWide is by how many pixels a page is wider than its window; innerWidth grows with the page on
// a phone.
const tooWide = `document.scrollingElement.scrollWidth - document.documentElement.clientWidth`

// tooHigh is by how many pixels a page that scrolls in its parts only is higher than its window.
const tooHigh = `document.querySelector(".app") && !document.querySelector(".event") ? document.scrollingElement.scrollHeight - document.documentElement.clientHeight : 0`

// looks photographs a view in three windows and both themes if pictures are enabled; else it only
// looks whether the view is too wide.
func (b *tab) looks(name string) {
	b.t.Helper()
	for _, w := range sizes {
		b.do(w.size)
		await(b, name+": what the page is too wide by at "+w.name, tooWide, 0)
		await(b, name+": what a page that fills the window is too high by at "+w.name, tooHigh, 0)
		if screenshots == "" {
			continue
		}
		for _, theme := range []string{"dark", "light"} {
			b.do(prefers(theme))
			b.settle()
			b.shoot(fmt.Sprintf("view %s %s %s", name, w.name, theme))
		}
	}
	b.do(size(1440, 900), prefers("dark"))
}

// control is an element of the tab in the accessibility tree.
type control struct{ role, name string }

// controls returns the elements that a screen reader finds, with their names.
func (b *tab) controls() (list []control) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	tree, err := chromedp.Call(ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	if err != nil {
		b.t.Fatalf("accessibility tree: %v", err)
	}
	for _, node := range tree.Nodes {
		c := control{text(node.Role), strings.TrimSpace(text(node.Name))}
		switch c.role {
		case "button", "link", "slider", "tab", "textbox", "checkbox", "radio", "combobox", "menuitem", "dialog", "image", "img":
			if !node.Ignored {
				list = append(list, c)
			}
		}
	}
	return list
}

func text(v *accessibility.Value) string {
	if v == nil {
		return ""
	}
	return strings.Trim(string(v.Value), `"`)
}

// call returns a browser command as a step.
func call[P, R any](command cdp.Command[P, R], params P) void {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, command, params)
		return err
	})
}

// size sets the size of the tab's window in pixels.
func size(width, height int64, options ...chromedp.EmulateViewportOption) void {
	return chromedp.EmulateViewport(width, height, options...)
}

// phone sets the window size of a phone.
var phone = size(390, 844, chromedp.EmulateScale(2), chromedp.EmulateMobile, chromedp.EmulateTouch,
	chromedp.EmulatePortrait)

// prefers sets the preferred colour scheme, "light" or "dark".
func prefers(scheme string) void {
	return call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
}
