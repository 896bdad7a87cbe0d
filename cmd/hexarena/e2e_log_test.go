package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/hexarena/hexarena/server/servertest"
)

func logCases() []e2eCase {
	return []e2eCase{
		{"log of a match", []string{
			"log/listening", "log/game logic", "log/player", "log/special player", "log/visualization",
			"log/start",
			"log/finished with a winner", "log/kick", "log/first line, and then silence",
			"log/an info line an event", "exit/0: game finished",
			"kick/game over", "log/format", "log/closing", "log/not accepting", "log/sending kicks",
		}, playLog},
		{"log without a winner", []string{"log/finished"}, playLogNoWinner},
		{"log of kicks", []string{
			"log/kick", "log/hang-up", "log/hang-up without a byte", "log/game logic failed",
			"log/sending kicks",
		}, playLogKicks},
		{"log in JSON", []string{"log/JSON"}, playLogJSON},
		{"log of signals", []string{
			"log/SIGTERM", "log/SIGINT", "log/quit", "exit/1: SIGINT", "exit/1: SIGTERM",
		}, playLogSignals},
		{"log that is not read", []string{"log/unread pipe"}, playUnreadLog},
	}
}

// playOneTurn plays a match of one turn to its end.
func playOneTurn(logic *servertest.Client, winner int, others ...*servertest.Client) {
	logic.Expect("DO_TURN")
	logic.AckTurn(winner, "{}")
	for _, c := range others {
		c.Until("GAME_ENDS")
		c.ExpectKick("Game is finished")
		c.Close()
	}
	logic.ExpectKick("Game is finished")
	logic.Close()
}

// logTime matches the beginning of a line of netorcai's log.
var logTime = regexp.MustCompile(`^time="\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}" level=[a-z]+ msg="`)

func playLog(s *netorcaiRun) {
	s.open("--nb-splayers-max=1", "--nb-turns-max=1", "--fast")
	s.markProved("log/listening") // its first line: otherwise open would have failed
	next := func(id string, more ...string) {
		s.Helper()
		line := s.nextLine()
		for _, want := range append(more, rowText(id)) {
			if !strings.Contains(line, want) {
				s.Errorf("next is %q, want %q", line, want)
			}
		}
		if !logTime.MatchString(line) {
			s.Errorf("no time begins %q", line)
		}
		s.markProved(id)
	}
	s.expectReply("print nb-turns-max", "nb-turns-max=1") // no output came before
	s.markProved("log/first line, and then silence")
	logic := s.logic()
	at := func(c *servertest.Client) string { return fmt.Sprintf(` remote address=%q`, c.LocalAddr()) }
	next("log/game logic", `level=info msg="Game logic accepted" nickname=logic`+at(logic))
	player := s.login("Zoë", "player")
	next("log/player", `level=info msg="New player accepted" nickname="Zoë" player count=1`+at(player)+" special=false special player count=0")
	ghost := s.login("ghost-._/@", "special player")
	next("log/special player", `level=info msg="New player accepted" nickname=ghost-._/@ player count=1`+at(ghost)+" special=true special player count=1")
	visu := s.login(`"`, "visualization")
	next("log/visualization",
		`level=info msg="New visualization accepted" nickname="\""`+at(visu)+" visu count=1")
	s.begin(logic)
	next("log/start", `level=info msg="Starting game"`)
	playOneTurn(logic, 1, player, ghost, visu)
	next("log/finished with a winner", fmt.Sprintf(
		`level=info msg="Game is finished" winner nickname="Zoë" winner player ID=1 winner remote address=%q`, player.LocalAddr()))
	next("log/closing", `level=warning msg="Closing listening socket."`)
	next("log/not accepting", "level=warning", " err=\"accept tcp ")
	next("log/sending kicks", "level=warning")
	for range 4 {
		next("log/kick", "level=warning msg=\"Kicking client\" nickname=",
			` reason="Game is finished" remote address=`)
	}
	s.markProved("log/format")
	if rest := s.readRest(); len(rest) > 0 {
		s.Errorf("more is said: %q", rest)
	}
	s.markProved("log/an info line an event", "kick/game over")
	s.expectExitRow("exit/0: game finished")
}

func playLogNoWinner(s *netorcaiRun) {
	s.open("--nb-turns-max=1", "--fast")
	logic, player := s.logic(), s.player()
	s.begin(logic)
	playOneTurn(logic, -1, player)
	s.waitLine("Starting game")
	if line := s.waitLog("log/finished"); strings.Contains(line, "winner ") {
		s.Errorf("no player won: %s", line)
	}
	s.expectExit(0)
}

func playLogKicks(s *netorcaiRun) {
	s.open("--nb-turns-max=1", "--fast")
	s.dial().Close() // without sending a byte
	if line := s.waitLog("log/hang-up without a byte"); !strings.Contains(line, `msg="Kicking client" nickname="" reason=`) {
		s.Errorf("a connection hung up: %s", line)
	}
	c := s.dial()
	c.Send("garbage")
	c.ExpectKick("Invalid first message: Non-JSON message received")
	c.Close()
	if line := s.waitLog("log/kick"); !strings.Contains(line, "Non-JSON message received") {
		s.Errorf("the reason is missing: %s", line)
	}
	s.login("hasty", "player").Close()
	if line := s.waitLog("log/hang-up"); !strings.Contains(line, "Kicking client") ||
		!strings.Contains(line, "hasty") {
		s.Errorf("a client hung up: %s", line)
	}
	logic := s.logic()
	s.begin(logic)
	logic.Expect("DO_TURN")
	logic.Close()
	s.waitLog("log/game logic failed")
	s.waitLog("log/sending kicks")
	s.expectExit(1)
}

func playLogJSON(s *netorcaiRun) {
	s.open("--json-logs", "--debug", "--nb-turns-max=1", "--fast")
	var msgs []string
	levels := map[string]string{
		"Kicking client": "warning", "Game logic failed. Aborting.": "warning",
		"Closing listening socket.":                              "warning",
		"Could not accept incoming connection. Aborting server.": "warning",
		"Sending KICK messages to clients":                       "warning",
		"New connection":                                         "debug",
		"New message received":                                   "debug",
		"Sending DO_INIT to game logic":                          "debug",
		"Sending GAME_STARTS to client":                          "debug",
		"Sending DO_TURN to game logic":                          "debug",
	}
	var lines []string
	logic, player := s.logic(), s.player()
	s.begin(logic)
	player.Expect("GAME_STARTS")
	logic.Expect("DO_TURN")
	logic.Close()
	player.Until("KICK")
	player.Close()
	for _, line := range append(lines, s.readRest()...) {
		var told map[string]any
		if err := json.Unmarshal([]byte(line), &told); err != nil {
			s.Fatalf("%s: %v", line, err)
		}
		msg, _ := told["msg"].(string)
		want := levels[msg]
		if want == "" {
			want = "info"
		}
		if told["level"] != want {
			s.Errorf("level %v of %s, want %s", told["level"], line, want)
		}
		if when, _ := told["time"].(string); when == "" {
			s.Errorf("no time: %s", line)
		} else if _, err := time.Parse(time.RFC3339, when); err != nil {
			s.Error(err)
		}
		if msg == "New player accepted" {
			at := player.LocalAddr().(*net.TCPAddr)
			want := map[string]any{"IP": at.IP.String(), "Port": float64(at.Port), "Zone": ""}
			if !reflect.DeepEqual(told["remote address"], want) || told["nickname"] != "bot" {
				s.Errorf("%s, want the remote address %v", line, want)
			}
		}
		msgs = append(msgs, msg)
	}
	s.expectExit(1)
	for msg := range levels {
		if !slices.Contains(msgs, msg) {
			s.Errorf("no %q among %q", msg, msgs)
		}
	}
	s.markProved("log/JSON")
}

func playLogSignals(s *netorcaiRun) {
	for name, signal := range map[string]os.Signal{
		"SIGTERM": syscall.SIGTERM, "SIGINT": os.Interrupt,
	} {
		s.open()
		if err := s.Process.Signal(signal); err != nil {
			s.Fatal(err)
		}
		if line := s.nextLine(); !strings.Contains(line, rowText("log/"+name)) {
			s.Errorf("after %s: %s", name, line)
		}
		s.markProved("log/" + name)
		s.expectExitRow("exit/1: " + name)
	}
	s.open()
	s.typeLines("quit")
	s.waitLog("log/quit")
	s.expectExit(0)
}

// A log pipe that is not read delays neither players nor the end.
func playUnreadLog(s *netorcaiRun) {
	r, w, err := os.Pipe()
	if err != nil {
		s.Fatal(err)
	}
	defer r.Close()
	port := strconv.Itoa(freePort(s.T))
	cmd := program(s.T, "netorcai", "--port", port, "--nb-turns-max=1", "--fast")
	cmd.Stdout = w
	if err := cmd.Start(); err != nil {
		s.Fatal(err)
	}
	w.Close()
	s.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	if _, err := bufio.NewReaderSize(r, 16).ReadString('\n'); err != nil {
		s.Fatal(err)
	}
	addr := net.JoinHostPort("127.0.0.1", port)
	for range 200 { // each logs 500 bytes, and a pipe holds 64 KiB
		c := servertest.Dial(s.T, addr)
		c.Send(`{"message_type":"%s"}`, strings.Repeat("x", 450))
		c.Until("KICK")
		c.Close()
	}
	player := servertest.Login(s.T, addr, "bot", "player")
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		s.Fatal(err)
	}
	player.ExpectKick("netorcai abort")
	player.Close()
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		s.Fatal("the process does not end while its output is not read")
	}
	if code := cmd.ProcessState.ExitCode(); code != 1 {
		s.Error(fmt.Sprint("exit code ", code))
	}
	s.markProved("log/unread pipe")
}
