package harness

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
)

// Build builds hexarena as the given file. A file named hexarena.exe runs on every system.
func Build(ctx context.Context, file string) error {
	text, err := exec.CommandContext(ctx, "go", "build", "-o", file, "github.com/hexarena/hexarena/cmd/hexarena").CombinedOutput()
	if err != nil {
		return fmt.Errorf("go build: %w: %s", err, text)
	}
	return nil
}

// Workspace makes a temporary folder, which remove deletes, and returns the hexarena to
// run: the given one, or, if that is empty, one that it builds in the folder.
func Workspace(ctx context.Context, name, given string) (dir, hexarena string, remove func(), err error) {
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

// NewMap has hexarena write a map for the given number of players, with one character
// each, and returns its path.
func NewMap(ctx context.Context, hexarena, dir string, players int) (path string, err error) {
	path = filepath.Join(dir, "board.json")
	cmd := exec.CommandContext(ctx, hexarena, "maps", "new", "--players", strconv.Itoa(players), "--characters", "1", "-o", path)
	if text, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("hexarena maps new: %w: %s", err, text)
	}
	return path, nil
}

// Server is a running hexarena serve that accepts players.
type Server struct {
	*Process
	Addr string // host and port of the bots
	Page string // URL of the page, which ends with a slash; empty if there is none
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
	args := slices.Concat(command[1:], []string{"serve", "--bind", "127.0.0.1", "--port", port, "--json-logs"}, flags)
	p, err := Start(ctx, command[0], args...)
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
	return &Server{p, net.JoinHostPort("127.0.0.1", port), line.Page}, nil
}
