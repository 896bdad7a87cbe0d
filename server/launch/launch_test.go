package launch

import (
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/servertest"
)

// The test binary is also the child. These variables hold its task.
const (
	childVar = "LAUNCH_TEST_CHILD"
	addrVar  = "LAUNCH_TEST_ADDR"
)

func TestMain(m *testing.M) {
	if task := os.Getenv(childVar); task != "" {
		child(task)
	}
	goleak.VerifyTestMain(m)
}

// child performs a task of a child process.
func child(task string) {
	name, arg, _ := strings.Cut(task, " ")
	switch name {
	case "exit": // with a code, after a line on both outputs
		fmt.Println("to stdout")
		fmt.Fprintln(os.Stderr, "to stderr")
		code, _ := strconv.Atoi(arg)
		os.Exit(code)
	case "lines": // that many, the last one without a line feed
		n, _ := strconv.Atoi(arg)
		for i := range n {
			fmt.Println("line", i)
		}
		fmt.Print("end\x1b[31m")
		os.Exit(0)
	case "flood": // that many bytes
		n, _ := strconv.Atoi(arg)
		_, _ = os.Stdout.WriteString(strings.Repeat("x", n))
		os.Exit(0)
	case "parent": // leaves a child running
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), childVar+"=stay")
		cmd.Stdout = os.Stdout
		if err := cmd.Start(); err != nil {
			panic(err)
		}
		call(1)
		os.Exit(7)
	case "master": // starts a daemon: a grandchild in another session
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), childVar+"=forker")
		detach(cmd)
		if err := cmd.Run(); err != nil {
			panic(err)
		}
		call(1)
		os.Exit(0)
	case "forker":
		cmd := exec.Command(os.Args[0])
		// nothing tells whose it is
		cmd.Env = []string{childVar + "=stubborn", addrVar + "=" + os.Getenv(addrVar)}
		detach(cmd)
		if err := cmd.Start(); err != nil {
			panic(err)
		}
		os.Exit(0)
	case "stubborn": // ignores signals
		signal.Ignore()
		call(math.MaxInt64)
	case "cooperative": // ends on SIGTERM
		asked := make(chan os.Signal, 1)
		signal.Notify(asked)
		go call(math.MaxInt64)
		<-asked
		fmt.Println("goodbye")
		os.Exit(0)
	case "stay":
		call(math.MaxInt64)
	case "owner": // starts others, and waits to be killed
		tasks := []string{"stubborn", "parent"}
		if arg != "" {
			tasks = []string{arg}
		}
		for _, task := range tasks {
			env := []string{childVar + "=" + task, addrVar + "=" + os.Getenv(addrVar)}
			if _, err := Start(Command{Argv: os.Args[:1], Env: env}); err != nil {
				panic(err)
			}
		}
		call(math.MaxInt64)
	case "attacker": // sends its parent a signal
		conn := connect()
		send(arg)
		_, _ = io.Copy(io.Discard, conn)
	case "spins":
		spins(arg)
		fmt.Println("spun")
		select {}
	case "environment":
		itself, _ := os.Executable()
		fmt.Println(os.Getenv("BOT_PORT"), len(os.Getenv("PATH")) > 0,
			os.Getenv("HEXARENA") == itself, os.Getenv("HEXARENA_TOKENS"),
			os.Getenv("AWS_SECRET_ACCESS_KEY"))
		_, err := os.Stdin.Read(make([]byte, 1))
		fmt.Println(err == io.EOF)
		os.Exit(0)
	}
	os.Exit(99)
}

// send sends a signal to the parent, on systems where that can be tested.
var send func(signal string)

// spins uses processor time, on systems where that can be tested.
var spins func(who string)

// detach makes a command start in a new session, on systems where that can be tested.
var detach func(*exec.Cmd)

// call connects to the test and reads until it has received n bytes or is killed.
func call(n int64) { _, _ = io.CopyN(io.Discard, connect(), n) }

// connect connects to the test.
func connect() net.Conn {
	conn, err := net.Dial("tcp", os.Getenv(addrVar))
	if err != nil {
		panic(err)
	}
	_, _ = conn.Write([]byte{1})
	return conn
}

// answer waits for the connection of a child.
func answer(t *testing.T, l net.Listener) net.Conn {
	t.Helper()
	conn, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if _, err := conn.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	return conn
}

// expectGone fails the test unless the process at the other end has ended or soon ends.
func expectGone(t *testing.T, conn net.Conn) {
	t.Helper()
	_ = conn.SetReadDeadline(time.Now().Add(20 * time.Second))
	if _, err := conn.Read(make([]byte, 1)); err == nil || os.IsTimeout(err) {
		t.Fatalf("the process is still running (%v)", err)
	}
}

// kid is a child process of a test, and its log file.
type kid struct {
	*Process
	log string
}

func start(t *testing.T, task string, l net.Listener) kid {
	t.Helper()
	c := Command{
		Argv: []string{os.Args[0]},
		// otherwise it ends a second later
		Env: []string{childVar + "=" + task, "BOT_PORT=77", "GORACE=atexit_sleep_ms=0"},
		Log: filepath.Join(t.TempDir(), "logs", "bot.log"),
	}
	if l != nil {
		c.Env = append(c.Env, addrVar+"="+l.Addr().String())
	}
	p, err := Start(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Stop(0) })
	return kid{p, c.Log}
}

// logged waits for the end of a child and returns its log.
func (k kid) logged(t *testing.T) string {
	t.Helper()
	<-k.Done()
	text, err := os.ReadFile(k.log)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), "\r\n", "\n")
}

func TestExit(t *testing.T) {
	for code, want := range map[string]string{"0": "exit code 0", "3": "exit code 3"} {
		p := start(t, "exit "+code, nil)
		if got := p.Exit(); got.String() != want || got.Stopped {
			t.Errorf("Exit() = %+v %q, want %q", got, got, want)
		}
		if got, want := p.logged(t), "to stdout\nto stderr\n"; got != want {
			t.Errorf("log = %q, want %q", got, want)
		}
		if got, want := p.Tail(), []string{"to stdout", "to stderr"}; !slices.Equal(got, want) {
			t.Errorf("Tail() = %q, want %q", got, want)
		}
	}
}

func TestEnvironment(t *testing.T) {
	t.Setenv("HEXARENA_TOKENS", "tokens.txt")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	p := start(t, "environment", nil)
	if got, want := p.logged(t), "77 true true  \ntrue\n"; got != want {
		t.Errorf("BOT_PORT, PATH, this program, settings, credentials and end of input = %q, want %q", got, want)
	}
}

func TestParseEnv(t *testing.T) {
	t.Setenv("LAUNCH_TEST_SET", "a b")
	got, err := ParseEnv(`LAUNCH_TEST_SET "X=1 2" Y=`)
	if want := []string{"LAUNCH_TEST_SET=a b", "X=1 2", "Y="}; !slices.Equal(got, want) || err != nil {
		t.Errorf("ParseEnv = %q, %v, want %q", got, err, want)
	}
	for text, want := range map[string]string{
		"LAUNCH_TEST_UNSET": "is not set", "=x": "has no name", `"`: "not closed",
	} {
		if _, err := ParseEnv(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseEnv(%q): %v, want %q", text, err, want)
		}
	}
}

func TestTailKeepsTheLastLines(t *testing.T) {
	p := start(t, "lines 1000", nil)
	<-p.Done()
	want := []string{
		"line 991", "line 992", "line 993", "line 994", "line 995",
		"line 996", "line 997", "line 998", "line 999", "end\uFFFD[31m",
	}
	if got := p.Tail(); !slices.Equal(got, want) {
		t.Errorf("Tail() = %q, want %q", got, want)
	}
}

func TestLogIsBounded(t *testing.T) {
	defer func(limit int64) { logLimit = limit }(logLimit)
	logLimit = 1000
	p := start(t, "flood 300000", nil)
	if got := p.Exit().String(); got != "exit code 0" {
		t.Errorf("Exit() = %q, want it to have printed all and ended", got)
	}
	want := strings.Repeat("x", 1000) + "\n[this log is full; of what follows, the last lines are " +
		"kept]\n" + strings.Repeat(
		"x", lineLimit) + "\n"
	if got := p.logged(t); got != want {
		t.Errorf("log has %d bytes and ends in %q, want %d", len(got), got[max(0, len(got)-60):],
			len(want))
	}
	if got := p.Tail(); len(got) != 1 || got[0] != strings.Repeat("x", lineLimit) {
		t.Errorf("Tail() = %q, want one line of %d x", got, lineLimit)
	}
}

func TestGrandchildrenDie(t *testing.T) {
	l := servertest.Listen(t)
	p := start(t, "parent", l)
	family := []net.Conn{answer(t, l), answer(t, l)}
	for _, conn := range family { // the parent ends, its child keeps running
		if _, err := conn.Write([]byte{1}); err != nil {
			t.Fatal(err)
		}
	}
	if got := p.Exit().String(); got != "exit code 7" {
		t.Errorf("Exit() = %q, want exit code 7", got)
	}
	for _, conn := range family {
		expectGone(t, conn)
	}
}

func TestStopKillsStubborn(t *testing.T) {
	l := servertest.Listen(t)
	p := start(t, "stubborn", l)
	conn := answer(t, l)
	p.Stop(20 * time.Millisecond)
	p.Stop(20 * time.Millisecond)
	if got := p.Exit(); !got.Stopped {
		t.Errorf("Exit() = %+v, want it to say that it was stopped", got)
	}
	expectGone(t, conn)
}

// When this program is killed, all processes that it has started are killed.
func TestOwnerKilled(t *testing.T) {
	thorough.Long(t)
	l := servertest.Listen(t)
	owner := exec.Command(os.Args[0])
	owner.Env = append(os.Environ(), childVar+"=owner", addrVar+"="+l.Addr().String())
	if err := owner.Start(); err != nil {
		t.Fatal(err)
	}
	var all []net.Conn
	for range 4 { // itself, two children and the child of one of them
		all = append(all, answer(t, l))
	}
	_ = owner.Process.Kill()
	_ = owner.Wait()
	for _, conn := range all {
		expectGone(t, conn)
	}
}

func TestStartFails(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	if _, err := Start(Command{Argv: []string{missing}}); err == nil ||
		!strings.Contains(err.Error(), "cannot start "+missing) {
		t.Errorf("Start of a missing program: %v, want an error that names it", err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Start(Command{Argv: []string{os.Args[0]}, Log: filepath.Join(file, "bot.log")}); err == nil || !strings.Contains(err.Error(), "log: ") {
		t.Errorf("Start with a log in a file: %v, want an error about the log", err)
	}
}

// Line is called while the child runs, with lines in the form of Tail. The last line
// needs no line feed.
func TestLine(t *testing.T) {
	var got []string // belongs to the process's goroutine until Done is closed
	p, err := Start(Command{
		Argv: []string{os.Args[0]}, Env: []string{childVar + "=lines 30"},
		Line: func(line string) { got = append(got, line) },
	})
	if err != nil {
		t.Fatal(err)
	}
	<-p.Done()
	if len(got) != 31 || got[0] != "line 0" || got[29] != "line 29" || got[30] != "end\uFFFD[31m" {
		t.Errorf("lines = %q, want line 0 to line 29 and end", got)
	}
}
