package main

import (
	"fmt"
	"net"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/hexarena/hexarena/server/servertest"
)

// TestNetorcaiConversations plays the conversations of testdata/netorcai, each with a process under
// the name netorcai, and compares its output and what clients receive line by line. A line is
//
//	$ ARGUMENTS              starts the process, with --port unless that is given
//	> TEXT                   types a line
//	signal                   sends SIGTERM
//	exit CODE                waits for the end of the process
//	NAME: login NICK ROLE    connects and logs in
//	NAME: dial               connects
//	NAME: send CONTENT       sends a frame
//	NAME: get CONTENT        receives a frame
//	NAME: close              disconnects
//	# TEXT                   is a comment
//
// and any other one the next line of output, in which T stands for the time, PORT for the process's
// port and ADDRESS(NAME) for that of a client.
func TestNetorcaiConversations(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/netorcai/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			script := readText(t, file)
			g := &golden{T: t, clients: map[string]*servertest.Client{}}
			for i, line := range strings.Split(script, "\n") {
				g.where = fmt.Sprintf("%s:%d", file, i+1)
				if line != "" && line[0] != '#' {
					g.play(line)
				}
			}
		})
	}
}

// golden plays a conversation.
type golden struct {
	*testing.T
	*process
	where   string // the line that is played
	clients map[string]*servertest.Client
	names   []string // of the clients, in order of their connections
}

var clientLine = regexp.MustCompile(`^(\w+): (login|dial|send|get|close)(?: (.*))?$`)

// play plays one line.
func (g *golden) play(line string) {
	g.Helper()
	if m := clientLine.FindStringSubmatch(line); m != nil {
		g.playClient(m[1], m[2], m[3])
		return
	}
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "$":
		port := freePort(g.T)
		args := strings.Fields(rest)
		if !strings.Contains(rest, "--port") {
			args = append(args, "--port="+strconv.Itoa(port))
		}
		g.process = start(g.T, program(g.T, "netorcai", args...))
		g.process.port, g.process.addr = port, net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	case ">":
		g.typeLines(rest)
	case "signal":
		if err := g.Process.Signal(syscall.SIGTERM); err != nil {
			g.Fatal(err)
		}
	case "exit":
		code, _ := strconv.Atoi(rest)
		if more := g.readRest(); len(more) > 0 {
			g.Errorf("%s: more output: %q", g.where, more)
		}
		g.expectExit(code)
	default:
		if got := g.named(g.nextLine()); got != line {
			g.Errorf("%s: output\n%s\nwant\n%s", g.where, got, line)
		}
	}
}

// playClient does one act of a client.
func (g *golden) playClient(name, verb, rest string) {
	g.Helper()
	if verb == "login" || verb == "dial" {
		g.clients[name] = servertest.Dial(g.T, g.process.addr)
		g.names = append(g.names, name)
	}
	c := g.clients[name]
	switch verb {
	case "login":
		nick, role, _ := strings.Cut(rest, " ")
		c.SendLogin(nick, role)
	case "send":
		c.Send("%s", rest)
	case "get":
		m, err := c.Receive()
		if err != nil {
			g.Fatalf("%s: %v", g.where, err)
		}
		if got := g.named(strings.TrimSuffix(string(m.Raw), "\n")); got != rest {
			g.Errorf("%s: %s receives\n%s\nwant\n%s", g.where, name, got, rest)
		}
	case "close":
		c.Close()
	}
}

var (
	textTime = regexp.MustCompile(`^time="\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}" `)
	jsonTime = regexp.MustCompile(`"time":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)"`)
)

// named returns a line with names in place of what is different each time.
func (g *golden) named(line string) string {
	line = textTime.ReplaceAllString(line, "time=T ")
	line = jsonTime.ReplaceAllString(line, `"time":T`)
	for _, name := range slices.Backward(g.names) {
		addr := g.clients[name].LocalAddr().(*net.TCPAddr)
		line = strings.ReplaceAll(line, addr.String(), "ADDRESS("+name+")")
		line = strings.ReplaceAll(line, fmt.Sprintf(`{"IP":"127.0.0.1","Port":%d,"Zone":""}`, addr.Port),
			"ADDRESS("+name+")")
	}
	return strings.ReplaceAll(line, strconv.Itoa(g.process.port), "PORT")
}
