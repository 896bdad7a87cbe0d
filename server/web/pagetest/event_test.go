//go:build browser

package pagetest

import (
	"bufio"
	"context"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/hexarena/hexarena/bots"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/servertest"
)

// hackathon is a running event.
type hackathon struct {
	t            *testing.T
	url, address string
	admin        string // the operator's token
	stdin        io.Writer
}

// newHackathon starts an event whose rounds the operator begins, at an address of its own.
func newHackathon(t *testing.T, args ...string) *hackathon {
	t.Helper()
	address := servertest.FreeAddress(t)
	_, port, _ := net.SplitHostPort(address)
	args = append([]string{"event", filepath.Join(t.TempDir(), "event"), "--bind", "127.0.0.1", "--port", port, "--rounds", "operator"}, args...)
	if !slices.Contains(args, "--turns") {
		args = append(args, "--turns", "30")
	}
	cmd := exec.Command(built(t), args...)
	cmd.Env = append(os.Environ(), "NO_COLOR=1")
	stdin, _ := cmd.StdinPipe()
	stdout, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { // after the tabs are closed
		_, _ = io.WriteString(stdin, "quit\n")
		_ = cmd.Wait()
	})
	h := &hackathon{t: t, url: "http://" + address, address: address, stdin: stdin}
	for lines := bufio.NewScanner(stdout); h.admin == "" && lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "admin") {
			_, h.admin, _ = strings.Cut(lines.Text(), "#")
		}
	}
	if h.admin == "" {
		t.Fatalf("hexarena %q does not start", args)
	}
	return h
}

// signUp signs a team up on the page, in a tab that stays there, and returns its token.
func (h *hackathon) signUp(name string) (b *tab, token string) {
	h.t.Helper()
	b = open(h.t, h.url+"/join")
	b.do(chromedp.SendKeys(`input[name="name"]`, name))
	b.do(
		chromedp.SendKeys(
			`input[name="code"]`,
			value[string](b, `fetch("screen.json").then((r) => r.json()).then((s) => s.code)`,
				chromedp.EvalAwaitPromise),
		),
	)
	b.button("Sign up")
	await(b, "the way to play is shown",
		shows(`document.querySelector("#own")?.innerText ?? ""`, "Download my_bot.zip"), true)
	return b, value[string](b, `location.hash.slice(1)`)
}

// connect runs a bot for a token until the test is over.
func (h *hackathon) connect(token, name string) {
	h.t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	c, err := netorcai.Dial(ctx, h.address,
		netorcai.Login{Nickname: "bot", Role: netorcai.RolePlayer, Token: token, Stay: true})
	if err != nil {
		stop()
		h.t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = c.PlayAll(ctx, func(netorcai.GameStarts) (netorcai.Bot, error) {
			s, err := bots.New(name, 1)
			return bots.ForClient(s), err
		})
	}()
	h.t.Cleanup(func() {
		stop()
		_ = c.Close()
		<-done
	})
}

// small are the texts in sight that are smaller than 24 pixels of a projector of 1080 lines.
const small = `[...document.querySelectorAll("body *")].filter((e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim() !== "") &&
	e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !e.closest(".unseen, svg, table") && !["SCRIPT", "NOSCRIPT", "STYLE"].includes(e.tagName) &&
	parseFloat(getComputedStyle(e).fontSize) < 24).map((e) => e.tagName + "." + e.className + " " + e.textContent + " " + getComputedStyle(e).fontSize).join("\n")`

// An event in browsers: teams sign up, the screen lights them up and then shows the round's match
// with its result held back, each team sees how far its bot is, and the operator begins rounds and
// takes back what was done.
func TestEvent(t *testing.T) {
	t.Parallel()
	audit := auditor(t)
	h := newHackathon(t, "--url", "http://arena.example:4242")
	screen := open(t, h.url+"/screen", size(1920, 1080))
	const onScreen = `document.querySelector("#page").innerText`
	await(screen, "the code", `/code [A-Z]{8}/.test(`+onScreen+`)`, true)
	await(screen, "codes for phones", `document.querySelectorAll(".qr").length`, 1)
	await(screen, "the address that teams are told", shows(onScreen, "arena.example:4242/join"), true)
	audit(screen, "screen before the start")
	join := open(t, h.url+"/join")
	audit(join, "join")
	join.looks("event join")

	ann, token := h.signUp("Ann & the <b>Bees</b>")
	await(ann, "the steps that are done", `document.querySelectorAll("#steps li.done").length`, 1)
	audit(ann, "team before its bot")
	ann.looks("event team before")
	names := []string{"Les Mistrals", "Команда А", "蜂の巣", "x", "The quite long name of a team"}
	tokens := []string{token}
	for _, name := range names {
		b, token := h.signUp(name)
		tokens = append(tokens, token)
		b.do(chromedp.Navigate("about:blank"))
	}
	await(screen, "no team is there", `document.querySelectorAll(".there li").length + " " + document.querySelectorAll(".there li.here").length`, "6 0")
	for i, token := range tokens[:5] {
		h.connect(token, []string{"painter", "random", "hunter"}[i%3])
	}
	await(screen, "teams light up", `document.querySelectorAll(".there li.here").length`, 5)
	await(screen, "small texts", small, "")
	screen.looks("event screen start")
	await(ann, "the steps that are done", `document.querySelectorAll("#steps li.done").length`, 3)
	await(ann, "why it waits",
		shows(`document.body.innerText`, "waits until the operator begins a round"), true)

	admin := open(t, h.url+"/admin#"+h.admin)
	admin.button("Begin a round now")
	await(screen, "a match is shown", `document.querySelector(".shows-match .corner") !== null`, true)
	await(screen, "its result is held back", shows(onScreen, "RESULT HIDDEN"), true)
	await(screen, "small texts", small, "")
	audit(screen, "screen of a match")
	screen.looks("event screen match")
	await(screen, "the podium", `document.querySelectorAll(".podium li").length`, 3)
	await(screen, "small texts", small, "")
	audit(screen, "podium")
	screen.looks("event podium")
	await(ann, "the steps that are done", `document.querySelectorAll("#steps li.done").length`, 5)
	await(ann, "its match is listed", shows(`document.body.textContent`, "Last matches", "Opponents"),
		true)
	await(ann, "the last match as a board", `[...document.querySelectorAll(".latest img")].filter((e) => e.naturalWidth > 100).length > 0`, true)
	await(ann, "how to play is folded", `document.querySelector("#how").open`, false)
	audit(ann, "team after a match")
	ann.looks("event team after")
	ann.do(
		chromedp.Navigate(
			h.url + value[string](ann,
				`document.querySelector('.latest a[href^="/?recording="]').getAttribute("href")`),
		),
	)
	await(ann, "the recording of the match", `document.querySelector(".board canvas") !== null && document.querySelector(".timeline") !== null`, true)

	operate(t, h, admin, audit)
	stranger := open(t, h.url+"/team/x")
	await(stranger, "what others see of a team", shows(`document.body.innerText`, "rating"), true)
	await(stranger, "its token is not shown", `document.querySelector("#own").innerText`, "")
	standings := open(t, h.url+"/standings")
	await(standings, "all teams that are shown", `document.querySelectorAll("main tbody tr").length`, 5)
	audit(standings, "standings")
	standings.looks("event standings")
	stranger.looks("event team of others")
}

// operate uses the operator's page, and takes back what it did.
func operate(t *testing.T, h *hackathon, admin *tab, audit func(*tab, string)) {
	t.Helper()
	const acts = `document.querySelector("#acts").innerText`
	await(admin, "acts", shows(acts, "a round of 2 matches began", "Les Mistrals signed up"), true)
	admin.do(chromedp.Click(`#match-1 [data-act="void"]`))
	await(admin, "the match is void", shows(acts, "match 1 is void"), true)
	audit(admin, "admin")
	admin.looks("event admin")
	admin.button("Take back: match 1 is void")
	await(admin, "the match counts", shows(acts, "match 1 counts again"), true)
	admin.do(chromedp.Click(`#match-1 [data-act="again"]`))
	await(admin, "the match is played again", shows(acts, "match 1 was begun again"), true)
	admin.do(chromedp.SendKeys(`input[name="text"]`, "Lunch at noon"))
	admin.button("Show the message")
	screen := open(t, h.url+"/screen", size(1920, 1080))
	await(screen, "the message",
		shows(`document.querySelector(".says")?.innerText ?? ""`, "Lunch at noon"), true)
	screen.do(phone)
	await(screen, "a code that the message covers on a phone", `(() => { const says = document.querySelector(".says").getBoundingClientRect(); return [...document.querySelectorAll(".qr")].filter((e) => { const { top, bottom } = e.getBoundingClientRect(); return top < says.bottom && bottom > says.top; }).length; })()`, 0)
	screen.do(size(1920, 1080))
	screen.looks("event screen message")
	admin.do(chromedp.SendKeys("#find", "mistral"))
	await(admin, "teams that are found", `document.querySelectorAll(".teams tbody tr:not([hidden])").length`, 1)
	admin.unfold()
	audit(admin, "admin unfolded")
	admin.looks("event admin unfolded")
	admin.do(chromedp.Click(`.teams tbody tr:not([hidden]) [data-act="hide"]`))
	await(admin, "a team is hidden", shows(acts, "Les Mistrals is hidden"), true)
	await(admin, "what was unfolded and typed", `document.querySelector("#find").value + " " + (document.querySelectorAll("details:not([open])").length)`, "mistral 0")
	admin.do(chromedp.Evaluate[chromedp.Void](`window.print = () => {}`))
	admin.do(chromedp.Click(`.teams tbody tr:not([hidden]) [data-slip]`))
	await(admin, "one slip", `document.querySelectorAll("#paper section").length`, 1)
	admin.button("Print all slips")
	await(admin, "slips", `document.querySelectorAll("#paper section").length`, 6)
	await(admin, "QR codes on them", `[...document.querySelectorAll("#paper img")].filter((e) => e.naturalWidth > 100).length`, 6)
	admin.looks("event slips")

	pupil := open(t, h.url+"/admin")
	await(pupil, "that pupils see how the event stands", shows(`document.querySelector("main").innerText`, "of 6 teams ready"), true)
	await(pupil, "acts that pupils see", `document.querySelectorAll("[data-act], [data-save], [data-slip]").length`, 0)
	audit(pupil, "admin of others")
}

// unfold opens all that is folded.
func (b *tab) unfold() {
	b.t.Helper()
	b.do(chromedp.Evaluate[chromedp.Void](
		`document.querySelectorAll("details").forEach((e) => (e.open = true))`))
}
