package harness

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Build builds hexarena as the given file. A file named hexarena.exe runs on every system.
func Build(ctx context.Context, file string, flags ...string) error {
	args := append(append([]string{"build", "-o", file}, flags...),
		"github.com/hexarena/hexarena/cmd/hexarena")
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0") // as in releases
	return run(cmd)
}

// run runs a command. The error says what the command printed.
func run(cmd *exec.Cmd) error {
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w: %s", filepath.Base(cmd.Path), cmd.Args[1], err, text)
	}
	return nil
}

// Workspace makes a temporary folder, which remove deletes, and returns the hexarena to
// run: the given one, or, if that is empty, one that it builds in the folder.
func Workspace(
	ctx context.Context, name, given string,
) (dir, hexarena string, remove func(), err error) {
	if dir, err = os.MkdirTemp("", "hexarena-"+name+"-"); err != nil {
		return "", "", nil, err
	}
	remove = func() { _ = os.RemoveAll(dir) }
	if given != "" {
		return dir, given, remove, nil
	}
	hexarena = filepath.Join(dir, "hexarena.exe")
	if err := Build(ctx, hexarena); err != nil {
		remove()
		return "", "", nil, err
	}
	return dir, hexarena, remove, nil
}

// NewMap writes a map, by hexarena, for the given number of players, by the flags of maps new, and
// returns its path.
func NewMap(
	ctx context.Context, hexarena, dir string, players int, flags ...string,
) (path string, err error) {
	path = filepath.Join(dir, "board.json")
	args := append([]string{"maps", "new", "--players", strconv.Itoa(players), "-o", path}, flags...)
	return path, run(exec.CommandContext(ctx, hexarena, args...))
}

// Record plays a match with seed 1, by hexarena, and returns the path of its recording, the
// only one in the folder.
func Record(ctx context.Context, hexarena, dir string, flags ...string) (path string, err error) {
	args := append([]string{"play", "--http=", "--port", "0", "--seed", "1", "--record", dir},
		flags...)
	if err := run(exec.CommandContext(ctx, hexarena, args...)); err != nil {
		return "", err
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.hexarena"))
	if err != nil || len(files) != 1 {
		return "", fmt.Errorf("hexarena play left %d recordings in %s, %v", len(files), dir, err)
	}
	return files[0], nil
}

// Server is a running hexarena serve that accepts players. Its log is read to the end.
type Server struct {
	*Process
	Addr string // host and port of the bots
	Page string // URL of the page, which ends with a slash; empty if there is no page
	Live string // WebSocket address of the match on the page

	// Valid when the log has ended.
	last   string         // its last line
	errors map[string]int // how often each error was logged
}

// Serve starts a server with more flags on a free port of the loopback interface.
func Serve(ctx context.Context, hexarena string, flags ...string) (*Server, error) {
	return ServeBy(ctx, []string{hexarena}, flags...)
}

// ServeBy is Serve with a command that ends with hexarena and executes it in its place.
func ServeBy(ctx context.Context, command []string, flags ...string) (*Server, error) {
	free, err := FreePort()
	if err != nil {
		return nil, err
	}
	port := strconv.Itoa(free)
	args := append(command[1:len(command):len(command)], "serve", "--bind", "127.0.0.1", "--port",
		port, "--json-logs")
	p, err := Start(ctx, command[0], append(args, flags...)...)
	if err != nil {
		return nil, err
	}
	text, err := p.Line()
	if err != nil {
		return nil, err
	}
	var line struct{ Msg, Page string }
	if err := json.Unmarshal(text, &line); err != nil || line.Msg != "Listening incoming connections" {
		defer p.Stop()
		return nil, fmt.Errorf("the first line of hexarena serve is %s", text)
	}
	s := &Server{
		Process: p, Addr: net.JoinHostPort("127.0.0.1", port), errors: map[string]int{},
		Page: line.Page, Live: "ws" + strings.TrimPrefix(line.Page, "http") + "api/live",
	}
	p.Watch(s.note)
	return s, nil
}

// note notes a line of the log.
func (s *Server) note(text []byte) {
	s.last = string(text)
	var line struct{ Level, Msg, Error string }
	if json.Unmarshal(text, &line) == nil && line.Level == "error" {
		s.errors[line.Msg+": "+line.Error]++
	}
}

// quitTime is the time that the server may take to quit.
const quitTime = 5 * time.Second

// Quit makes the server quit. early says that it had ended before. The error says how the
// server failed, or what errors it has logged.
func (s *Server) Quit() (early bool, err error) {
	select {
	case <-s.Down():
		early, err = true, fmt.Errorf("hexarena serve ended: %s", s.last)
	default:
		_ = s.Tell("quit")
	}
	kill := time.AfterFunc(quitTime, s.Interrupt)
	defer kill.Stop()
	err = errors.Join(err, s.Wait())
	for text, times := range s.errors {
		err = errors.Join(err, fmt.Errorf("hexarena serve logged %d times: %s", times, text))
	}
	return early, err
}
