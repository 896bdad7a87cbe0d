//go:build browser

package pagetest

import (
	"errors"
	"fmt"
	"net"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/hexarena/hexarena/bots"
	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/recording"
)

// started holds the bots that the feed shows as started processes.
type started struct {
	printed recording.Pages

	mu   sync.Mutex // guards bots
	bots map[string]recording.Bot
}

func (s *started) describe(address string) recording.Bot {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bots[address]
}

// start connects a bot as if its process had been started.
func (s *show) start(label string, bot netorcai.Bot) {
	s.t.Helper()
	conn, err := net.Dial("tcp", s.server.Addr().String())
	if err != nil {
		s.t.Fatal(err)
	}
	s.started.mu.Lock()
	s.started.bots = map[string]recording.Bot{
		conn.LocalAddr().String(): {Label: label, Command: []string{"python3", label}},
	}
	s.started.mu.Unlock()
	c, err := netorcai.NewClient(s.ctx, conn,
		netorcai.Login{Nickname: "talker", Role: netorcai.RolePlayer})
	if err != nil {
		s.t.Fatalf("%s joins: %v", label, err)
	}
	s.running.Go(func() {
		defer c.Close()
		_ = c.Play(s.ctx, bot)
	})
}

// talker is a painter that sends debug, sends an invalid action, and crashes at the TURN
// lastTurn.
type talker struct {
	netorcai.Bot
	print func(line string)
	turn  int
}

const lastTurn = 30

var errDead = errors.New("dead")

func (b *talker) Turn(m netorcai.Turn) ([]byte, error) {
	b.turn = m.Number
	b.print(fmt.Sprintf("TURN %d, and <b>all</b> is well", m.Number))
	if m.Number == lastTurn {
		for _, line := range []string{
			"Traceback (most recent call last):", `  File "my_bot.py", line 146, in <module>`,
			"    sys.exit(main())",
			`  File "my_bot.py", line 58, in decide`, "    return actions[7]", "           ~~~~~~~^^^",
			"IndexError: list index out of range",
		} {
			b.print(line)
		}
		return nil, errDead
	}
	actions, err := b.Bot.Turn(m)
	if err != nil {
		return nil, err
	}
	return append(actions[:len(actions)-1],
		`,{"id":999,"movement":"bomb","bomb_range":3,"bomb_delay":3}]`...), nil
}

func (b *talker) Debug() netorcai.Debug {
	d := netorcai.Debug{
		Text: fmt.Sprintf("plan for TURN %d:\n  paint the <i>middle</i>, then the east", b.turn),
		Values: map[string]float64{
			"cells in danger":   float64(b.turn * (30 - b.turn) / 4),
			"score of the plan": -1.5 + float64(b.turn*7%13)/4, "bombs": float64(b.turn % 3),
		},
	}
	for i, color := range []string{"red", "#0f0", "#4273E8", "no colour", ""} {
		d.Cells = append(d.Cells, netorcai.DebugCell{Q: i - 2, R: 1, Color: color, Label: fmt.Sprint(i)},
			netorcai.DebugCell{Q: i - 3, R: 2, Color: color})
	}
	return d
}

const (
	myBot = `document.querySelector('section[aria-label="My bot"]')?.innerText ?? ""`
	// marked reports whether the board shows the green of a mark, which no player has.
	marked = `(() => {
		const c = document.querySelector('[role="img"][aria-label^="Board"] canvas');
		const copy = new OffscreenCanvas(c.width, c.height).getContext("2d", { willReadFrequently: true });
		copy.drawImage(c, 0, 0);
		const { data } = copy.getImageData(0, 0, c.width, c.height);
		for (let i = 0; i < data.length; i += 4) if (data[i] < 40 && data[i + 1] > 215 && data[i + 2] < 40) return true;
		return false;
	})()`
	openMyBot = `nav[aria-label="Pages"] button:nth-child(2)`
)

// talked returns a match in which a started bot sends debug.
func talked(t *testing.T) *show {
	s := newShow(t, maps.Default, 60)
	strategy, err := bots.New("painter", 5)
	if err != nil {
		t.Fatal(err)
	}
	s.start(
		"my_bot.py",
		&talker{
			Bot:   bots.ForClient(strategy),
			print: func(line string) { s.started.printed.Print("my_bot.py", line) },
		},
	)
	s.join(seats[:3]...)
	return s
}

func TestMyBotLive(t *testing.T) {
	t.Parallel()
	s := talked(t)
	s.play(25)
	b := open(t, s.page.URL())
	await(b, "turn on the board", boardTurn, 25)
	await(b, "marks before anybody wants them", marked, false)
	b.do(chromedp.Click(chromedp.CSS(openMyBot)))
	await(b, "what the bot says", shows(myBot, "talker", "my_bot.py", "turn 23 · answered in", "TURN 23, and <b>all</b> is well",
		"plan for TURN 23:", "the <i>middle</i>", "10 cells marked", "cells in danger", "score of the plan", "unknown character", "1 of "), true)
	await(b, "curves",
		`document.querySelectorAll('section[aria-label="Values"] figure canvas').length`, 3)
	await(b, "marks with the tab", marked, true)
	b.shoot("my bot")
	b.press("g")
	await(b, "marks after G", marked, false)
	b.press("g")
	await(b, "marks after G twice", marked, true)
	s.play(1)
	await(b, "what it says a turn later", shows(myBot, "TURN 24, and", "plan for TURN 24:"), true)
	b.do(
		chromedp.Click(chromedp.CSS(`section[aria-label="My bot"] button[aria-label="Follow painter"]`)))
	await(b, "another bot", shows(myBot, "painter", "move")+` && !(`+shows(myBot, "plan for")+`)`,
		true)
	await(b, "marks of a bot that has none", marked, false)
	b.press("0")
	await(b, "the own bot again", shows(myBot, "plan for TURN 24:"), true)

	s.play(12)
	await(b, "how it died",
		shows(myBot, "gone since turn", "LAST OUTPUT", "IndexError: list index out of range"), true)
	await(b, "the error, at the end and in sight", `((last) => {
		const box = last?.parentElement;
		return last?.textContent.trim() === "IndexError: list index out of range" && box.scrollTop + box.clientHeight >= box.scrollHeight - 1;
	})(document.querySelector('section[aria-label="My bot"] .crash.last'))`, true)
	await(b, "lines of the traceback",
		`document.querySelectorAll('section[aria-label="My bot"] .crash').length`, 6)
	b.shoot("my bot died")
	b.press("d")
	b.shoot("my bot died light")
}

func TestMyBotRecorded(t *testing.T) {
	t.Parallel()
	s := talked(t)
	s.finish()
	b := open(t, s.recordingURL("#t=20"))
	await(b, "turn on the board", boardTurn, 20)
	b.do(chromedp.Click(chromedp.CSS(openMyBot)))
	await(
		b, "what the bot said",
		shows(myBot, "my_bot.py", "TURN 18, and <b>all</b> is well", "plan for TURN 18:",
			"unknown character"),
		true,
	)
	await(b, "marks", marked, true)
	await(b, "curves",
		`document.querySelectorAll('section[aria-label="Values"] figure canvas').length`, 3)
	await(b, "outcomes without an icon", `document.querySelectorAll(".deeds .outcome").length - document.querySelectorAll(".deeds .outcome svg").length`, 0)
	b.do(chromedp.Click(chromedp.CSS(".spark .u-over")))
	await(b, "turn in the middle of a curve", boardTurn, 10)
	b.do(chromedp.Click(chromedp.CSS(".spark .u-over")))
	await(b, "turn in the middle of ten", boardTurn, 5)
	b.press("d")
	b.shoot("my bot light")
	b.press("d", "p")
	await(b, "marks on a projector", marked, true)
	b.press("p")
	b.do(phone)
	await(b, "what the page is too wide by", tooWide, 0)
	await(b, "what the page is too high by", tooHigh, 0)
	await(b, "marks on a phone", marked, true)
	b.shoot("my bot phone")
}
