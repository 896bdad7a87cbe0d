//go:build browser

package pagetest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/cup/cuptest"
	"github.com/hexarena/hexarena/server/cup/site"
	"github.com/hexarena/hexarena/server/web"
)

// contest is a cup whose results are made up, in a folder, with its page. The recordings of matches
// 12 and 13 are those of one real match.
type contest struct {
	t    *testing.T
	dir  string
	log  []string // the lines of all matches
	cup  *archive.Cup
	page *web.Server
}

// newContest returns a cup of a plan, of which no match has been played yet.
func newContest(t *testing.T, p *plan.Plan) *contest {
	t.Helper()
	return newContestOf(t, p, cuptest.Rows(p, p.Count))
}

// newContestOf returns a cup of a plan with these rows, of which none is in its log yet.
func newContestOf(t *testing.T, p *plan.Plan, rows []*results.Row) *contest {
	t.Helper()
	s := recorded(t)
	c := &contest{t: t, dir: filepath.Join(t.TempDir(), "our cup")}
	cuptest.Write(t, c.dir, p, plan.Whole, rows)
	log, err := os.ReadFile(filepath.Join(c.dir, "log.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	c.log = strings.SplitAfter(string(log), "\n")
	match, err := os.ReadFile(recordings(t, s.folder)[0])
	for _, k := range []int{12, 13} {
		if err == nil {
			err = os.WriteFile(filepath.Join(c.dir, "matches", fmt.Sprintf("%d.hexarena", k)), match, 0o600)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	begun := archive.Origin{
		Version: "1.2.3", Commit: "abc", Command: []string{"hexarena", "cup", "my bot.py"},
	}
	text, err := json.Marshal(begun)
	if err == nil {
		err = os.WriteFile(filepath.Join(c.dir, archive.OriginFile), text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	c.play(0)
	if c.cup, err = archive.Open(c.dir); err != nil {
		t.Fatal(err)
	}
	c.serve()
	return c
}

// play writes the first matches to the log.
func (c *contest) play(matches int) {
	c.t.Helper()
	text := strings.Join(c.log[:matches], "")
	if err := os.WriteFile(filepath.Join(c.dir, "log.ndjson"), []byte(text), 0o600); err != nil {
		c.t.Fatal(err)
	}
}

// serve serves the page until the test ends.
func (c *contest) serve() {
	c.t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	page, err := web.Listen(web.Options{
		Address: "127.0.0.1:0", Version: "test",
		Recordings: web.NewFolder(c.cup.RecordingsDir(), replays), Cup: site.OpenLive(ctx, c.cup),
	})
	if err != nil {
		c.t.Fatal(err)
	}
	served := make(chan error)
	go func() { served <- page.Serve(ctx) }()
	c.t.Cleanup(func() {
		stop()
		if err := <-served; err != nil {
			c.t.Errorf("the page: %v", err)
		}
	})
	c.page = page
}

// What the page of a cup shows.
const (
	standings = `[...document.querySelectorAll(".standings tbody tr")].map((tr) => tr.innerText.replaceAll("\t", " ")).join("\n")`
	progress  = `(document.querySelector(".progress")?.innerText ?? "")`
	origin    = `(document.querySelector(".origin")?.innerText ?? "")`
	pairs     = `(document.querySelector(".matches")?.innerText ?? "")`
	cupState  = `(document.querySelector(".topbar .pill")?.innerText ?? "")`
)

// The page follows a cup, and leads from the cross-table to replays and back.
func TestCup(t *testing.T) {
	t.Parallel()
	p := cuptest.Plan(plan.RoundRobin, 4, 3)
	p.Count = 300
	c := newContest(t, p)
	b := open(t, c.page.URL())
	await(b, "the page of the server is that of the cup", `location.pathname`, "/cup")
	await(b, "how far it is", shows(progress, "0", "of 300 matches"), true)
	await(b, "its title", `document.title`, "Round robin of 4 bots · hexarena")
	await(b, "empty tables before the first match",
		`document.querySelectorAll(".cross, .part").length`, 0)
	c.play(90)
	await(b, "how far it is then",
		shows(progress, "90", "of 300 matches", "30 whole blocks", "a second"), true)
	await(b, "that it goes on", cupState, "LIVE")
	await(b, "bars", `document.querySelectorAll(".standings .range").length`, 4)
	await(b, "the first bot", shows(standings, "=painter"), true)
	await(b, "where it comes from",
		shows(origin, "hexarena 1.2.3, commit abc", p.Digest().String(),
			"hexarena cup 'my bot.py'"), true)
	b.shoot("cup live")

	cell := `document.querySelectorAll(".cross tbody tr")[0].querySelector(".cell a")`
	b.do(chromedp.Evaluate[chromedp.Void](cell + `.click()`))
	await(b, "matches that can be seen", shows(pairs, "against", "wins", "match 1", " on "), true)
	c.play(300)
	await(b, "how far it is at the end", shows(progress, "300", "100 whole blocks"), true)
	await(b, "that it is over", cupState, "FINISHED")
	b.shoot("cup finished")
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".matches li a").click()`))
	await(b, "turn on the board", boardTurn, 0)
	await(b, "the tabs of a match of a cup", `[...document.querySelectorAll('nav[aria-label="Pages"]:not(.bottom) > *')].map((b) => b.innerText).join(", ")`, "Match, My bot, Report, Rules, Cup")
	b.do(
		chromedp.Evaluate[chromedp.Void](
			`[...document.querySelectorAll("nav a")].find((a) => a.innerText === "Cup").click()`),
	)
	await(b, "the cup again", shows(standings, "=painter"), true)
}

// An error leads to the turn of its first match in which the bot failed.
func TestCupErrors(t *testing.T) {
	t.Parallel()
	p := cuptest.Plan(plan.RoundRobin, 4, 3)
	p.Count = 300
	c := newContest(t, p)
	var row struct{ Forfeits []string }
	k := 12
	if err := json.Unmarshal([]byte(c.log[k]), &row); err != nil {
		t.Fatal(err)
	}
	c.log[k] = strings.Replace(c.log[k], `"forfeits":["`+row.Forfeits[0], `"forfeits":["hung`, 1)
	c.play(300)
	times := "k,started,ms,host,seat,bot,turns,skipped,p50_us,p99_us,max_us,exit,printed\n" +
		`12,,5,h,1,b,40,0,1,1,1,exit status 7,<b>last</b>\nwords` + "\n"
	if err := os.WriteFile(filepath.Join(c.dir, "times.csv"), []byte(times), 0o600); err != nil {
		t.Fatal(err)
	}
	b := open(t, c.page.URL())
	const link = `document.querySelector('.failures a[href*="recording=12"]')`
	await(b, "the error", link+` !== null`, true)
	await(
		b, "what it says",
		shows(link+`.closest("details").textContent`, "hung in 1 match",
			"first in match 12 (exit status 7)", "<b>last</b>\nwords"),
		true,
	)
	b.do(chromedp.Evaluate[chromedp.Void](link + `.click()`))
	await(b, "turn on the board", boardTurn, 41)
}

// A comparison shows its test, and a page without a connection says so and goes on.
func TestCupComparison(t *testing.T) {
	t.Parallel()
	p := cuptest.Plan(plan.Comparison, 2, 4)
	p.Count = 400
	c := newContest(t, p)
	c.play(40)
	b := openEmpty(t) // it complains of the lost connection
	b.do(chromedp.Navigate(c.page.URL()))
	await(b, "what is compared", shows(`document.querySelector("h1").innerText`, "against =painter"),
		true)
	await(b, "the test", shows(progress, "It is not decided whether", "log-likelihood ratio"), true)
	await(b, "meters", `document.querySelectorAll("[role=meter]").length`, 2)
	await(b, "the rank of the first line", `document.querySelector(".standings tbody td").innerText`,
		"1")
	b.do(offline())
	await(b, "that the connection is lost",
		shows(`document.querySelector("[role=alert]")?.innerText ?? ""`, "does not answer"), true)
	await(b, "the standings are still there", shows(standings, "=painter"), true)
	c.play(44)
	b.do(online())
	await(b, "it goes on", shows(progress, "44"), true)
	await(b, "that the connection is back", `document.querySelector("[role=alert]") === null`, true)
}

// The page breaks no rule of accessibility, fits all windows, and has projector's type.
func TestAccessibleCup(t *testing.T) {
	t.Parallel()
	audit := auditor(t)
	for name, p := range map[string]*plan.Plan{
		"round robin": cuptest.Plan(plan.RoundRobin, 6, 3),
		"comparison":  cuptest.Plan(plan.Comparison, 2, 4), "gauntlet": cuptest.Plan(plan.Gauntlet, 5, 2),
	} {
		p.Count = 300
		c := newContest(t, p)
		c.play(201)
		b := open(t, c.page.URL())
		await(b, "the standings", `document.querySelectorAll(".standings .bars .at").length > 0`, true)
		b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".cell a").click()`))
		await(b, "the matches of a pair", pairs+` !== ""`, true)
		b.do(
			chromedp.Evaluate[chromedp.Void](
				`document.querySelectorAll("details").forEach((d) => d.open = true)`),
		)
		for _, w := range []struct {
			name  string
			width int
			size  void
		}{
			{"desktop", 1440, size(1440, 900)}, {"projector", 1920, size(1920, 1080)}, {"phone", 390, phone},
		} {
			b.do(w.size)
			if w.name == "projector" {
				b.press("p")
			}
			audit(b, "cup "+name+" "+w.name)
			await(b, "the title is not cut", `((title) => title.scrollWidth <= title.clientWidth && title.scrollHeight <= title.parentElement.clientHeight)(document.querySelector("h1"))`, true)
			await(b, "what the page is too wide by",
				fmt.Sprintf(`document.scrollingElement.scrollWidth - %d`, w.width), 0)
			if w.name == "desktop" {
				await(b, "tables stand beside each other, to the edge", `(() => {
					const at = (s) => document.querySelector(s).getBoundingClientRect();
					return [at(".cross").top === at("#seats").top,
						Math.abs(at("section:has(#seats)").right - at(".standings").right) < 1].join();
				})()`, "true,true")
			}
			for _, scheme := range []string{"dark", "light"} {
				b.do(prefers(scheme))
				await(b, "the theme", `document.documentElement.dataset.theme`, scheme)
				plate := map[string]string{"dark": "rgb(243, 245, 249)", "light": "rgb(18, 22, 31)"}[scheme]
				await(b, "the ground of the logo",
					`getComputedStyle(document.querySelector(".logo .plate")).fill`, plate)
				b.shoot("view cup " + name + " " + w.name + " " + scheme)
			}
			if w.name == "projector" {
				b.press("p")
			}
		}
	}
}

// The page of a cup with groups has a table for each group, and says who goes on, also in an
// export.
func TestCupGroups(t *testing.T) {
	t.Parallel()
	p := cuptest.Plan(plan.Groups, 6, 2)
	p.Count = 18
	// rows of groups follow from results, and any will do
	others := cuptest.Plan(plan.RoundRobin, 6, 2)
	c := newContestOf(t, p, cuptest.Rows(others, p.Count))
	c.play(p.Count)
	b := open(t, c.page.URL())
	const heads = `[...document.querySelectorAll("h2")].map((h) => h.textContent).filter((text) => text.startsWith("Group ")).join()`
	await(b, "the groups", heads, "Group 1,Group 2")
	await(b, "bots that go on", `[...document.querySelectorAll("td.name")].filter((cell) => cell.textContent === "goes on").length`, 4)
	b.shoot("groups of a cup")
}
