package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/servertest"
)

// The test binary also acts as the bots of the tests, and as a program that prints the
// exit code of another: "hexarena play-test-… …" in scripts.
func init() {
	if len(os.Args) < 3 {
		return
	}
	switch os.Args[1] {
	case "play-test-bot":
		playTestBot(os.Args[2], os.Args[3:])
	case "play-test-exit":
		cmd := exec.Command(os.Args[2], os.Args[3:]...)
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		_ = cmd.Run()
		fmt.Println("exit code", cmd.ProcessState.ExitCode())
		os.Exit(0)
	}
}

// playTestBot runs a bot that performs its task at the TURN given by its first word.
func playTestBot(task string, words []string) {
	at, _ := strconv.Atoi(words[0])
	addr := net.JoinHostPort(os.Getenv("BOT_HOST"), os.Getenv("BOT_PORT"))
	fmt.Println("environment:", addr, os.Getenv("BOT_NICKNAME"), os.Getenv("BOT_SEED"))
	fmt.Printf("words: %s\n", strings.Trim(fmt.Sprintf("%q", words[1:]), "[]"))
	switch task {
	case "refuse":
		fmt.Println("I will not play")
		os.Exit(3)
	case "mute": // and tells the test that it is running
		if len(words) > 1 {
			if conn, err := net.Dial("tcp", words[1]); err == nil {
				_, _ = io.Copy(io.Discard, conn)
			}
		}
		<-time.After(time.Hour)
	case "wait": // for a file
		for range time.Tick(time.Millisecond) {
			if _, err := os.Stat(words[1]); err == nil {
				break
			}
		}
	case "known": // tells the test in the same way
		conn, err := net.Dial("tcp", words[1])
		if err != nil {
			os.Exit(3)
		}
		go func() { _, _ = io.Copy(io.Discard, conn) }()
	}
	ctx := context.Background()
	c, err := netorcai.Dial(ctx, addr, netorcai.Login{Nickname: os.Getenv("BOT_NICKNAME"), Role: netorcai.RolePlayer})
	if err != nil {
		os.Exit(4)
	}
	if task == "twice" { // logs in as another bot too, and tells the one that waits
		_, err := netorcai.Dial(ctx, addr, netorcai.Login{Nickname: words[2], Role: netorcai.RolePlayer})
		fmt.Println("the second login:", err)
		if err := os.WriteFile(words[1], nil, 0o600); err != nil {
			os.Exit(5)
		}
	}
	if _, err := c.Start(ctx); err != nil {
		os.Exit(5)
	}
	for {
		turn, _, err := c.Next(ctx)
		switch {
		case err != nil:
			os.Exit(6)
		case turn == nil:
			os.Exit(1)
		}
		number := turn.Number
		if number == at {
			switch task {
			case "crash":
				fmt.Println("Traceback: it went wrong")
				os.Exit(9)
			case "hang":
				<-time.After(time.Hour)
			case "leave": // but goes on
				_ = c.Close()
				<-time.After(time.Hour)
			case "cheat":
				number++
			}
		}
		if task == "talk" {
			fmt.Println("thinking about TURN", number)
			c.Show(
				netorcai.Debug{
					Text: "TURN " + strconv.Itoa(number), Values: map[string]float64{"number": float64(number)},
				},
			)
		}
		if err := c.Answer(ctx, number, nil); err != nil {
			os.Exit(7)
		}
	}
}

// resultOf plays a match with --json and returns the object that it prints.
func resultOf(t *testing.T, args ...string) map[string]any {
	t.Helper()
	cmd := command(t,
		append([]string{"play", "--json", "--logs", filepath.Join(t.TempDir(), "logs")}, args...)...)
	cmd.Dir = t.TempDir() // for the recording
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if stderr.Len() > 0 {
		t.Errorf("standard error with --json: %q, want nothing", stderr.String())
	}
	var result map[string]any
	d := json.NewDecoder(&stdout)
	if err := d.Decode(&result); err != nil {
		t.Fatalf("result: %v", err)
	}
	if rest, err := d.Token(); err != io.EOF {
		t.Errorf("after the result: %v, %v, want nothing", rest, err)
	}
	return result
}

// get returns the value at a path of the result, such as "seats/0/counts/score".
func get(t *testing.T, from any, path string) any {
	t.Helper()
	for key := range strings.SplitSeq(path, "/") {
		switch v := from.(type) {
		case map[string]any:
			from = v[key]
		case []any:
			i, err := strconv.Atoi(key)
			if err != nil || i >= len(v) {
				t.Fatalf("%s: no element %q of %d", path, key, len(v))
			}
			from = v[i]
		default:
			t.Fatalf("%s: %v has no %q", path, from, key)
		}
	}
	return from
}

func TestPlayJSON(t *testing.T) {
	t.Parallel()
	r := resultOf(t, "--seed", "7", "--turns", "12", "--sudden-death", "--port", "0", "painter",
		os.Args[0]+" play-test-bot crash 3")
	for path, want := range map[string]any{
		"version":            versionText(),
		"rules":              "hexabomb/1",
		"map/name":           "lagoon",
		"map/seats":          4.0,
		"seed":               7.0,
		"order":              "seeded",
		"pace":               "fast",
		"sudden_death":       true,
		"turns":              12.0,
		"turns_max":          12.0,
		"winner":             "painter",
		"error":              nil,
		"seats/0/label":      "painter",
		"seats/0/rank":       1.0,
		"seats/0/status":     "ok",
		"seats/0/answers":    11.0,
		"seats/0/skipped":    0.0,
		"seats/0/command":    nil,
		"seats/1/status":     "crashed",
		"seats/1/error":      "exit code 9 in turn 3",
		"seats/1/exit":       "exit code 9",
		"seats/1/missed":     8.0,
		"seats/1/command/1":  "play-test-bot",
		"seats/1/special":    false,
		"seats/2/label":      "hunter",
		"seats/2/special":    true,
		"seats/2/id":         0.0,
		"seats/2/rank":       nil,
		"seats/1/refused":    map[string]any{},
		"seats/1/last_lines": nil,
	} {
		got := get(t, r, path)
		if path == "seats/1/last_lines" {
			if lines, _ := got.([]any); len(lines) == 0 ||
				lines[len(lines)-1] != "Traceback: it went wrong" {
				t.Errorf("%s = %v, want the end of what it printed", path, got)
			}
			continue
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s = %v, want %v", path, got, want)
		}
	}
	for _, path := range []string{
		"map/digest", "state_digest", "times/started", "again", "seats/1/log",
	} {
		if s, _ := get(t, r, path).(string); s == "" {
			t.Errorf("%s is missing", path)
		}
	}
	for _, path := range []string{
		"seats/0/time_ms/p50", "seats/0/time_ms/p99", "times/match_ms", "seats/0/seed",
		"seats/0/counts/score",
	} {
		if n, _ := get(t, r, path).(float64); n <= 0 {
			t.Errorf("%s = %v, want more than 0", path, get(t, r, path))
		}
	}
}

func TestPlayJSONWithoutLogins(t *testing.T) {
	t.Parallel()
	r := resultOf(t, "--port", "0", os.Args[0]+" play-test-bot refuse 0")
	if got := get(t, r, "error"); got != "no bot logged in" {
		t.Errorf("error = %v, want that no bot logged in", got)
	}
	if got := get(t, r, "seats/0/counts"); fmt.Sprint(got) != "map[]" {
		t.Errorf("counts = %v, want none", got)
	}
}

// TestPlayAgain checks that two runs with the same seed end with the same states.
func TestPlayAgain(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	digest := func(args ...string) any {
		return get(t, resultOf(t, args...), "state_digest")
	}
	first := digest("--seed", "7")
	if again := digest("--seed", "7"); again != first {
		t.Errorf("digest of a second run = %v, want %v", again, first)
	}
	if other := digest("--seed", "8"); other == first {
		t.Errorf("digest with another seed = %v, want another", other)
	}
	if a, b := digest("--seed", "7", "--sudden-death"), digest("--seed", "7", "--sudden-death", "--tps", "300"); a != b || a == first {
		t.Errorf("digests of sudden death = %v and %v, want one of its own", a, b)
	}
}

// TestPlayPortInUse occupies netorcai's port, unless it is in use already.
func TestPlayPortInUse(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	// A test beside this one may have the port for a moment, another program for good.
	for giveUp := time.Now().Add(10 * time.Second); ; <-time.After(10 * time.Millisecond) {
		if l, err := net.Listen("tcp", "127.0.0.1:4242"); err == nil {
			defer l.Close()
			break
		} else if time.Now().After(giveUp) {
			break
		}
	}
	bot := os.Args[0] + " play-test-bot fine 0"
	for _, tt := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"painter", bot}, 0, "port 4242 is in use; this match is on port "},
		{[]string{"painter", bot + " {port}"}, 0, "port 4242 is in use; this match is on port "},
		{
			[]string{"painter", os.Args[0] + " play-test-bot refuse 0"},
			1,
			"exit code 3 before it had logged in; port 4242 is in use, so that the bot has to take its " +
				"port from {port} or BOT_PORT",
		},
		{[]string{"painter", "random"}, 0, ""},
		{
			[]string{"--port", "4242", "painter"},
			1,
			"port 4242 is in use, perhaps by another hexarena; leave --port out to have a free one taken, " +
				"or give --port 0",
		},
	} {
		cmd := command(t, append([]string{"play", "--turns", "3", "--logs", t.TempDir()}, tt.args...)...)
		cmd.Dir = t.TempDir() // for the recording
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		_ = cmd.Run()
		if got := cmd.ProcessState.ExitCode(); got != tt.code ||
			!strings.Contains(stderr.String(), tt.want) {
			t.Errorf("play %q: exit code %d, %q, want %d, %q", tt.args, got, stderr.String(), tt.code,
				tt.want)
		}
	}
}

// TestPlayInterrupted checks that Ctrl-C ends the match and every bot, also one that does
// not log in.
func TestPlayInterrupted(t *testing.T) {
	l := servertest.Listen(t)
	cmd := command(t, "play", "--port", "0", "--logs", t.TempDir(), "--start-timeout", "1h", "painter",
		os.Args[0]+" play-test-bot mute 0 "+l.Addr().String())
	cmd.Dir = t.TempDir() // for the recording
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	conn, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		_ = cmd.Process.Kill()
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if got := cmd.ProcessState.ExitCode(); got != 1 ||
		!strings.Contains(stderr.String(), "not played to its end: interrupted") {
		t.Errorf("exit code %d, %q, want 1 and that it was interrupted", got, stderr.String())
	}
	_ = conn.SetReadDeadline(time.Now().Add(20 * time.Second))
	if _, err := conn.Read(make([]byte, 1)); err == nil || os.IsTimeout(err) {
		t.Errorf("the bot is still running (%v)", err)
	}
}

// The bot for Node in the player's guide plays.
func TestGuidesNodeBot(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("node"); err != nil {
		thorough.Lack(t, "no Node to run a bot in JavaScript")
	}
	guide := readText(t, "../../docs/player.md")
	_, code, _ := strings.Cut(guide, "```js\n")
	code, _, _ = strings.Cut(code, "```")
	file := filepath.Join(t.TempDir(), "bot.js")
	writeText(t, file, code)
	cmd := command(t, "play", "stdio:"+file, "painter", "--turns", "40", "--strict", "--json",
		"--record", "", "--http", "")
	out, err := cmd.Output()
	if err != nil || !strings.Contains(string(out), `"bot.js"`) {
		t.Errorf("play stdio:bot.js: %v\n%s", err, out)
	}
}
