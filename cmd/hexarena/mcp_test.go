package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// client is a client of hexarena mcp.
type client struct {
	*mcp.ClientSession
	t   *testing.T
	dir string
}

// connectMCP returns a client over a transport, whose server has a folder.
func connectMCP(t *testing.T, dir string, transport mcp.Transport) *client {
	t.Helper()
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	s, err := c.Connect(t.Context(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &client{s, t, dir}
}

// inMemoryMCP returns a client of a server in this process.
func inMemoryMCP(t *testing.T) *client {
	t.Helper()
	thorough.Long(t) // commands are processes
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	here, there := mcp.NewInMemoryTransports()
	done := make(chan error, 1)
	a := &assistant{folder: root, busy: make(chan struct{}, 1)}
	go func() { done <- a.serve(t.Context(), there) }()
	c := connectMCP(t, dir, here)
	t.Cleanup(func() {
		if err := errors.Join(c.Close(), <-done, root.Close()); err != nil {
			t.Error(err)
		}
	})
	return c
}

// call calls a tool with arguments in JSON. It fails the test unless the tool succeeds, or fails, as
// it should.
func (c *client) call(tool, arguments string, fails bool) string {
	c.t.Helper()
	r, err := c.CallTool(c.t.Context(), &mcp.CallToolParams{
		Name: tool, Arguments: json.RawMessage(arguments),
	})
	if err != nil {
		c.t.Fatalf("%s %s: %v", tool, arguments, err)
	}
	text := r.Content[0].(*mcp.TextContent).Text
	if r.IsError != fails {
		c.t.Fatalf("%s %s is answered, with an error: %v,\n%s", tool, arguments, r.IsError, text)
	}
	return text
}

// expect fails the test unless the answer to a call has some texts.
func (c *client) expect(tool, arguments string, texts ...string) string {
	c.t.Helper()
	answer := c.call(tool, arguments, false)
	for _, want := range texts {
		if !strings.Contains(answer, want) {
			c.t.Errorf("%s %s is answered without %q:\n%s", tool, arguments, want, answer)
		}
	}
	return answer
}

// recordingIn returns the recording that the result of play names.
func recordingIn(t *testing.T, played string) string {
	t.Helper()
	var result struct{ Recording string }
	if err := json.Unmarshal([]byte(played), &result); err != nil || result.Recording == "" {
		t.Fatalf("%v: play is answered with %s", err, played)
	}
	return filepath.ToSlash(result.Recording)
}

// A client plays, analyses, compares and simulates, in both games, over a process.
func TestMCPSession(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := connectMCP(t, dir, &mcp.CommandTransport{Command: commandIn(t, dir, "mcp")})
	list, err := c.ListTools(t.Context(), nil)
	if err != nil || len(list.Tools) != 6 {
		t.Fatalf("there are the tools %+v, %v", list, err)
	}
	c.expect("rules", `{"game":"hexabomb"}`, "Hexabomb. ", "bomb_range")
	c.expect("rules", `{"game":"hextictactoe"}`, "six")

	writeText(t, filepath.Join(dir, "my bot.js"), starterScript())
	played := c.expect("play",
		`{"seats":["my bot.js","random"],"map":"pebble","turns":20,"seed":1}`, `"turns": 20`)
	c.expect("digest", `{"of":"`+recordingIn(t, played)+`","for":"my bot.js"}`, "my bot.js")
	rated := c.expect("cup",
		`{"seats":["painter","random"],"map":"pebble","turns":10,"count":20,"seed":1}`, `"painter"`)
	if !strings.Contains(rated, "20") {
		t.Errorf("the cup is answered with %s", rated)
	}
	folders, _ := filepath.Glob(filepath.Join(dir, "cups", "*"))
	if len(folders) != 1 {
		t.Fatalf("the cup is in %q", folders)
	}
	c.expect("digest", `{"of":"cups/`+filepath.Base(folders[0])+`","for":"random"}`, "random")

	c.expect("step", `{"map":"pebble","turns":9,"request":{"reset":{"seed":1}}}`, `"turn":0`, "r=-3")
	legal := c.expect("legal", `{"player":0}`, `"movement":"move"`)
	first, _, _ := strings.Cut(strings.Trim(legal, "[]"), "\n")
	c.expect("step", `{"request":{"save":"a"}}`)
	c.expect("step", `{"request":{"step":[[`+strings.TrimSuffix(first, ",")+`],[]]}}`, `"turn":1`,
		`"refused":[]`)
	c.expect("step", `{"request":{"restore":"a","show":"state"}}`, `"turn":0`, `"state":{`)
	c.expect("legal", `{"player":0,"actions":[{"id":99,"movement":"move","direction":"x+"}]}`, "action 0")
	c.expect("step", `{"game":"hextictactoe","request":{"reset":{}}}`, `"turn":0`)
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

// An assistant cannot start a command line, leave the folder or play without bounds; the errors are
// those of tools, and say what to change.
func TestMCPRefuses(t *testing.T) {
	t.Parallel()
	c := inMemoryMCP(t)
	outside := filepath.Join(t.TempDir(), "bot.js")
	writeText(t, outside, starterScript())
	refused := [][3]string{
		{"play", `{"seats":["sh -c true"]}`, "below this folder"},
		{"play", `{"seats":["stdio:cat"]}`, "below this folder"},
		{"play", `{"seats":["llm:cat"]}`, "below this folder"},
		{"play", `{"seats":["page"]}`, "painter"},
		{"play", `{"seats":["--help"]}`, "below this folder"},
		{"play", `{"seats":["../bot.js"]}`, "escapes"},
		{"play", `{"seats":[".@--upload-pack=x"]}`, "revision"},
		{"play", `{"map":"../map.txt"}`, "escapes"},
		{"play", `{"map":"nowhere"}`, "nowhere"},
		{"play", `{"game":"external"}`, "game"},
		{"play", `{"turns":100000}`, "1000"},
		{"play", `{"turns":-1}`, "1000"},
		{"play", `{"unknown":1}`, "unknown"},
		{"cup", `{"seats":["painter","random"],"count":1000000}`, "1000"},
		{"cup", `{"seats":["painter"]}`, "painter"},
		{"digest", `{"of":"../x","for":"a"}`, "escapes"},
		{"digest", `{"of":"nothing","for":"a"}`, "nothing"},
		{"rules", `{"game":"chess"}`, "chess"},
		{"legal", `{"player":0}`, "step"},
		{"step", `{"request":{"step":[]}}`, "reset"},
		{"step", `{"request":{"fly":1}}`, "unknown key"},
		{"step", `{"request":null}`, "object"},
	}
	// Windows gives few users the right to make links.
	if err := os.Symlink(outside, filepath.Join(c.dir, "link.js")); err == nil {
		refused = append(refused, [3]string{"play", `{"seats":["link.js"]}`, "escapes"})
	} else if runtime.GOOS != "windows" {
		t.Error(err)
	}
	for _, tt := range refused {
		if text := c.call(tt[0], tt[1], true); !strings.Contains(text, tt[2]) {
			t.Errorf("%s %s is refused without %q: %s", tt[0], tt[1], tt[2], text)
		}
	}
}

// A cup that a client cancels ends before its last match, and the server goes on.
func TestMCPCancels(t *testing.T) {
	t.Parallel()
	c := inMemoryMCP(t)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := c.CallTool(ctx, &mcp.CallToolParams{Name: "cup", Arguments: json.RawMessage(
			`{"seats":["painter","hunter","random"],"turns":1000,"count":1000}`)})
		done <- err
	}()
	logs := filepath.Join(c.dir, "cups", "*", "log.ndjson")
	for range time.Tick(5 * time.Millisecond) {
		if found, _ := filepath.Glob(logs); len(found) > 0 {
			break
		}
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("the call ends with %v", err)
	}
	c.expect("rules", `{"game":"hexabomb"}`, "Hexabomb. ") // once the command has ended
	found, _ := filepath.Glob(logs)
	if text, err := os.ReadFile(found[0]); err != nil || strings.Count(string(text), "\n") >= 1000 {
		t.Errorf("%v: the cup was played to its end", err)
	}
}

// startMCP starts hexarena mcp, and returns its standard input and output.
func startMCP(t *testing.T) (cmd *exec.Cmd, in io.WriteCloser, out io.Reader) {
	t.Helper()
	cmd = commandIn(t, t.TempDir(), "mcp")
	in, inErr := cmd.StdinPipe()
	out, outErr := cmd.StdoutPipe()
	if err := errors.Join(inErr, outErr); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd, in, out
}

// Lines that are no messages are answered with errors, and the session goes on.
func TestMCPAnswersOtherLines(t *testing.T) {
	t.Parallel()
	cmd, in, out := startMCP(t)
	answers := bufio.NewScanner(out)
	for _, tt := range []struct{ line, answer string }{
		{"hello\n", `"id":null,"error":{"code":-32700`},
		{"\n{}\n", `"id":null,"error":{"code":-32600`},
		{mcpInitialize, `"id":1,"result"`},
		{`{"jsonrpc":"2.0","id":2,"meth` + "\n", `"code":-32700`},
		{`{"jsonrpc":"2.0","id":3,"method":"ping"}` + "\r\n", `"id":3,"result"`},
	} {
		if _, err := io.WriteString(in, tt.line); err != nil {
			t.Fatal(err)
		}
		if !answers.Scan() || !strings.Contains(answers.Text(), tt.answer) {
			t.Errorf("%q is answered with %s, want %s", tt.line, answers.Text(), tt.answer)
		}
	}
	if err := errors.Join(in.Close(), cmd.Wait()); err != nil {
		t.Error(err)
	}
}

// mcpInitialize begins a session.
const mcpInitialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":` +
	`{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}` + "\n"

// The program ends when its client leaves, and by a signal.
func TestMCPEnds(t *testing.T) {
	t.Parallel()
	for _, signal := range []bool{false, true} {
		if signal && runtime.GOOS == "windows" {
			continue // it has no signals for processes
		}
		cmd, in, out := startMCP(t)
		_, err := io.WriteString(in, mcpInitialize)
		if err == nil {
			_, err = out.Read(make([]byte, 1))
		}
		if err != nil {
			t.Fatal(err)
		}
		if signal {
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
		} else if err := in.Close(); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("after a signal: %v, it ends with %v", signal, err)
		}
	}
}
