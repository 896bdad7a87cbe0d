//go:build unix

package main

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/servertest"
)

// startPage starts a server that shows its page at the port of the bots as well. Matches have one
// player, so that they wait for it.
func startPage(t *testing.T, args ...string) *process {
	t.Helper()
	return startServer(t, func(port string) *exec.Cmd {
		return command(t, append([]string{
			"serve", "--bind=127.0.0.1", "--port=" + port, "--http=127.0.0.1:0", "--record=", "--map=pebble",
			"--players=1",
			"--visualizations=0", "--autostart", "--pace=fast", "--delay-first-turn=50", "--linger=50ms",
		}, args...)...)
	})
}

// oldBot writes a bot that knows netorcai only to a new folder, and returns the command that starts
// it.
func oldBot(t *testing.T) (file, command string) {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		thorough.Lack(t, err)
	}
	text := readText(t, "testdata/join/old_bot.py")
	file = filepath.Join(t.TempDir(), "old_bot.py")
	writeText(t, file, text)
	return file, "python3 " + file + " {port}"
}

// noneMissed matches a line of a result with no missed turn, between the times of answers and the
// refused actions.
var noneMissed = regexp.MustCompile(`s +0  \d`)

// A bot that does not stay is started again for each match. It sees no extension, its output is
// shown, and so are the result and the actions that were refused.
func TestJoin(t *testing.T) {
	t.Parallel()
	p := startPage(t, "--turns=10", "--matches=3")
	_, bot := oldBot(t)
	join := start(t, command(t, "join", p.addr, bot))
	said := strings.Join(join.readRest(), "\n")
	for want, times := range map[string]int{
		"| version 1 starts": 3, "| played 9 turns: Game is finished": 3,
		"Match 1 is over: rank 1 of 1.": 1, "\n  1  old ": -1,
		"(no such cell ": -1, "The server has no more matches.": 1,
		"| it has the fields initial_game_state message_type milliseconds_before_first_turn " +
			"milliseconds_between_turns nb_players nb_special_players nb_turns_max player_id " +
			"players_info\n": 3,
	} {
		if found := strings.Count(said, want); found != times && (times >= 0 || found == 0) {
			t.Errorf("it says %q %d times, want %d (-1: at least once):\n%s", want, found, times, said)
		}
	}
	join.expectExit(0)
}

// A bot that stays plays several matches with one process.
func TestJoinStays(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	p := startPage(t, "--turns=10", "--matches=3")
	dir := t.TempDir()
	if out, err := commandIn(t, dir, "new", "my_bot.py").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := os.Remove(filepath.Join(dir, "hexarena.py")); err != nil { // as in play, it gets its kit
		t.Fatal(err)
	}
	join := start(t,
		commandIn(t, dir, "join", "http://"+p.addr+"/?match=#t=3", "my_bot.py", "--name", "ada"))
	join.waitLine("as ada.")
	matches := 0
	for _, line := range join.readRest() {
		matches += strings.Count(line, "begins")
		if strings.Contains(line, "The bot has ended") {
			t.Error(line)
		}
	}
	if matches != 3 {
		t.Errorf("the bot played %d matches, want 3", matches)
	}
	join.expectExit(0)
}

// A bot in JavaScript that hexarena runs itself joins as well. A turn without an end is interrupted
// when the match goes on, and the bot plays the next one.
func TestJoinOfAScript(t *testing.T) {
	t.Parallel()
	// of two matches, since a server that ends does not always answer what the first was
	p := startPage(t, "--turns=6", "--turn-timeout=300ms", "--matches=2")
	dir := t.TempDir()
	const bot = `const { run } = require("./hexarena.js");
run(class {
  constructor(match) { this.match = match; }
  turn() { while (this.match.turnNumber === 1) {} return []; }
});
`
	writeText(t, filepath.Join(dir, "bot.js"), bot)
	join := start(t, commandIn(t, dir, "join", "--js=builtin", p.addr, "bot.js"))
	said := strings.Join(join.readRest(), "\n")
	for _, want := range []string{
		"bot.js:4\n", "| The time of turn 1 was over, which was here:", "Match 1 is over: rank 1 of 1.",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("it does not say %q:\n%s", want, said)
		}
	}
	join.expectExit(0)
}

// A changed file plays the next match, and not the one that is being played.
func TestJoinPlaysTheChangedFile(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	p := startPage(t, "--turns=400", "--matches=endless", "--tps=100")
	file, bot := oldBot(t)
	join := start(t, command(t, "join", "http://"+p.addr+"/", bot))
	join.waitLine("Match 1 begins")
	text, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(file, []byte(strings.Replace(string(text), "version 1", "version 2", 1)),
			0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	join.waitLine("old_bot.py has changed: it plays from the next match on.")
	join.waitLine("| played 399 turns")
	join.waitLine("| version 2 starts")
	join.waitLine("| it has the fields")
	if err := join.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	join.expectExit(1)
}

// gateway is a proxy between a bot and a server whose connections can be cut.
type gateway struct {
	net.Listener
	to string

	mu      sync.Mutex
	down    bool
	refused chan struct{} // gets one for each connection that comes while the network is down
	conns   []net.Conn

	passed atomic.Int64 // bytes, in both directions
}

func openGateway(t *testing.T, to string) *gateway {
	t.Helper()
	l := servertest.Listen(t)
	g := &gateway{Listener: l, to: to, refused: make(chan struct{}, 1000)}
	t.Cleanup(g.cut)
	go g.serve()
	return g
}

func (g *gateway) serve() {
	for {
		near, err := g.Accept()
		if err != nil {
			return
		}
		far, err := net.Dial("tcp", g.to)
		g.mu.Lock()
		if g.down || err != nil {
			_ = near.Close()
			g.refused <- struct{}{}
		} else {
			go pass(near, counted{far, &g.passed})
			go pass(far, counted{near, &g.passed})
		}
		g.conns = append(g.conns, near)
		if err == nil {
			g.conns = append(g.conns, far)
		}
		g.mu.Unlock()
	}
}

func pass(to, from net.Conn) {
	_, _ = io.Copy(to, from)
	_ = to.Close()
}

// counted is a connection whose received bytes are counted.
type counted struct {
	net.Conn
	n *atomic.Int64
}

func (c counted) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.n.Add(int64(n))
	return n, err
}

// cut closes all connections and refuses others.
func (g *gateway) cut() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.down = true
	for _, c := range g.conns {
		_ = c.Close()
	}
}

// mend passes connections again.
func (g *gateway) mend() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.down = false
}

// A break of the network is not noticed by the bot: one process plays all turns over one
// connection. At full size the break lasts half a minute.
func TestJoinSurvivesABreak(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	p := startPage(t, "--turns=300", "--matches=2", "--tps=100", "--reconnect=60s")
	g := openGateway(t, p.addr)
	_, bot := oldBot(t)
	join := start(t, command(t, "join", "http://"+g.Addr().String()+"/", bot))
	join.waitLine("Match 1 begins")
	p.waitLine("Starting game")
	g.cut()
	join.waitLine("The connection broke")
	for range thorough.Size(2, 19) { // one attempt a second at first
		<-g.refused
	}
	g.mend()
	join.waitLine("The connection is back.")
	if row := join.waitLine("  1  old "); !noneMissed.MatchString(row) {
		t.Errorf("the bot's line of the result is %q, want one with no missed turn", row)
	}
	join.waitLine("| version 1 starts")
	if err := join.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	join.expectExit(1)
}

// Ctrl-C leaves no process, also of a bot that does not end by itself.
func TestJoinLeavesNoProcess(t *testing.T) {
	t.Parallel()
	p := startPage(t, "--turns=10")
	file := filepath.Join(t.TempDir(), "pid")
	join := start(
		t,
		command(t, "join", p.addr,
			`sh -c "trap '' TERM INT; echo $$ > `+file+`; echo ready; while :; do sleep 1; done"`),
	)
	join.waitLine("| ready")
	text := readText(t, file)
	pid, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := join.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	join.expectExit(1)
	if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("process %d is left: %v", pid, err)
	}
}

// A bot without a seat waits for another match, until there will be none.
func TestJoinWithoutASeat(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	_, bot := oldBot(t)
	p := startPage(t, "--turns=2")
	player := servertest.Login(t, p.addr, "first", "player")
	player.Expect("GAME_STARTS")
	join := start(t, command(t, "join", p.addr, bot))
	join.waitLine("No seat is free: waiting for the next match.")
	player.Expect("TURN")
	player.Answer(0, "")
	join.waitLine("| played 0 turns: Game is finished")
	join.expectExit(exitNoSeat)
}

// Each failure has its exit code, and a message that says what to do.
func TestJoinFailures(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	_, bot := oldBot(t)
	free := net.JoinHostPort("127.0.0.1", strconv.Itoa(freePort(t)))
	page := httptest.NewServer(http.NotFoundHandler())
	defer page.Close()
	text := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "Example Domain")
	}))
	defer text.Close()
	file := filepath.Join(t.TempDir(), "b.py")
	writeText(t, file, "print()\n")
	_, secured, _ := startWithTokens(t)
	open := startPage(t)
	players := startServer(t, func(port string) *exec.Cmd {
		return command(t, "serve", "--http=", "--port="+port)
	})
	for _, tt := range []struct {
		name string
		args []string
		code int
		want []string
	}{
		{"nothing listens", []string{free, bot}, 1, []string{"the server cannot be reached", "browser"}},
		{"a port for players", []string{players.addr, bot}, 1, []string{"no page", "browser"}},
		{"another server", []string{page.URL, bot}, 1, []string{"404 Not Found", "browser"}},
		{
			"a page",
			[]string{text.URL, bot},
			1,
			[]string{"what answers there is not hexarena", "browser"},
		},
		{
			"a page that is sent a bot",
			[]string{"--send", text.URL + "/#token=x", file},
			1,
			[]string{"what answers there is not hexarena", "browser"},
		},
		{"no token", []string{secured, bot}, 3, []string{
			"does not accept the token", "--token", "/#token=TOKEN",
		}},
		{"a wrong token", []string{secured + "/#token=wrong", bot}, 3, []string{
			"does not accept the token", "copy the address",
		}},
		{"a scheme", []string{"ftp://x/", bot}, 2, []string{"ftp://", "want http:// or https://"}},
		{"no host", []string{"http://", bot}, 2, []string{"names no host"}},
		{"no file", []string{free, "missing.py"}, 2, []string{"there is no file missing.py"}},
		{"a built-in bot", []string{free, "open"}, 2, []string{"name a file or a command"}},
		{"a nickname", []string{free, bot, "--name=two words"}, 2, []string{
			"two words", "1 to 10 characters",
		}},
		{"a bot that does not log in", []string{open.addr, "true"}, 1, []string{
			"never logged in", "BOT_PORT",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cmd := command(t, append([]string{"join"}, tt.args...)...)
			var said strings.Builder
			cmd.Stderr = &said
			err := cmd.Run()
			if code := cmd.ProcessState.ExitCode(); code != tt.code {
				t.Errorf("exit code %d (%v), want %d", code, err, tt.code)
			}
			for _, want := range tt.want {
				if !strings.Contains(said.String(), want) {
					t.Errorf("it says %q, which lacks %q", &said, want)
				}
			}
		})
	}
}
