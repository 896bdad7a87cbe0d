//go:build browser

package pagetest

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/tools/browser/chromium"
)

// notice reads the short message that the page shows.
const notice = `document.querySelector(".notice:popover-open")?.textContent ?? ""`

// pasted returns the contents of the clipboard, by pasting it into a temporary field.
func (b *tab) pasted() string {
	b.t.Helper()
	b.do(chromedp.Evaluate[chromedp.Void](`(() => {
		const field = document.createElement("textarea");
		field.id = "pasted";
		(document.querySelector("dialog[open]") ?? document.body).append(field);
		field.focus();
	})()`))
	b.do(
		call(
			input.DispatchKeyEvent,
			input.DispatchKeyEventParams{
				Type: input.DispatchKeyEventTypeRawKeyDown, Key: "v", Commands: []string{"paste"},
			},
		),
	)
	await(b, "something is pasted", `document.querySelector("#pasted").value !== ""`, true)
	return value[string](b, `(() => {
		const field = document.querySelector("#pasted");
		field.remove();
		return field.value;
	})()`)
}

// everywhere runs a test with the page's local address and with an address as other
// machines use it.
func everywhere(t *testing.T, url string, test func(t *testing.T, url string)) {
	t.Run("here", func(t *testing.T) { test(t, url) })
	t.Run("elsewhere",
		func(t *testing.T) { test(t, strings.Replace(url, "127.0.0.1", chromium.Elsewhere, 1)) })
}

// An address can be copied, also from a page on another machine.
func TestCopyAddress(t *testing.T) {
	s := newShow(t, maps.Default, 10)
	everywhere(t, s.page.URL(), func(t *testing.T, url string) {
		b := open(t, url)
		await(b, "the browser trusts the page", "isSecureContext", url == s.page.URL())
		address := s.server.Addr().String()
		b.do(chromedp.Click(chromedp.CSS(`[aria-label="Copy ` + address + `"]`)))
		await(b, "what the page says", notice, address+" copied.")
		b.shoot("copied address " + t.Name())
		if got := b.pasted(); got != address {
			t.Errorf("pasted %q, want %q", got, address)
		}
		b.do(chromedp.Evaluate[chromedp.Void](`Object.defineProperty(navigator, "clipboard", {value: undefined}); document.execCommand = () => false`))
		b.do(chromedp.Click(chromedp.CSS(`[aria-label="Copy ` + address + `"]`)))
		await(b, "what it says if it may not copy",
			shows(notice, "does not allow this page to copy", "Select the text"), true)
		b.do(phone)
		b.do(chromedp.Click(chromedp.CSS(".switch.share")))
		b.button("Copy the link")
		await(b, "what it says of the link", shows(notice, "It is selected"), true)
		await(b, "the notice is whole", `(() => {
			const box = document.querySelector(".notice").getBoundingClientRect();
			return box.left >= 0 && box.right <= innerWidth;
		})()`, true)
		b.shoot("not copied " + t.Name())
	})
}

// A link can be copied in a dialog, and the page confirms it above the dialog.
func TestCopyLink(t *testing.T) {
	s := newSalon(t)
	everywhere(t, s.page.URL(), func(t *testing.T, url string) {
		b := open(t, url)
		b.button("Play hexagonal tic-tac-toe")
		b.button("Another person")
		b.button("Begin")
		b.do(chromedp.Click(chromedp.CSS(".newgame .link button")))
		await(b, "what the page says", notice, "Link copied.")
		b.shoot("copied link " + t.Name())
		if got, want := b.pasted(), value[string](b, `document.querySelector(".newgame code").textContent`); got != want {
			t.Errorf("pasted %q, want %q", got, want)
		}
	})
}
