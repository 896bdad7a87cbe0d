package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/config/textutil"
	"github.com/hexarena/hexarena/server/games/env"
)

const (
	maxMCPTime  = 10 * time.Minute // of a match or a cup: assistants give up a call that takes longer
	maxMCPTurns = 1000             // ten times the usual match
	maxMCPCount = 1000             // matches of a cup, which tell 20 Elo apart
	maxMCPBots  = 60               // as many as a course hands in
	mcpEnd      = 5 * time.Second  // in which a command that is cancelled ends its bots
)

func newMCP() *cobra.Command {
	a := &assistant{busy: make(chan struct{}, 1)}
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Let an assistant play, simulate and analyse (MCP)",
		Long: `Speak the Model Context Protocol on standard input and output, for an assistant that starts
this program. Its tools are rules, play, cup, digest, step and legal. They use files below the
current folder only, and no seat is a command line; a match or a cup ends after 10 minutes, or
when the assistant cancels it. Bots run with your rights unless --isolate is given.`,
		Example: "  hexarena mcp --isolate",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if a.folder, err = os.OpenRoot("."); err != nil {
				return err
			}
			defer a.folder.Close()
			return a.serve(cmd.Context(), onLines(os.Stdin, os.Stdout))
		},
	}
	cmd.Flags().BoolVar(&a.isolate, "isolate", false,
		"run bots in containers of podman or docker, without network and other files")
	return cmd
}

// messageLines reads the lines of a client, and answers those that are no messages with an error:
// the SDK would end the session.
type messageLines struct {
	in   *bufio.Scanner
	rest []byte // of a line with a message
	io.Closer
	out io.Writer
}

// onLines returns the transport of messages on lines.
func onLines(in io.ReadCloser, out io.Writer) mcp.Transport {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, mcp.DefaultMaxLineLength)
	return &mcp.IOTransport{
		Reader: &messageLines{in: lines, Closer: in, out: out}, Writer: leftOpen{out},
	}
}

// leftOpen is an output that Close leaves open.
type leftOpen struct{ io.Writer }

func (leftOpen) Close() error { return nil }

// Read implements io.Reader.
func (m *messageLines) Read(p []byte) (int, error) {
	for len(m.rest) == 0 {
		if !m.in.Scan() {
			return 0, cmp.Or(m.in.Err(), io.EOF)
		}
		line := bytes.TrimSpace(m.in.Bytes())
		_, err := jsonrpc.DecodeMessage(line)
		switch {
		case len(line) == 0:
		case err == nil, line[0] == '[' && json.Valid(line): // several messages
			m.rest = append(slices.Clip(line), '\n')
		case json.Valid(line):
			m.refuse(jsonrpc.CodeInvalidRequest, err)
		default:
			m.refuse(jsonrpc.CodeParseError, err)
		}
	}
	n := copy(p, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

// refuse answers a line that is no message.
func (m *messageLines) refuse(code int64, why error) {
	_ = textutil.WriteJSONLine(m.out, struct { // a client that is gone is noticed by the session
		Version string        `json:"jsonrpc"`
		ID      any           `json:"id"` // null: it is not known
		Error   jsonrpc.Error `json:"error"`
	}{"2.0", nil, jsonrpc.Error{Code: code, Message: why.Error()}})
}

// assistant answers the calls of one client.
type assistant struct {
	folder  *os.Root // in which all files are
	isolate bool
	// busy holds a token while a call uses session, or runs a command.
	busy    chan struct{}
	session *env.Session // nil before the first step
}

// serve answers calls until the client leaves or ctx ends. Commands that still run are stopped.
func (a *assistant) serve(ctx context.Context, t mcp.Transport) error {
	life, stop := context.WithCancel(ctx)
	s := mcp.NewServer(&mcp.Implementation{Name: "hexarena", Version: versionText()},
		&mcp.ServerOptions{
			Logger: slog.New(slog.DiscardHandler),
			Instructions: "hexarena lets bots play on hexagonal boards. Read the rules first. Then: " +
				"edit a bot, play it, read the digest of a match, and compare versions by a cup.",
		})
	a.addTools(life, s)
	err := s.Run(ctx, t)
	stop()
	a.busy <- struct{}{} // waits for the end of a command
	if ctx.Err() != nil {
		return nil // Ctrl-C is how a user ends it
	}
	return err
}

// tool adds a tool whose result is text. One call is answered at a time.
func tool[In any](
	life context.Context, a *assistant, s *mcp.Server, name, about string,
	do func(context.Context, In) (string, error),
) {
	mcp.AddTool(s, &mcp.Tool{Name: name, Description: about}, func(
		ctx context.Context, _ *mcp.CallToolRequest, in In,
	) (*mcp.CallToolResult, any, error) {
		ctx, cancel := context.WithTimeout(ctx, maxMCPTime)
		defer cancel()
		defer context.AfterFunc(life, cancel)()
		select {
		case a.busy <- struct{}{}:
			defer func() { <-a.busy }()
		case <-ctx.Done():
			return nil, nil, context.Cause(ctx)
		}
		text, err := do(ctx, in)
		if err != nil {
			return nil, nil, err
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
	})
}

// run runs a command of this program in the folder, and returns what it prints.
func (a *assistant) run(ctx context.Context, args ...string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, self)
	cmd.Args, cmd.Dir = append([]string{"hexarena"}, args...), a.folder.Name()
	cmd.Cancel = func() error {
		if cmd.Process.Signal(os.Interrupt) == nil { // so that it ends its bots
			return nil
		}
		return cmd.Process.Kill()
	}
	cmd.WaitDelay = mcpEnd
	var out, said limitedBuffer
	cmd.Stdout, cmd.Stderr = &out, &said
	err = cmd.Run()
	switch exit := (*exec.ExitError)(nil); {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "", fmt.Errorf("it has not ended after %v: play fewer turns; the same cup goes on",
			maxMCPTime)
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err == nil:
		return out.String(), nil
	case !errors.As(err, &exit):
		return "", err
	case out.Len() > 0: // such as of a cup: it is not better
		return fmt.Sprintf("%s\nexit code %d\n", out.String(), exit.ExitCode()), nil
	}
	return "", errors.New(strings.TrimSpace(said.String()))
}

// file returns a path below the folder as an argument that is no flag and no name of anything else.
func (a *assistant) file(path string) (string, error) {
	if _, err := a.folder.Stat(path); err != nil {
		return "", fmt.Errorf("%w: give the path of a file or folder below this folder", err)
	}
	return "./" + path, nil
}

// revision is a revision of git as a seat has it: no option of git, and no range.
var revision = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_/~^-]*(\.[A-Za-z0-9_/~^-]+)*$`)

// seats returns the arguments for seats, which are built-in bots, and files and folders, also at a
// revision; with the flag that confines bots.
func (a *assistant) seats(names []string) (args []string, err error) {
	if len(names) > maxMCPBots {
		return nil, fmt.Errorf("%d bots are more than %d", len(names), maxMCPBots)
	}
	if a.isolate {
		args = append(args, "--isolate")
	}
	for _, name := range names {
		if slices.Contains(gameList.BuiltinNames(), name) {
			args = append(args, name)
			continue
		}
		path, rev, at := strings.Cut(name, "@")
		if at && !revision.MatchString(rev) {
			return nil, fmt.Errorf("%.80q: %.40q is no revision", name, rev)
		}
		path, err := a.file(path)
		if err != nil {
			return nil, fmt.Errorf("%w, such as my_bot.py or my_bot.py@HEAD, or a built-in bot: %s", err,
				strings.Join(gameList.BuiltinNames(), ", "))
		}
		if at {
			path += "@" + rev
		}
		args = append(args, path)
	}
	return args, nil
}

// board says what is played.
type board struct {
	Game  string `json:"game,omitempty" jsonschema:"name of the game, if not the usual one"`
	Map   string `json:"map,omitempty" jsonschema:"name of a shipped map, or a map file"`
	Turns int    `json:"turns,omitempty" jsonschema:"turns of a match, 1 to 1000"`
}

// flags returns the flags of play, cup and env for a board. maps is the name of the one for maps.
func (a *assistant) flags(b board, maps string) (args []string, err error) {
	if b.Game != "" {
		if g := gameList.Find(b.Game); g == nil || g.Replay == nil {
			return nil, fmt.Errorf("there is no game %.40q", b.Game)
		}
		args = append(args, "--game="+b.Game)
	}
	if strings.ContainsAny(b.Map, `/\.`) {
		if b.Map, err = a.file(b.Map); err != nil {
			return nil, err
		}
	}
	if b.Map != "" {
		args = append(args, maps+"="+b.Map)
	}
	return number(args, "--turns", b.Turns, maxMCPTurns)
}

// number adds a flag with a number up to a bound, unless it is 0.
func number(args []string, flag string, n, most int) ([]string, error) {
	if n < 0 || n > most {
		return nil, fmt.Errorf("%s = %d: want 1 to %d", flag, n, most)
	}
	if n > 0 {
		args = append(args, fmt.Sprint(flag, "=", n))
	}
	return args, nil
}
