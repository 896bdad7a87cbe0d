package origin

import (
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/servertest"
)

// The test binary is also the program whose connections are to be found. These variables
// contain its task and the address to connect to.
const (
	taskVar = "ORIGIN_TEST_TASK"
	addrVar = "ORIGIN_TEST_ADDR"
)

func TestMain(m *testing.M) {
	switch task, rest, _ := strings.Cut(os.Getenv(taskVar), " "); task {
	case "":
		// otherwise each child lives for another second under the race detector
		os.Setenv("GORACE", "atexit_sleep_ms=0")
		os.Exit(m.Run())
	case "connect":
		connect()
	case "finder":
		finder()
	case "start", "abandon", "adopt": // start a child with the remaining task
		if task == "adopt" { // and become the parent of its orphans
			if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
				panic(err)
			}
		}
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), taskVar+"="+rest)
		cmd.Stdin = os.Stdin
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := cmd.Start(); err != nil {
			panic(err)
		}
		if task != "abandon" {
			_ = cmd.Wait()
			_, _ = io.Copy(io.Discard, os.Stdin)
		}
	}
	os.Exit(0)
}

// connect keeps a connection open until the end of the test closes the standard input.
func connect() {
	conn, err := net.Dial("tcp", os.Getenv(addrVar))
	if err != nil {
		panic(err)
	}
	defer conn.Close()
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// begin starts a process with a task, and returns it and the address of its connection.
func begin(t *testing.T, l net.Listener, task string) (root int, peer netip.AddrPort) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), taskVar+"="+task, addrVar+"="+l.Addr().String())
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = stdin.Close()
		_ = cmd.Wait()
	})
	conn, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if strings.HasPrefix(task, "abandon") { // the connection may come while the process still exists
		_, _ = cmd.Process.Wait()
	}
	return cmd.Process.Pid, conn.RemoteAddr().(*net.TCPAddr).AddrPort()
}

func TestFind(t *testing.T) {
	thorough.Long(t)
	for _, network := range []string{"127.0.0.1:0", "[::1]:0"} {
		l, err := net.Listen("tcp", network)
		if err != nil {
			t.Logf("%s: %v", network, err) // a machine without IPv6
			continue
		}
		defer l.Close()
		port := l.Addr().(*net.TCPAddr).AddrPort().Port()
		if !Supported(port) {
			t.Fatalf("%s: not supported", network)
		}
		first, firstPeer := begin(t, l, "connect")
		second, secondPeer := begin(t, l, "start start connect")
		adopted, adoptedPeer := begin(t, l, "adopt abandon connect")
		orphan, orphanPeer := begin(t, l, "abandon connect")
		own, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer own.Close()
		roots := []int{first, second, adopted, orphan}
		for _, tt := range []struct {
			what string
			peer netip.AddrPort
			want int
		}{
			{"a process", firstPeer, 0},
			{"its grandchild", secondPeer, 1},
			{"an orphan whose parent it has become", adoptedPeer, 2},
			{"an orphan of a process that has ended", orphanPeer, Unknown},
			{"the test itself", own.LocalAddr().(*net.TCPAddr).AddrPort(), Unknown},
			{"another machine", netip.MustParseAddrPort("192.0.2.1:4000"), Unknown},
		} {
			if got, err := Find(tt.peer, port, roots); got != tt.want || err != nil {
				t.Errorf("%s: %s: %v, %v, want %v", network, tt.what, got, err, tt.want)
			}
		}
		if got, err := Find(firstPeer, port+1, roots); got != Unknown || err != nil {
			t.Errorf("another port: %v, %v, want nothing", got, err)
		}
		if got, err := Find(firstPeer, port, nil); got != Unknown || err != nil {
			t.Errorf("without roots: %v, %v, want nothing", got, err)
		}
	}
}

// A listener for IPv6 also accepts IPv4.
func TestFindMapped(t *testing.T) {
	l, err := net.Listen("tcp", ":0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	port := l.Addr().(*net.TCPAddr).Port
	conn, err := net.Dial("tcp4", fmt.Sprint("127.0.0.1:", port))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	taken, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	peer := taken.RemoteAddr().(*net.TCPAddr).AddrPort()
	got, err := Find(peer, uint16(port), []int{os.Getpid()})
	if want := 0; got != want || err != nil || !Supported(uint16(port)) {
		t.Errorf("Find(%v) = %v, %v, want %v", peer, got, err, want)
	}
}

func TestChildren(t *testing.T) {
	l := servertest.Listen(t)
	pid, _ := begin(t, l, "start connect")
	if got := Children(os.Getpid()); !slices.Contains(got, pid) {
		t.Errorf("Children = %v, want %d among them", got, pid)
	}
	if got := Children(pid); len(got) != 1 || got[0] == pid {
		t.Errorf("Children of %d = %v, want one", pid, got)
	}
}
