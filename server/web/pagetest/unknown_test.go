//go:build browser

package pagetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/tools/harness"
)

// pot is a game logic of a game that the page does not know. The test decides when it plays
// a turn.
type pot struct {
	allow chan struct{}
	turn  int
	state potState
}

type potState struct {
	Pot   int               `json:"pot"`
	Names []string          `json:"<b>names</b>"`
	List  []potCard         `json:"list"`
	Deep  map[string]any    `json:"deep"`
	Text  string            `json:"text"`
	Cells []json.RawMessage `json:"cells"`
}

type potCard struct {
	Suit  string `json:"suit"`
	Value int    `json:"value"`
}

func (p *pot) Init(netorcai.DoInit) (netorcai.DoInitAck, error) {
	p.state = potState{
		Names: []string{`<img src=x onerror=alert(1)>`}, Text: strings.Repeat("long ", 20_000),
		Deep: map[string]any{"a": map[string]any{"b": []int{1}}},
	}
	for i := range 5000 {
		p.state.List = append(p.state.List, potCard{"clubs", i})
	}
	// The key of a hexabomb board, with other contents.
	p.state.Cells = []json.RawMessage{[]byte(`null`), []byte(`{"q":"no number"}`)}
	state, err := json.Marshal(p.state)
	return netorcai.DoInitAck{State: state}, err
}

func (p *pot) Turn([]netorcai.PlayerActions) (netorcai.DoTurnAck, error) {
	<-p.allow
	p.turn++
	p.state.Pot = 10 * p.turn
	state, err := json.Marshal(p.state)
	// no player leads, then player 0, alternately
	return netorcai.DoTurnAck{WinnerPlayerID: -1 + p.turn/3%2, State: state}, err
}

// caller answers each TURN with a different action, and may leave at a given TURN.
type caller struct{ leaves int }

var errLeaves = errors.New("leaves")

func (*caller) Start(netorcai.GameStarts) error { return nil }
func (*caller) End(netorcai.GameEnds)           {}

func (c *caller) Turn(m netorcai.Turn) ([]byte, error) {
	if c.leaves > 0 && m.Number >= c.leaves {
		return nil, errLeaves
	}
	return fmt.Appendf(nil, `[{"bet":%d}]`, m.Number), nil
}

const (
	players  = `document.querySelector('section[aria-label="Ranking"]')?.innerText ?? ""`
	state    = `document.querySelector('section[aria-label="State"]')?.innerText ?? ""`
	treeRows = `document.querySelectorAll(".tree li").length`
)

// expand opens or closes a member of the state.
func (b *tab) expand(name string) {
	b.t.Helper()
	find := `[...document.querySelectorAll(".tree button.name")].find((e) => e.textContent === ` + quote(name) + `)`
	await(b, "the member "+name, find+` !== undefined`, true)
	b.do(chromedp.Evaluate[chromedp.Void](find + `.click()`))
}

// A match of an unknown game logic shows the players, the events and the state, live and as
// a file.
func TestUnknownGame(t *testing.T) {
	t.Parallel()
	if absent != nil {
		thorough.Lack(t, absent)
	}
	dir := t.TempDir()
	binary, records := built(t), filepath.Join(dir, "recordings")
	const turns = 14
	// The server outlives the tabs.
	serve, err := harness.Serve(context.Background(), binary, "--game", "external", "--http", "127.0.0.1:0", "--record", records,
		"--fast", "--autostart", "--nb-players-max", "2", "--nb-visus-max", "0", "--nb-turns-max", fmt.Sprint(turns), "--reconnect", "0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(serve.Stop)
	b := open(t, serve.Page, prefers("dark"))
	await(b, "the lobby", shows(lobby, "2 seats free"), true)
	t.Run("lobby", func(t *testing.T) { lobbyWithoutStarter(t, serve.Page) })

	ctx, stop := context.WithCancel(context.Background())
	t.Cleanup(stop)
	connect := func(name string, role netorcai.Role) *netorcai.Client {
		c, err := netorcai.Dial(ctx, serve.Addr, netorcai.Login{Nickname: name, Role: role})
		if err != nil {
			t.Fatalf("%s joins: %v", name, err)
		}
		t.Cleanup(func() { c.Close() })
		return c
	}
	logic := &pot{allow: make(chan struct{}, turns)}
	judged := make(chan error, 1)
	go func(c *netorcai.Client) { judged <- c.Referee(ctx, logic) }(
		connect("logic", netorcai.RoleGameLogic))
	go func(c *netorcai.Client) { _ = c.Play(ctx, &caller{}) }(connect("ada", netorcai.RolePlayer))
	go func(c *netorcai.Client) {
		_ = c.Play(ctx, &caller{leaves: 5})
		c.Close()
	}(connect("bob", netorcai.RolePlayer))

	for range 9 {
		logic.allow <- struct{}{}
	}
	await(b, "turn on the board", boardTurn, 9)
	await(b, "the players", shows(players, "ada", "bob", "gone since", "leads"), true)
	await(b, "the state", shows(state, "AT TURN 8", "pot 90", "<b>names</b>"), true)
	await(
		b, "the events",
		shows(`document.querySelector('section[aria-label="Events"]').innerText`, "takes the lead",
			"bob left the match"),
		true,
	)
	rows := value[int](b, treeRows)
	b.expand("list")
	await(b, "rows of a long list", treeRows, rows+101)
	await(b, "what is not shown yet", shows(state, "\u2009900 more"), true)
	b.expand("99")
	await(b, "a member of the list", shows(state, `suit "clubs"`), true)
	b.looks("unknown game")
	b.press(kb.ArrowLeft)
	await(b, "the turn before", shows(state, "AT TURN 7", "pot 80", `suit "clubs"`), true)
	b.press(kb.Home)
	await(b, "the start", shows(state, "AT THE START", "pot 0"), true)
	await(b, "no player leads yet", shows(players, "leads"), false)
	b.press("p")
	b.shoot("unknown game projector")
	b.press("p")
	b.presses("My bot")
	b.press("1", kb.End)
	await(b, "what a bot wanted", shows(myBot, `{"bet":`)+` || `+shows(myBot, "gone since"), true)
	b.presses("Rules")
	await(b, "the rules",
		shows(`document.querySelector("main.rules").innerText`, "does not know the rules"), true)

	b.do(chromedp.Navigate("about:blank")) // the server ends with the match
	for range turns - 9 {
		logic.allow <- struct{}{}
	}
	if err := <-judged; err != nil {
		t.Fatalf("the game logic: %v", err)
	}
	if err := serve.Wait(); err != nil {
		t.Fatalf("serve: %v", err)
	}

	alone := open(t, exportedFile(t, binary, recordings(t, records)[0])+"#t=9", offline())
	await(alone, "turn on the board", boardTurn, 9)
	await(alone, "the state", shows(state, "AT TURN 8", "pot 90"), true)
	alone.press(kb.End)
	await(alone, "the last turn", boardTurn, turns)
	await(
		alone, "the end",
		shows(`document.querySelector('section[aria-label="Events"]').innerText`,
			"The match ends without a winner"),
		true,
	)
	await(alone, "which match it is",
		shows(`document.querySelector(".topbar .title").innerText`, "external game"), true)
	for _, c := range alone.controls() {
		if c.name == "" {
			t.Errorf("a %s has no name", c.role)
		}
	}
	alone.looks("unknown game end")
}

// The lobby of a game without a starter offers no bot of another game.
func lobbyWithoutStarter(t *testing.T, address string) {
	b := open(t, address+"#edit")
	await(b, "the page of the game",
		shows(`document.querySelector(".topbar .brand")?.ariaLabel ?? ""`, "hexarena"), true)
	await(b, "tabs", tabNames, "Match, Recordings, Rules")
	await(b, "the editor, the starter and how to host a class",
		`document.querySelectorAll(".edit, .ways, a[download]").length`, 0)
	await(b, "the open tab",
		`document.querySelector('nav[aria-label="Pages"] [aria-current="page"]')?.innerText`, "Match")
	await(b, "links to the editor", `document.querySelectorAll('a[href="#edit"]').length`, 0)
	b.shoot("lobby without a starter")
}
