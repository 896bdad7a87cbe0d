//go:build browser

package pagetest

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/hexarena/hexarena/server/recording"
)

// banner reads what the page says about an incomplete recording.
const banner = `document.querySelector(".banner.incomplete p")?.innerText ?? ""`

// Of a damaged or truncated recording the turns before that are shown, and the page and the
// list say what is missing.
func TestIncompleteRecordings(t *testing.T) {
	t.Parallel()
	s := recorded(t)
	whole, err := os.ReadFile(s.recorder.Path())
	if err != nil {
		t.Fatal(err)
	}
	damaged := bytes.Clone(whole)
	for i := range 200 {
		damaged[len(damaged)/2+i] ^= 0x55
	}
	write := func(name string, data []byte) string {
		t.Helper()
		if err := os.WriteFile(filepath.Join(s.folder, name+recording.Extension), data, 0o600); err != nil {
			t.Fatal(err)
		}
		return s.page.URL() + "?recording=" + name + recording.Extension
	}
	for _, test := range []struct {
		name string
		data []byte
		says string
	}{
		{"damaged", damaged, "–89 cannot be read."},
		{"cut", whole[:len(whole)/2], "The recording ends at turn "},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := open(t, write(test.name, test.data)+"#t=5")
			await(b, "turn on the board", boardTurn, 5)
			await(b, "ranking", ranking, s.ranking(5))
			await(b, "what is missing", shows(banner, test.says), true)
			b.shoot("recording " + test.name)
			b.press(kb.End)
			await(b, "the last turn that is there", boardTurn+" > 8 && "+boardTurn+" < 90", true)
			last := value[int](b, boardTurn)
			await(b, "ranking of the last turn", ranking, s.ranking(last))
			b.press(kb.ArrowLeft, " ")
			stopped := fmt.Sprintf(
				`%s === %d && document.querySelector('button[aria-label="Play"]') !== null`, boardTurn, last)
			await(b, "it plays to the last turn and stops", stopped, true)
			b.do(chromedp.Click(chromedp.CSS(".banner.incomplete button")))
			await(b, "the banner when it is closed", banner, "")
		})
	}
	b := open(t, s.page.URL())
	b.presses("Recordings")
	await(b, "what the list says of them",
		`[...document.querySelectorAll(".recordings .mark")].map((e) => e.textContent).sort().join()`,
		"cut,damaged")
	b.shoot("recordings incomplete")
	b.do(phone)
	await(b, "pictures of what can be read", pictured, 3)
	await(b, "downloads and the marks of cards that overlap", `[...document.querySelectorAll(".tile")].filter((card) => {
		const [mark, acts] = [".mark", ".todo"].map((s) => card.querySelector(s)?.getBoundingClientRect());
		return mark && mark.right > acts.left && mark.bottom > acts.top;
	}).length`, 0)
	b.shoot("recordings incomplete phone")
}

// Files that are not recordings, and missing files, are reported in words; a busy server is
// asked again.
func TestRecordingProblems(t *testing.T) {
	t.Parallel()
	s := recorded(t)
	if err := os.WriteFile(filepath.Join(s.folder, "text"+recording.Extension), []byte("no recording\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, says := range map[string]string{
		"text": "is not a recording", "none": "There is no recording none",
	} {
		b := openEmpty(t) // the browser logs the status
		b.do(chromedp.Navigate(s.page.URL() + "?recording=" + name + recording.Extension))
		await(b, "what the page says", shows(`document.querySelector(".empty")?.innerText ?? ""`, says),
			true)
		for _, p := range b.taken() {
			if !strings.Contains(p, "404") && !strings.Contains(p, "422") {
				t.Errorf("the browser complains: %s", p)
			}
		}
	}

	b := openEmpty(t)
	b.do(failing("api/recordings/"+filepath.Base(s.recorder.Path()), http.StatusServiceUnavailable, 2))
	b.do(chromedp.Navigate(s.recordingURL("#t=7")))
	await(b, "turn on the board after two refusals", boardTurn, 7)
}

// failing makes the first requests of an address fail with a status.
func failing(address string, status, times int) void {
	return call(page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: fmt.Sprintf(`{
		const { fetch } = window;
		let left = %d;
		window.fetch = async (...args) => String(args[0]).includes(%q) && left-- > 0
			? new Response("{}", { status: %d, headers: { "Retry-After": "1" } }) : fetch(...args);
	}`, times, address, status)})
}
