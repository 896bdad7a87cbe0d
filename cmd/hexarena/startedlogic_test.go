package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/jsonscan"
	"github.com/hexarena/hexarena/protocol/netorcai"
)

// The test binary also acts as a game logic that is started: "hexarena play-test-logic TASK".
func init() {
	if len(os.Args) < 3 || os.Args[1] != "play-test-logic" {
		return
	}
	switch task := os.Args[2]; task {
	case "refuse":
		fmt.Println("ImportError: no rules")
		os.Exit(3)
	case "mute":
		<-time.After(time.Hour)
	case "stdio":
		stdioLogic()
	default:
		addr := net.JoinHostPort(os.Getenv("BOT_HOST"), os.Getenv("BOT_PORT"))
		c, err := netorcai.Dial(context.Background(), addr, netorcai.Login{Nickname: "logic", Role: netorcai.RoleGameLogic})
		if err != nil {
			os.Exit(4)
		}
		if err := c.Referee(context.Background(), &testLogic{task: task}); err != nil {
			os.Exit(5)
		}
	}
	os.Exit(0)
}

// testLogic counts the answers of each player. Its task says what it does wrong, in turn 3.
type testLogic struct {
	task   string
	seed   uint64
	scores []int64
	turn   int
}

// state begins with what differs between matches.
func (l *testLogic) state() jsonscan.Value {
	return fmt.Appendf(nil, `{"seed":%d,"turn":%d}`, l.seed, l.turn)
}

func (l *testLogic) Init(m netorcai.DoInit) (netorcai.DoInitAck, error) {
	l.seed, l.scores = m.Seed, make([]int64, m.NbPlayers+m.NbSpecialPlayers)
	return netorcai.DoInitAck{State: l.state(), Rules: "answers/1", Scores: l.scores}, nil
}

func (l *testLogic) Turn(players []netorcai.PlayerActions) (netorcai.DoTurnAck, error) {
	if l.turn++; l.turn == 3 {
		switch l.task {
		case "crash":
			fmt.Println("Traceback: the rules went wrong")
			os.Exit(9)
		case "hang":
			<-time.After(time.Hour)
		}
	}
	ack := netorcai.DoTurnAck{WinnerPlayerID: -1, State: l.state(), Scores: l.scores}
	for _, p := range players {
		l.scores[p.PlayerID] += int64(1 + p.PlayerID) // so that no two are the same
		ack.Reasons = append(ack.Reasons,
			netorcai.Reason{PlayerID: p.PlayerID, Action: -1, Text: "too short"})
	}
	return ack, nil
}

// stdioLogic is testLogic for messages on standard input and output.
func stdioLogic() {
	var l testLogic
	say := func(frame []byte, err error) {
		if err != nil {
			os.Exit(4)
		}
		_, _ = os.Stdout.Write(frame[4:]) // without the frame's size
	}
	say(netorcai.AppendLogin(nil, netorcai.Login{Nickname: "logic", Role: netorcai.RoleGameLogic}))
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		if m, err := netorcai.ParseDoInit(lines.Bytes()); err == nil {
			ack, _ := l.Init(m)
			say(netorcai.AppendDoInitAck(nil, ack))
		}
		if players, err := netorcai.ParseDoTurn(lines.Bytes()); err == nil {
			ack, _ := l.Turn(players)
			say(netorcai.AppendDoTurnAck(nil, ack))
		}
	}
}

// logicCommand returns the command of a game logic with a task.
func logicCommand(task string) string { return os.Args[0] + " play-test-logic " + task }

// A game logic that is started referees a match, over either wire; its scores rank, and it gets the
// seed.
func TestStartedLogic(t *testing.T) {
	t.Parallel()
	bot := os.Args[0] + " play-test-bot fine 0"
	var digests []any
	for _, logic := range []string{logicCommand("fine"), "stdio:" + logicCommand("stdio")} {
		r := resultOf(t, "--game", "external", "--logic", logic, "--seed", "7", "--turns", "6", "--port",
			"0", bot, bot)
		digests = append(digests, get(t, r, "state_digest"))
		if got := get(t, r, "rules"); got != "answers/1" {
			t.Errorf("%s: rules %v", logic, got)
		}
		for _, seat := range []string{"seats/0/", "seats/1/"} {
			id := get(t, r, seat+"id").(float64)
			if score := get(t, r, seat+"counts/score"); score != 5*(1+id) ||
				get(t, r, seat+"rank") != 2-id || get(t, r, seat+"refused/too short") != 5.0 {
				t.Errorf("%s: player %v has %v points, rank %v and %v", logic, id, score,
					get(t, r, seat+"rank"), get(t, r, seat+"refused"))
			}
		}
	}
	if digests[0] != digests[1] {
		t.Errorf("the wires lead to the digests %v", digests)
	}
}

// A game logic that does not play its part ends the match with a reason, and leaves nothing behind.
func TestStartedLogicFails(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	bot := os.Args[0] + " play-test-bot fine 0"
	for _, tt := range []struct {
		logic, limits, want string
		code                int
	}{
		{logicCommand("refuse"), "", "the game logic has not logged in: it ended with exit code 3; it " +
			"printed: ImportError: no rules", 1},
		{logicCommand("mute"), "--start-timeout=200ms", "the game logic has not logged in at BOT_PORT " +
			"or at port", 1},
		{"stdio:" + logicCommand("mute"), "--start-timeout=200ms", "has not logged in on its standard " +
			"output within 200ms; does it flush", 1},
		{logicCommand("crash"), "", "Traceback: the rules went wrong", 1},
		{logicCommand("hang"), "--game-timeout=200ms", "Did not receive DO_TURN_ACK after 200ms", 1},
		{"no-such-logic.py", "", "no file no-such-logic.py", 2},
		{"", "", "--logic logic.py", 2},
	} {
		args := []string{
			"play", "--game", "external", "--logic", tt.logic, "--turns", "6", "--port", "0", "--http", "",
			"--logs", t.TempDir(),
		}
		if tt.limits != "" {
			args = append(args, tt.limits)
		}
		cmd := command(t, append(args, bot, bot)...)
		cmd.Dir = t.TempDir() // for the recording
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		_ = cmd.Run() // which would hang if a process that writes to stderr were left
		if got := cmd.ProcessState.ExitCode(); got != tt.code ||
			!strings.Contains(stderr.String(), tt.want) {
			t.Errorf("%q: exit code %d, want %d, and %q in\n%s", tt.logic, got, tt.code, tt.want, &stderr)
		}
	}
}

// A server starts a game logic for each match of a series.
func TestServeStartsLogic(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := startServe(t, "--game", "external", "--logic", logicCommand("fine"), "--seats", fmt.Sprintf(
		"%q", os.Args[0]+" play-test-bot fine 0"), "--players", "1",
		"--visualizations", "0", "--turns", "4", "--matches", "2", "--seed", "5", "--autostart", "--pace", "fast", "--record", dir)
	log := strings.Join(p.readRest(), "\n")
	p.expectExit(0)
	files, _ := filepath.Glob(filepath.Join(dir, "*.hexarena"))
	if len(files) != 2 || strings.Count(log, "Starting game") != 2 {
		t.Errorf("%d recordings of the matches in\n%s", len(files), log)
	}
}

// A server whose game logic cannot start says why in its log, tries again after a pause, and shows
// the viewers nothing that the game logic or its compiler printed.
func TestOutputOfLogicIsPrivate(t *testing.T) {
	t.Parallel()
	p := startServer(t, func(port string) *exec.Cmd {
		return command(t, "serve", "--bind=127.0.0.1", "--port="+port, "--http=127.0.0.1:0", "--record=",
			"--game=external", "--logic", logicCommand("refuse"), "--matches=endless")
	})
	for range 2 {
		if line := p.waitLine("Match aborted"); !strings.Contains(line, "ImportError: no rules") {
			t.Errorf("the log says %q, want what the game logic printed", line)
		}
	}
	shown := string(received(t, "http://"+p.addr+"/api/matches"))
	if !strings.Contains(shown, "the game logic has not logged in: it ended with exit code 3") ||
		strings.Contains(shown, "ImportError") {
		t.Errorf("viewers are shown %s", shown)
	}
	if err := p.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	p.expectExit(1)
}
