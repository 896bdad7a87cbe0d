package proc

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os/exec"
	"slices"
	"strconv"
)

// Build builds hexarena. A file named hexarena.exe runs on every system.
func Build(ctx context.Context, file string) error {
	text, err := exec.CommandContext(ctx, "go", "build", "-o", file, "github.com/hexarena/hexarena/cmd/hexarena").CombinedOutput()
	if err != nil {
		return fmt.Errorf("go build: %w: %s", err, text)
	}
	return nil
}

// Server is a hexarena serve that waits for its players.
type Server struct {
	*Process
	Addr string
	Page string // its URL, which ends with a slash; empty for none
}

// Serve starts a server with more flags on a free port of the loopback interface.
func Serve(ctx context.Context, hexarena string, flags ...string) (*Server, error) {
	return ServeBy(ctx, []string{hexarena}, flags...)
}

// ServeBy is Serve by a command that ends with hexarena, and that becomes it.
func ServeBy(ctx context.Context, command []string, flags ...string) (*Server, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
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
		return nil, fmt.Errorf("hexarena serve says %s", text)
	}
	return &Server{p, net.JoinHostPort("127.0.0.1", port), line.Page}, nil
}

// freePort is a port of the loopback interface that was free a moment ago.
func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port), nil
}
