//go:build browser && pictures

package pagetest

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/cup/cuptest"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/servertest"
)

// windows are the sizes in which every view is photographed; far are those of projectors.
var (
	windows = []window{
		{"1440", size(1440, 900)},
		{"1920", size(1920, 1080)},
		{"phone", phone},
		{"on its side", size(844, 390)},
	}
	far    = windows[:2]
	narrow = windows[2:]
	tablet = window{"tablet", size(1024, 768)}
)

// TestViews photographs each view of the page in all windows and both themes. A person looks at
// them.
func TestViews(t *testing.T) {
	if screenshots == "" {
		t.Fatal("HEXARENA_SCREENSHOTS names no folder for the pictures")
	}
	t.Run("match", viewMatch)
	t.Run("own bot", viewOwnBot)
	t.Run("recordings", viewRecordings)
	t.Run("crowd", viewCrowd)
	t.Run("person", viewPerson)
	t.Run("judged", viewJudged)
	t.Run("sudden death", viewSuddenDeath)
	t.Run("disconnected", viewDisconnected)
	t.Run("cup", viewCup)
	t.Run("opponent", viewOpponent)
	t.Run("tokens", viewTokens)
	t.Run("drawn", viewDrawn)
	for _, test := range []func(*testing.T){
		TestAnalysisBoard, TestCompareRecordings, TestCompareTurns, TestEmbed, TestEvent, TestFollowShows,
		TestGallery, TestLogicIsDrawn, TestPaused,
		TestPlayOn, TestReport, TestReportLive, TestRunAgain, TestShare, TestSigns, TestTurnCard,
		TestUnknownGame, TestWalkToTheReason,
	} {
		t.Run("", test) // they photograph what they open
	}
}

// views photographs a view in some windows, in both themes.
func (b *tab) views(name string, list []window) {
	b.t.Helper()
	for _, w := range list {
		for _, theme := range []string{"dark", "light"} {
			b.do(w.size, prefers(theme))
			await(b, "the theme", `document.documentElement.dataset.theme`, theme)
			b.settle()
			b.shoot("view " + name + " " + w.name + " " + theme)
		}
	}
	b.do(windows[0].size)
}

// projected photographs the projector view.
func (b *tab) projected(name string) {
	b.t.Helper()
	b.press("p")
	b.views(name, far)
	b.press("p")
}

// viewMatch photographs a match from before the lobby to after the end.
func viewMatch(t *testing.T) {
	s := newShow(t, maps.Default, 200)
	s.feed.SetAddresses([]string{"127.0.0.1:4242", "192.168.1.5:4242"})
	none := open(t, newPage(s).URL())
	await(none, "ways on", shows(`document.querySelector(".empty")?.innerText ?? ""`, "No match yet."),
		true)
	none.views("no match", windows)

	b := open(t, s.page.URL())
	await(b, "an empty lobby is shown", shows(lobby, "4 seats free"), true)
	b.views("lobby empty", windows)
	b.button("Show me how")
	b.bottom(".lobby")
	b.views("how to host", windows)
	s.join(seats[:2]...)
	await(b, "two seats are taken", shows(lobby, "2 seats free"), true)
	b.views("lobby", windows)
	b.projected("lobby projector")
	s.join(seats[2:]...)
	s.play(60)
	await(b, "turn on the board", boardTurn, 60)
	b.views("live", append(slices.Clone(windows), tablet))
	b.projected("live projector")
	b.do(chromedp.Focus(".board"))
	b.press(kb.Enter, kb.ArrowLeft)
	await(b, "a cell's tooltip", tooltip+` !== ""`, true)
	b.views("cell", windows)
	b.press(kb.Escape)
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".whole").focus()`))
	await(b, "a player's card", shows(card, "rank"), true)
	b.views("player's card", far)
	b.press(kb.Escape)
	b.button("Thinking")
	b.do(chromedp.Click(chromedp.CSS(".joinlater summary")))
	b.views("thinking and joining", far)
	b.button("Score")
	b.do(chromedp.Click(chromedp.CSS(".joinlater summary")))
	b.button("Back one turn")
	b.press("2")
	await(b, "turn on the board", boardTurn, 59)
	b.views("paused followed", windows)
	b.press("0", "?")
	await(b, "the keys are shown", `document.querySelector("dialog[open]") !== null`, true)
	b.views("keys", windows)
	b.press(kb.Escape)
	for _, name := range []string{"My bot", "Report", "Rules", "Write a bot"} {
		b.button(name)
		b.views(name, windows)
	}
	b.button("Match")
	b.do(phone)
	b.button("Ranking")
	b.views("ranking", narrow)
	b.do(phone)
	b.button("Speed and looks")
	b.views("looks", narrow)
	b.press(kb.Escape)
	b.do(phone)
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("nav.bottom button").click()`),
		chromedp.Evaluate[chromedp.Void](`document.querySelector(".chip").click()`))
	await(b, "a player's sheet", shows(card, "rank"), true)
	b.views("player's sheet", narrow)
	b.press(kb.Escape, "l")
	s.finish()
	await(b, "turn on the board at the end", boardTurn, 200)
	b.views("end", windows)
	b.projected("end projector")
}

// bottom scrolls an element to its end.
func (b *tab) bottom(selector string) {
	b.t.Helper()
	b.do(
		chromedp.Evaluate[chromedp.Void](
			`document.querySelector(` + quote(selector) + `).scrollTo(0, 1e6)`),
	)
}

// viewOwnBot photographs a bot that is written in the page while it plays, and its end.
func viewOwnBot(t *testing.T) {
	s := newShow(t, maps.Default, 100)
	b := openEditor(t, s)
	b.joins(
		"let turns = 0;\n" + class("turn(state) {\n  console.log('cells', state.cells.length);\n  if "+
			"(++turns > 50) state.nothing.more();\n  return [];\n}"),
	)
	b.views("editor joined", windows)
	s.join(opponents...)
	s.play(60)
	await(b, "status", "("+botStatus+`).startsWith("playing")`, true)
	b.views("editor playing", windows)
	s.finish()
	await(b, "status", botStatus, "not in a match")
	b.views("editor end", windows)
}

// viewRecordings photographs the list of recordings, some of them incomplete, and a started bot
// that crashed.
func viewRecordings(t *testing.T) {
	s := talked(t)
	s.finish()
	s.room.Wait() // the recording is closed
	whole, err := os.ReadFile(s.recorder.Path())
	if err == nil {
		err = os.WriteFile(filepath.Join(s.folder, "cut"+recording.Extension), whole[:len(whole)*9/10],
			0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	b := open(t, s.recordingURL("#t=20"))
	await(b, "turn on the board", boardTurn, 20)
	b.views("replay", windows)
	b.press("s")
	await(b, "the sheet", shows(sheet, "Share turn"), true)
	b.views("share", windows)
	b.press(kb.Escape)
	b.button("My bot")
	b.views("my bot prints", windows)
	b.press(kb.End)
	await(b, "the crash", shows(myBot, "IndexError"), true)
	b.views("my bot crashed", windows)
	b.button("Recordings")
	await(b, "the recordings are listed",
		`document.querySelectorAll('main a[href*="recording="]').length`, 2)
	b.views("recordings", windows)
	cut := open(t, s.page.URL()+"?recording=cut"+recording.Extension)
	await(cut, "what is missing", shows(banner, "The recording ends at turn "), true)
	cut.views("cut recording", windows)
}

// viewCrowd photographs a match of sixteen players on a large board.
func viewCrowd(t *testing.T) {
	b := open(t, crowd(t)+"#t=30", offline())
	await(b, "turn on the board", boardTurn, 30)
	b.views("crowd", windows)
	b.projected("crowd projector")
}

// viewPerson photographs a person's game of hexagonal tic-tac-toe.
func viewPerson(t *testing.T) {
	s := newSalon(t)
	b := open(t, s.page.URL())
	b.button("Play hexagonal tic-tac-toe")
	b.views("new game", windows)
	b.button("Circle, moves first")
	b.button("Begin")
	await(b, "it is the person's move", shows(hand, "choose two pieces"), true)
	b.views("person's move", windows)
	b.button("Resign")
	b.button("Resign now")
	await(b, "the end", hand, "You have resigned.")
	b.views("person resigned", windows)
}

// viewJudged photographs a server of hexagonal tic-tac-toe, a recorded game and its analysis.
func viewJudged(t *testing.T) {
	address, file := judgedServer(t)
	empty := open(t, address)
	await(empty, "a lobby", `document.querySelector(".lobby") !== null`, true)
	empty.views("tictactoe lobby", windows)
	b := open(t, address+"?recording="+file+"#t=6")
	await(b, "move on the board", boardMove+" > 0", true)
	b.views("tictactoe replay", windows)
	b.projected("tictactoe projector")
	b.button("Rules")
	b.views("tictactoe rules", windows)
	b.button("Analysis")
	await(b, "judges", `document.querySelectorAll('[aria-label="Judge"] option').length > 1`, true)
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector('.order form').requestSubmit()`))
	await(b, "all is judged", shows(standing, "moves judged"), true)
	b.views("tictactoe analysis", windows)
	b.button("Match")
	b.press(kb.End)
	b.views("tictactoe end", windows)
}

// viewSuddenDeath photographs a match of sudden death while some live, and after the last one.
func viewSuddenDeath(t *testing.T) {
	b := open(t, suddenDeath(t)+"#t=12", offline())
	await(b, "turn on the board", boardTurn, 12)
	b.views("sudden death", windows)
	b.press(kb.End)
	await(b, "turn on the board", boardTurn, 150)
	b.views("sudden death all out", windows)
	b.projected("sudden death projector")
}

// viewDisconnected photographs a page whose server has stopped.
func viewDisconnected(t *testing.T) {
	_, b, _ := disconnected(t)
	b.views("disconnected", windows)
}

// viewCup photographs a cup before its first match, while it is played, and the matches of two bots
// at its end; and a comparison.
func viewCup(t *testing.T) {
	p := cuptest.Plan(plan.RoundRobin, 4, 3)
	p.Count = 300
	c := newContest(t, p)
	b := open(t, c.page.URL())
	await(b, "how far it is", shows(progress, "of 300 matches"), true)
	b.views("cup before", windows)
	c.play(90)
	await(b, "how far it is then", shows(progress, "90"), true)
	b.views("cup live", windows)
	c.play(300)
	await(b, "that it is over", cupState, "FINISHED")
	b.do(
		chromedp.Evaluate[chromedp.Void](
			`document.querySelectorAll(".cross tbody tr")[0].querySelector(".cell a").click()`),
	)
	await(b, "matches that can be seen", shows(pairs, "against"), true)
	b.views("cup matches", windows)

	p = cuptest.Plan(plan.Comparison, 2, 4)
	p.Count = 200
	c = newContest(t, p)
	c.play(200)
	b = open(t, c.page.URL())
	await(b, "that it is over", cupState, "FINISHED")
	b.views("cup comparison", windows)
}

// viewOpponent photographs a person's game while the other side thinks, and when it has left.
func viewOpponent(t *testing.T) {
	port, page := startPlay(t, "open", "wait:tcp")
	b := open(t, page)
	b.button("Play this seat")
	await(b, "the seat is taken", shows(lobby, "1 seat free"), true)
	b.views("seat taken", windows)
	c := servertest.Login(t, port, "tcp", "player")
	await(b, "it is the other side's move", shows(hand, "The other side is thinking."), true)
	b.views("opponent thinks", windows)
	_ = c.Close()
	await(b, "the other side has gone", shows(hand, "You have won by forfeit ("), true)
	b.views("opponent left", windows)
}

// viewTokens photographs the lobby and the editor of a server that requires tokens, and the
// question for one.
func viewTokens(t *testing.T) {
	b := open(t, serveWithTokens(t))
	await(b, "the lobby", shows(lobby, "2 seats free"), true)
	b.views("tokens lobby", windows)
	b.button("Play this seat")
	await(b, "the token is asked for",
		`document.querySelector('dialog input[type="password"]') !== null`, true)
	b.views("tokens seat", windows)
	b.press(kb.Escape)
	b.button("Write a bot")
	b.views("tokens editor", windows)
}

// viewDrawn photographs a game of a game logic that says how it is drawn, and one that the page
// cannot draw.
func viewDrawn(t *testing.T) {
	c := newClaims(t, 20)
	b := open(t, c.serve.Page)
	await(b, "the lobby", shows(lobby, "2 seats free"), true)
	b.views("drawn lobby", windows)
	c.join(t)
	c.play(12)
	await(b, "turn on the board", boardTurn, 13)
	b.views("drawn", windows)
	b.projected("drawn projector")
	b.button("My bot")
	b.press("1")
	b.views("drawn my bot", windows)
	b.button("Rules")
	b.views("drawn rules", windows)
}
