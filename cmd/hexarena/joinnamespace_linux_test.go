package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/servertest"
)

// init makes the test's binary the other side of a gateway, "hexarena join-test-namespace SOCKET
// WORDS…": in a network of its own, which has nothing but a loopback interface, it forwards port
// 8080 to a Unix socket and runs a command.
func init() {
	if len(os.Args) > 3 && os.Args[1] == "join-test-namespace" {
		os.Exit(behindGateway(os.Args[2], os.Args[3:]))
	}
}

func behindGateway(socket string, words []string) int {
	err := raiseLoopback()
	var l net.Listener
	if err == nil {
		l, err = net.Listen("tcp", "127.0.0.1:8080")
	}
	if err != nil {
		fmt.Println(err)
		return 1
	}
	go forward(l, socket)
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	// a bot with a token comes back for hours
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	runtime.LockOSThread() // whose death sends the signal
	if err := cmd.Run(); err != nil {
		fmt.Println(err)
	}
	return cmd.ProcessState.ExitCode()
}

// raiseLoopback switches the loopback interface of a new network on.
func raiseLoopback() error {
	s, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(s)
	loopback, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	loopback.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(s, unix.SIOCSIFFLAGS, loopback)
}

// From another network, behind a gateway that hides addresses and passes only HTTP, a bot that
// knows nothing but 127.0.0.1:4242 and netorcai's protocol plays a whole match.
func TestJoinFromAnotherNetwork(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	p := startPage(t, "--turns=100", "--matches=2")
	file, _ := oldBot(t)
	join := joinThroughGateway(t, httpGateway(t, p.addr), "", file)
	said := strings.Join(join.readRest(), "\n")
	if strings.Count(said, "| played 99 turns: Game is finished") != 2 ||
		!noneMissed.MatchString(said) {
		t.Error(said)
	}
	join.expectExit(0)
}

// Unmodified bots of teams play the rounds of an event from another network, behind a gateway that
// hides addresses and passes only HTTP.
func TestEventFromAnotherNetwork(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	e := startEvent(t, filepath.Join(t.TempDir(), "event"), "--rounds", "ready")
	socket := httpGateway(t, e.addr)
	file, _ := oldBot(t)
	for _, token := range e.signUp("Ann", "Bob") {
		joinThroughGateway(t, socket, "#token="+token, file)
	}
	e.awaitRows(2)
	text, err := os.ReadFile(filepath.Join(e.dir, "log.ndjson"))
	if err != nil || strings.Count(string(text), "Ann") < 2 || strings.Count(string(text), "Bob") < 2 {
		t.Errorf("the log has %v\n%s", err, text)
	}
	e.quit()
}

// httpGateway passes HTTP on from a Unix socket, whose name it returns, to an address.
func httpGateway(t *testing.T, addr string) (socket string) {
	t.Helper()
	socket = filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	forward := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: addr})
	forward.ErrorLog = log.New(io.Discard, "", 0) // the server ends before the clients do
	proxy := &http.Server{Handler: forward}
	go proxy.Serve(l)
	t.Cleanup(func() { proxy.Close() })
	return socket
}

// joinThroughGateway joins with a bot from a network that has nothing but a gateway.
func joinThroughGateway(t *testing.T, socket, token, file string) *process {
	t.Helper()
	self := command(t).Path
	cmd := command(t, "join-test-namespace", socket, self, "join", "http://127.0.0.1:8080/"+token,
		"python3 "+file)
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	if os.Getuid() == 0 { // needs no other users, which some systems forbid
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}
	}
	if !canClone(cmd.SysProcAttr) { // through the gateway all the same, from this network
		cmd = command(t, "join", "http://"+gatewayPort(t, socket)+"/"+token, "python3 "+file+" {port}")
	}
	return start(t, cmd)
}

// canClone reports whether processes may be started so.
func canClone(attributes *syscall.SysProcAttr) bool {
	cmd := exec.Command("true")
	cmd.SysProcAttr = attributes
	return cmd.Run() == nil
}

// gatewayPort forwards a port to a Unix socket, and returns its address.
func gatewayPort(t *testing.T, socket string) string {
	l := servertest.Listen(t)
	go forward(l, socket)
	return l.Addr().String()
}

// forward passes the connections of a listener on to a Unix socket.
func forward(l net.Listener, socket string) {
	for {
		near, err := l.Accept()
		if err != nil {
			return
		}
		far, err := net.Dial("unix", socket)
		if err != nil {
			_ = near.Close()
			continue
		}
		go pass(near, far)
		go pass(far, near)
	}
}
