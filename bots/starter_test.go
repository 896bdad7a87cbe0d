package bots

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/access"
	"github.com/hexarena/hexarena/server/servertest"
)

func TestStartersAreEmbedded(t *testing.T) {
	for _, text := range []string{starter, string(TicTacToeStarter())} {
		for _, want := range []string{"BOT_HOST", "BOT_PORT", "BOT_NICKNAME", "BOT_TOKEN", "BOT_SEED", "def decide(state, me, debug):"} {
			if !strings.Contains(text, want) {
				t.Errorf("the starter does not mention %s", want)
			}
		}
		if strings.ContainsAny(text, "\r\t") {
			t.Error("the starter has tabs or carriage returns")
		}
		if strings.Count(text, wireMark) != 1 || !strings.HasSuffix(text, "sys.exit(main())\n") {
			t.Error("the starter has no second part, which talks to the server")
		}
	}
}

// python writes the starter to a file and returns the command that runs it. It skips the
// test if there is no Python, which CI does not allow.
func python(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	thorough.Long(t)
	name := interpreter()
	if name == "" {
		thorough.Lack(t, "no Python 3.8 or newer on this machine")
	}
	file := filepath.Join(t.TempDir(), StarterName)
	if err := os.WriteFile(file, Starter(), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), name, append([]string{"-W", "error", file}, args...)...)
	cmd.Env = append(os.Environ(), "BOT_SEED=7", "BOT_NICKNAME=ten_letters_and_more")
	return cmd
}

// interpreter returns the command of Python 3.8 or newer, or "" if not found.
var interpreter = sync.OnceValue(func() string {
	for _, name := range []string{"python3", "python"} {
		out, err := exec.Command(name, "-c", "import sys; print(sys.version_info >= (3, 8))").Output()
		if err == nil && strings.TrimSpace(string(out)) == "True" {
			return name
		}
	}
	return ""
})

// playStarter plays a match with the starter and returns the server's view of it.
func playStarter(t *testing.T, s scripted, args ...string) (*played, string) {
	t.Helper()
	l := servertest.Listen(t)
	host, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if len(args) > 0 {
		args = []string{host, port}
	}
	cmd := python(t, args...)
	if len(args) == 0 {
		cmd.Env = append(cmd.Env, "BOT_HOST="+host, "BOT_PORT="+port)
	} else {
		cmd.Env = append(cmd.Env, "BOT_HOST=nowhere.invalid", "BOT_PORT=1")
	}
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p, hostErr := s.host(l)
	if err := cmd.Wait(); err != nil {
		t.Fatalf("the starter ends with %v and prints:\n%s", err, output.String())
	}
	if hostErr != nil {
		t.Fatalf("%v; the starter prints:\n%s", hostErr, output.String())
	}
	return p, output.String()
}

func TestStarterPlays(t *testing.T) {
	m := drawn("000....", ".......", "... ...", ".......", "....111")
	first, output := playStarter(t, scripted{m: m, turns: 80})
	if first.nickname != "ten_letter" || len(first.answers) != 79 {
		t.Errorf("%d answers from %q, want 79 from ten_letter", len(first.answers), first.nickname)
	}
	if len(first.refused) > 0 {
		t.Errorf("%d actions are refused, for example %+v", len(first.refused), first.refused[0])
	}
	moves := map[string]int{}
	for turn, answer := range first.answers {
		var orders []order
		if err := json.Unmarshal([]byte(answer), &orders); err != nil {
			t.Fatalf("turn %d: %s: %v", turn, answer, err)
		}
		for _, o := range orders {
			moves[o.Movement]++
		}
	}
	if moves["move"] == 0 || moves["bomb"] == 0 {
		t.Errorf("actions in a match: %v, want moves and bombs", moves)
	}
	if cells := first.counts["cells"]; 2*cells < int64(len(m.Cells)) {
		t.Errorf("the starter has %d of %d cells at the end, want half of them", cells, len(m.Cells))
	}
	if !strings.Contains(output, "I was player 0") {
		t.Errorf("the starter prints %q", output)
	}

	again, _ := playStarter(t, scripted{m: m, turns: 80}, "as arguments")
	if strings.Join(again.answers, "\n") != strings.Join(first.answers, "\n") {
		t.Error("two matches with one seed differ")
	}
}

// TestStarterInOddMatches plays on the narrowest boards, in the shortest match and as a
// special player.
func TestStarterInOddMatches(t *testing.T) {
	for name, s := range map[string]scripted{
		"one cell":    {m: drawn("0"), turns: 20},
		"street":      {m: drawn("0.......1"), turns: 60},
		"not a turn":  {m: drawn("0.1"), turns: 1},
		"as player 0": {m: small, special: true, turns: 40},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			playStarter(t, s)
		})
	}
}

func TestStarterWithoutServer(t *testing.T) {
	t.Parallel()
	l := servertest.Listen(t)
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	out, err := python(t, "127.0.0.1", port).CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 1 || !strings.HasPrefix(string(out), "no server at 127.0.0.1:"+port) {
		t.Errorf("without a server the starter ends with %v and prints %q", err, out)
	}
}

// TestGuideQuotesTheStarter checks that quotations in the player's guide are in the
// starter and that its proposals fit there.
func TestGuideQuotesTheStarter(t *testing.T) {
	guide, err := os.ReadFile("../docs/player.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(guide), "```")
	quotes := 0
	for i := 1; i < len(blocks); i += 2 {
		if code, ok := strings.CutPrefix(blocks[i], "python\n"); ok {
			quotes++
			if !strings.Contains(starter, code) {
				t.Errorf("the guide quotes code that is not in the starter:\n%s", code)
			}
		}
	}
	if quotes < 2 {
		t.Errorf("the guide quotes the starter %d times, want 2 or more", quotes)
	}
}

// denied kicks the client for a reason and returns its LOGIN and output.
func denied(t *testing.T, cmd *exec.Cmd, l net.Listener, reason string) (login netorcai.Login, output string) {
	t.Helper()
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = l.(*net.TCPListener).SetDeadline(time.Now().Add(waitLimit))
	conn, err := l.Accept()
	if err != nil {
		t.Fatalf("%v; the starter prints:\n%s", err, said.String())
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(waitLimit))
	if login, err = readLogin(bufio.NewReader(conn)); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Write(netorcai.AppendKick(nil, reason)); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Errorf("after a kick the starter ends with %v", err)
	}
	return login, said.String()
}

// TestStarterIntroducesItself checks the starter's nickname and token, and its advice if
// a token is needed.
func TestStarterIntroducesItself(t *testing.T) {
	self, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	needed := "LOGIN denied: " + access.ErrNoToken.Error()
	for _, tt := range []struct {
		file, constant string
		args, env      []string
		name, token    string
	}{
		{file: "my_bot.py", name: self.Username},
		{file: "crusher.py", name: "crusher"},
		{file: "my bot of today.py", name: "my_bot_of_"},
		{file: "crusher.py", constant: "Crush", name: "Crush"},
		{file: "crusher.py", constant: "Crush", env: []string{"BOT_NICKNAME=env", "BOT_TOKEN=secretsecret"}, name: "env", token: "secretsecret"},
		{file: "crusher.py", args: []string{"--name", "Anna B", "--token=TTTTTTTTTT"}, env: []string{"BOT_NICKNAME=env", "BOT_TOKEN=x"}, name: "Anna_B", token: "TTTTTTTTTT"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l := servertest.Listen(t)
			host, port, err := net.SplitHostPort(l.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			cmd := python(t)
			file := filepath.Join(t.TempDir(), tt.file)
			text := strings.Replace(string(Starter()), `NAME = ""`, fmt.Sprintf("NAME = %q", tt.constant), 1)
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			cmd.Args = append(append([]string{cmd.Args[0], file}, tt.args...), host, port)
			cmd.Env = append(append(os.Environ(), "BOT_NICKNAME=", "BOT_TOKEN=", "LOGNAME="+self.Username), tt.env...)
			login, said := denied(t, cmd, l, needed)
			if want := tt.name[:min(len(tt.name), 10)]; login.Nickname != want || login.Token != tt.token {
				t.Errorf("%+v: it logs in as %q with token %q, want %q and %q", tt, login.Nickname, login.Token, want, tt.token)
			}
			if !strings.Contains(said, "kicked: "+needed) || !strings.Contains(said, "add --token TOKEN (or set BOT_TOKEN)") {
				t.Errorf("kicked for a missing token, it prints:\n%s", said)
			}
		})
	}
}
