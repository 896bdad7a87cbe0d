package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/server/servertest"
)

// Raw clients play a match on a map file against the real process. In each turn one
// player acts, so that the order of arrival does not matter and every state is known.
func TestServeOnAMapFile(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	for specials := range 2 {
		t.Run(fmt.Sprintf("specials=%d", specials), func(t *testing.T) {
			t.Parallel()
			const turns = 100
			board, err := maps.Load(maps.Default)
			if err != nil {
				t.Fatal(err)
			}
			text, err := json.Marshal(board)
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(t.TempDir(), "board.json")
			writeText(t, file, string(text))
			records := filepath.Join(t.TempDir(), "records")
			p := startServe(t, "--map", file, "--record", records, "--nb-players-max=4", fmt.Sprintf(
				"--nb-splayers-max=%d", specials),
				"--nb-visus-max=1", fmt.Sprintf("--nb-turns-max=%d", turns), "--autostart", "--fast")
			playKnownMatch(t, p.addr, board, specials, turns)
			p.waitLine("Starting game")
			p.waitLine("Game is finished")
			p.expectExit(0)
			verifiedIn(t, records, 1)
		})
	}
}

// playKnownMatch connects all clients and checks every state against the rules.
func playKnownMatch(t *testing.T, addr string, board *hexabomb.Map, specials, turns int) {
	t.Helper()
	visu := servertest.Login(t, addr, "visu", "visualization")
	var actors []*servertest.Client // by player id, after GAME_STARTS
	for range specials {
		actors = append(actors, servertest.Login(t, addr, "ghost", "special player"))
	}
	for i := range 4 {
		actors = append(actors, servertest.Login(t, addr, fmt.Sprint("bot", i), "player"))
	}
	model := hexabomb.New(board)
	if _, err := model.Start(engine.Setup{Players: 4, Specials: specials, Turns: turns}); err != nil {
		t.Fatal(err)
	}
	check := func(what string, state json.RawMessage) {
		t.Helper()
		if want := model.AppendState(nil); string(state) != string(want) {
			t.Fatalf("%s:\n%s\nwant\n%s", what, state, want)
		}
	}
	byID := make([]*servertest.Client, len(actors))
	for _, c := range actors {
		m := c.Expect("GAME_STARTS")
		check("GAME_STARTS", m.Initial)
		byID[m.PlayerID] = c
	}
	check("GAME_STARTS", visu.Expect("GAME_STARTS").Initial)
	rng := rand.New(rand.NewPCG(1, uint64(specials)))
	result := model.Step(nil)
	for turn := range turns - 1 {
		acts := turn % len(byID)
		var inputs []engine.Input
		for id, c := range byID {
			m := c.Expect("TURN")
			check(fmt.Sprint("TURN ", turn, " of player ", id), m.State)
			actions := "[]"
			if id == acts {
				actions = servertest.Antics(rng, 7*len(byID))
				inputs = append(inputs,
					engine.Input{Player: engine.PlayerID(id), Turn: turn, Actions: []byte(actions)})
			}
			c.Answer(turn, actions)
		}
		// The visualization may skip turns, because the server does not wait for its answers.
		result = model.Step(inputs)
	}
	state := string(model.AppendState(nil)) // once, because a game must not be used concurrently
	var all sync.WaitGroup
	for _, c := range byID {
		all.Go(func() {
			end := c.Expect("GAME_ENDS")
			if string(end.State) != state {
				t.Errorf("GAME_ENDS:\n%s\nwant\n%s", end.State, state)
			}
			if end.Winner != int(result.Winner) {
				t.Errorf("winner_player_id = %d, want %d", end.Winner, result.Winner)
			}
			c.ExpectKick("Game is finished")
		})
	}
	all.Wait()
	if m := visu.Expect("TURN"); m.Turn != 0 || len(m.Infos) != len(byID) {
		t.Errorf("the visualization's first TURN: %.200s", m.Raw)
	}
	visu.Expect("GAME_ENDS")
	visu.ExpectKick("Game is finished")
}

func TestPrompt(t *testing.T) {
	p := startServe(t)
	names := "nb-turns-max nb-players-max nb-splayers-max nb-visus-max delay-first-turn delay-turns"
	p.expectReply("print nb-turns-max", "nb-turns-max=100")
	p.expectReply("  set nb-turns-max=3\t")
	p.expectReply("set delay-turns 50.5")
	p.expectReply("set nb-players-max=4")
	p.expectReply("print all", "nb-turns-max=3", "nb-players-max=4", "nb-splayers-max=0",
		"nb-visus-max=1", "delay-first-turn=1000", "delay-turns=50.5")
	p.expectReply("set delay-first-turn=0x", "Bad VALUE=0x. not a number")
	p.expectReply("set nb-turns-max=65536", "Bad VALUE=65536: Not in [1,65535]")
	p.expectReply("set nb-players-max=0", "Bad VALUE=0: Not in [1,4]")
	p.expectReply("print speed", "Bad VARIABLE=speed. Accepted values: "+names+" all")
	p.expectReply("set all=1", "Bad VARIABLE=all. Accepted values: "+names)
	p.expectReply("print", "expected syntax: print VARIABLE")
	p.expectReply("set nb_turns_max=5")
	p.expectReply("print  nb_turns_max", "nb-turns-max=5")
	p.expectReply("print all all", "expected syntax: print VARIABLE")
	p.expectReply("set a = 5", "expected syntax: set VARIABLE=VALUE",
		"   (alt syntax): set VARIABLE VALUE")
	p.expectReply("starting", "expected syntax: start")
	p.expectReply("quit now", "expected syntax: quit")
	p.expectReply("hello", `Unknown command "hello"; did you mean help? help lists the commands`)
	p.expectReply("set turns=7")
	p.expectReply("print turns", "nb-turns-max=7")
	p.expectReply(strings.Repeat("x", 100000))
	p.expectReply("quit")
	if line := p.nextLine(); !strings.Contains(line, "INF Stopped by the operator") {
		t.Errorf("after quit: %q", line)
	}
	p.expectExit(0)
}

// A match cannot be started without a player, neither at the prompt nor over HTTP.
func TestStartNeedsAPlayer(t *testing.T) {
	p := startServer(t, func(port string) *exec.Cmd {
		return command(t, "serve", "--bind=127.0.0.1", "--port", port, "--http=127.0.0.1:0", "--record=",
			"--nb-turns-max=2", "--fast")
	})
	servertest.Login(t, p.addr, "visu", "visualization")
	p.waitLine("New visualization accepted")
	const why = "no player is connected"
	p.expectReply("start", "Cannot start: "+why)
	answer, err := http.Post("http://"+p.addr+"/api/match/start", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if text, _ := io.ReadAll(answer.Body); answer.StatusCode != http.StatusConflict ||
		!strings.Contains(string(text), why) {
		t.Errorf("POST /api/match/start: %s, %s", answer.Status, text)
	}
	c := servertest.Login(t, p.addr, "bot", "player")
	p.typeLines("start")
	c.Expect("GAME_STARTS")
}

// With --quiet the log has no line for the end of a match or for quit.
func TestQuietServer(t *testing.T) {
	t.Parallel()
	port := freePort(t)
	p := start(t, command(t, "serve", "--quiet", "--bind", "127.0.0.1", "--port", strconv.Itoa(port), "--http", "",
		"--fast", "--matches=2", "--nb-turns-max=1", "--record="))
	addr := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	p.expectReply("print nb-turns-max", "nb-turns-max=1")
	waitListening(t, addr)
	c := servertest.Login(t, addr, "bot", "player")
	p.typeLines("start")
	c.Until("GAME_ENDS")
	c.ExpectKick("Game is finished")
	c.Close()
	c = servertest.Login(t, addr, "bot", "player")
	p.typeLines("quit")
	c.ExpectKick("netorcai abort")
	c.Close()
	if lines := p.readRest(); len(lines) > 0 {
		t.Errorf("a quiet server prints %q", lines)
	}
	p.expectExit(0)
}

func TestStartAtThePrompt(t *testing.T) {
	t.Parallel()
	p := startServe(t, "--nb-turns-max", "2", "--delay-first-turn", "50", "--delay-turns", "50")
	c := servertest.Login(t, p.addr, "bot", "player")
	p.typeLines("start", "start")
	p.waitLine("New player accepted")
	p.waitLine("Starting game")
	p.waitLine("Game has already been started")
	p.stdin.Close() // the end of input does not stop the server
	c.Expect("GAME_STARTS")
	c.Expect("TURN")
	c.Expect("GAME_ENDS")
	c.ExpectKick("Game is finished")
	p.expectExit(0)
}

func TestInterrupt(t *testing.T) {
	t.Parallel()
	for name, sig := range map[string]os.Signal{"SIGINT": os.Interrupt, "SIGTERM": syscall.SIGTERM} {
		p := startServe(t)
		c := servertest.Login(t, p.addr, "bot", "player")
		if err := p.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		c.ExpectKick("netorcai abort")
		p.waitLine(name + " received. Aborting.")
		p.expectExit(1)
	}
}

func TestPortInUse(t *testing.T) {
	p := startServe(t)
	_, port, _ := net.SplitHostPort(p.addr)
	out, err := command(t, "serve", "--bind", "127.0.0.1", "--port", port, "--http", "").Output()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 1 || !strings.Contains(string(out), "Cannot listen incoming connections: the port is in use; stop the other server or pass --port") {
		t.Errorf("second server: %v, %s", err, out)
	}
}

// A server whose output is not read continues to play.
func TestUnreadOutput(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	port := freePort(t)
	cmd := command(t, "serve", "--bind", "127.0.0.1", "--port", strconv.Itoa(port), "--nb-turns-max",
		"3", "--fast", "--debug")
	cmd.Stdout = w
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	if _, err := bufio.NewReader(r).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	addr := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	for range 1000 { // each logs a line of at least 100 bytes
		c := servertest.Dial(t, addr)
		c.Send("rubbish")
		c.ExpectKick("Invalid first message: Non-JSON message received")
		c.Close()
	}
	servertest.Login(t, addr, "bot", "player")
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		t.Fatal("the process does not end while its output is not read")
	}
}

// The first line of the log has the address of the page, and those at which other machines
// reach the server.
func TestServePage(t *testing.T) {
	t.Parallel()
	port := strconv.Itoa(freePort(t))
	p := start(
		t,
		command(t, "serve", "--bind", "127.0.0.1", "--port", port, "--http", "127.0.0.1:0",
			"--json-logs"),
	)
	var line struct {
		Msg, Page string
		Addresses []string
	}
	if err := json.Unmarshal([]byte(p.nextLine()), &line); err != nil ||
		line.Msg != "Listening incoming connections" {
		t.Fatalf("the first line is %+v, %v", line, err)
	}
	if want := []string{"127.0.0.1:" + port}; !slices.Equal(line.Addresses, want) {
		t.Errorf("addresses = %q, want %q", line.Addresses, want)
	}
	received(t, line.Page+"api/health")
	address := strings.Trim(strings.TrimPrefix(line.Page, "http:"), "/")
	if out, err := command(t, "health", address).CombinedOutput(); err != nil ||
		!strings.Contains(string(out), `"status":"ok"`) {
		t.Errorf("health %s = %v, %s", address, err, out)
	}
	p.quit()
}
