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
)

type void = chromedp.Action[chromedp.Void]

// tab is one page in a profile of its own. What goes wrong in it fails the test
// when it is closed.
type tab struct {
	t   *testing.T
	ctx context.Context

	mu       sync.Mutex // guards problems
	problems []string
}

// reportViolations has the page say what its content security policy forbids,
// whether or not the browser writes it to the log.
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

// openEmpty is a tab whose problems the test looks at itself.
func openEmpty(t *testing.T) *tab {
	t.Helper()
	if absent != nil {
		t.Skip(absent)
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
		call(page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: reportViolations}),
		call(emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}),
		size(1440, 900),
	)
	return b
}

// note keeps what the browser complains about.
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
			return // as on every page that is not trusted
		}
		problem = fmt.Sprintf("%s %s: %s %s", e.Entry.Source, e.Entry.Level, e.Entry.Text, e.Entry.URL)
	default:
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.problems = append(b.problems, problem)
}

// taken is all that the browser has complained about.
func (b *tab) taken() []string {
	b.do(chromedp.Evaluate[chromedp.Void](`0`)) // what was said before it is here now
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

// press presses keys, one after another, on whatever has the focus.
func (b *tab) press(keys ...string) {
	b.t.Helper()
	for _, key := range keys {
		b.do(chromedp.KeyEvent(key))
	}
}

// value is what an expression is in the page.
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

// look is how often a condition is looked at.
const look = 25 * time.Millisecond

// await waits until an expression has a value. What names it in a failure.
func await[T comparable](b *tab, what, expression string, want T) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	next := time.NewTicker(look)
	defer next.Stop()
	var last T // that was read before the time was up
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

// settle waits until nothing moves: for as many frames as a turn never takes.
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

// shoot writes a picture of the tab, if pictures are wanted.
func (b *tab) shoot(name string) {
	folder := os.Getenv("HEXARENA_SCREENSHOTS")
	if folder == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(b.ctx), patience)
	defer cancel()
	picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.MkdirAll(folder, 0o750)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, strings.ReplaceAll(name, "/", " ")+".png"), picture, 0o600)
	}
	if err != nil {
		b.t.Errorf("picture %s: %v", name, err)
	}
}

// control is something in the tab that can be operated or looked at.
type control struct{ role, name string }

// controls are those that a screen reader finds, with the names that it reads.
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

// call is a command of the browser as a step.
func call[P, R any](command cdp.Command[P, R], params P) void {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, command, params)
		return err
	})
}

// size gives the tab's window a size in pixels.
func size(width, height int64, options ...chromedp.EmulateViewportOption) void {
	return chromedp.EmulateViewport(width, height, options...)
}

// phone is the window of one.
var phone = size(390, 844, chromedp.EmulateScale(2), chromedp.EmulateMobile, chromedp.EmulateTouch, chromedp.EmulatePortrait)

// prefers has the system of the tab's user prefer a look, "light" or "dark".
func prefers(scheme string) void {
	return call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
}
