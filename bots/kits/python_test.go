package kits_test

import (
	"bufio"
	"bytes"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hexarena/hexarena/bots/botstest"
	"github.com/hexarena/hexarena/bots/kits"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/access"
	"github.com/hexarena/hexarena/server/servertest"
)

// Quotations in the player's guide are in the bot in Python.
func TestGuideQuotesTheBot(t *testing.T) {
	guide, err := os.ReadFile("../../docs/player.md")
	if err != nil {
		t.Fatal(err)
	}
	starter := string(kits.Of("bot.py").File("bot.py"))
	blocks := strings.Split(string(guide), "```")
	quotes := 0
	for i := 1; i < len(blocks); i += 2 {
		if code, ok := strings.CutPrefix(blocks[i], "python\n"); ok {
			quotes++
			if !strings.Contains(starter, code) {
				t.Errorf("the guide quotes code that is not in the bot:\n%s", code)
			}
		}
	}
	if quotes < 2 {
		t.Errorf("the guide quotes the bot %d times, want 2 or more", quotes)
	}
}

// A bot in Python has the name of its file, unless it was told another or has not been given one, and advises a
// user whose token is missing.
func TestPythonName(t *testing.T) {
	thorough.Full(t)
	self, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	k := kits.Of("bot.py")
	python := build(t, k, k.Starters["hexabomb"])[0]
	needed := "LOGIN denied: " + access.ErrNoToken.Error()
	for _, tt := range []struct {
		file, inside string
		args, env    []string
		name, token  string
	}{
		{file: "my_bot.py", name: self.Username},
		{file: "crusher.py", name: "crusher"},
		{file: "my bot of today.py", name: "my_bot_of_"},
		{file: "crusher.py", inside: "Crush", name: "Crush"},
		{file: "crusher.py", inside: "Crush", env: []string{
			"BOT_NICKNAME=env", "BOT_TOKEN=secretsecret",
		}, name: "env", token: "secretsecret"},
		{file: "crusher.py", args: []string{
			"--name", "Anna B", "--token=TTTTTTTTTT",
		}, env: []string{"BOT_NICKNAME=env", "BOT_TOKEN=x"}, name: "Anna_B", token: "TTTTTTTTTT"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := k.WriteLibrary(dir); err != nil {
				t.Fatal(err)
			}
			text := string(k.File("bot.py"))
			if tt.inside != "" {
				text = strings.Replace(text, "run(MyBot)", `run(MyBot, name="`+tt.inside+`")`, 1)
			}
			file := filepath.Join(dir, tt.file)
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			l := servertest.Listen(t)
			host, port, err := net.SplitHostPort(l.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), python,
				append(append([]string{"-W", "error", file}, tt.args...), host, port)...)
			cmd.Env = append(append(environment(), "LOGNAME="+self.Username), tt.env...)
			login, said := denied(t, cmd, l, needed)
			if want := tt.name[:min(len(tt.name), 10)]; login.Nickname != want || login.Token != tt.token ||
				login.Stay {
				t.Errorf("%+v: it logs in as %+v, want %q and %q", tt, login, want, tt.token)
			}
			if !strings.Contains(said, "kicked: "+needed) ||
				!strings.Contains(said, "add --token TOKEN (or set BOT_TOKEN)") {
				t.Errorf("kicked for a missing token, it prints:\n%s", said)
			}
		})
	}
}

// denied kicks the client for a reason and returns its LOGIN and output.
func denied(
	t *testing.T, cmd *exec.Cmd, l net.Listener, reason string,
) (login netorcai.Login, output string) {
	t.Helper()
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = l.(*net.TCPListener).SetDeadline(time.Now().Add(botstest.Patience))
	conn, err := l.Accept()
	if err != nil {
		t.Fatalf("%v; the bot prints:\n%s", err, said.String())
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(botstest.Patience))
	if login, err = botstest.ReadLogin(bufio.NewReader(conn)); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Write(netorcai.AppendKick(nil, reason)); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 1 {
		t.Errorf("after a kick the bot ends with %v", err)
	}
	return login, said.String()
}

// The unit test in the guide passes for the starter.
func TestGuideTestsTheBot(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	guide, err := os.ReadFile("../../docs/testing.md")
	if err != nil {
		t.Fatal(err)
	}
	k := kits.Of("bot.py")
	python := build(t, k, k.Starters["hexabomb"])[0]
	_, code, _ := strings.Cut(string(guide), "```python\n")
	code, _, _ = strings.Cut(code, "```")
	dir := t.TempDir()
	if err := k.WriteLibrary(dir); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{
		"test_bot.py": []byte(code), "my_bot.py": k.Starter("hexabomb", "my_bot.py"),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), python, "-W", "error", "-m", "unittest")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "Ran 1 test") {
		t.Errorf("%v\n%s", err, out)
	}
}
