package origin

import (
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
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
		os.Setenv("GORACE", "atexit_sleep_ms=0") // otherwise each child lives for another second under the race detector
		os.Exit(m.Run())
	case "connect":
		connect()
	case "finder":
		finder()
	case "start", "abandon": // start a child with the remaining task
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), taskVar+"="+rest)
		cmd.Stdin = os.Stdin
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := cmd.Start(); err != nil {
			panic(err)
		}
		if task == "start" {
			_ = cmd.Wait()
		}
	case "bare":
		os.Setenv(taskVar, rest)
		os.Unsetenv("MARK")
		if err := syscall.Exec(os.Args[0], os.Args[:1], os.Environ()); err != nil {
			panic(err)
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
func begin(t *testing.T, l net.Listener, task, mark string) (root Root, peer netip.AddrPort) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), taskVar+"="+task, addrVar+"="+l.Addr().String(), mark)
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
	return Root{cmd.Process.Pid, mark}, conn.RemoteAddr().(*net.TCPAddr).AddrPort()
}

func TestFind(t *testing.T) {
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
		first, firstPeer := begin(t, l, "connect", "MARK=first")
		second, secondPeer := begin(t, l, "start start connect", "MARK=second")
		orphan, orphanPeer := begin(t, l, "abandon connect", "MARK=orphan")
		bare, barePeer := begin(t, l, "abandon bare connect", "MARK=bare")
		own, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer own.Close()
		roots := []Root{first, second, orphan, bare}
		for _, tt := range []struct {
			what string
			peer netip.AddrPort
			want Finding
		}{
			{"a process", firstPeer, Finding{0, true}},
			{"its grandchild", secondPeer, Finding{1, true}},
			{"a child whose parent has ended", orphanPeer, Finding{2, false}},
			{"the same with another environment", barePeer, Unknown},
			{"the test itself", own.LocalAddr().(*net.TCPAddr).AddrPort(), Unknown},
			{"another machine", netip.MustParseAddrPort("192.0.2.1:4000"), Unknown},
		} {
			if got, err := Find(tt.peer, port, roots); got != tt.want || err != nil {
				t.Errorf("%s: %s: %+v, %v, want %+v", network, tt.what, got, err, tt.want)
			}
		}
		if got, err := Find(firstPeer, port+1, roots); got != Unknown || err != nil {
			t.Errorf("another port: %+v, %v, want nothing", got, err)
		}
		if got, err := Find(firstPeer, port, nil); got != Unknown || err != nil {
			t.Errorf("without roots: %+v, %v, want nothing", got, err)
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
	got, err := Find(peer, uint16(port), []Root{{PID: os.Getpid()}})
	if want := (Finding{0, true}); got != want || err != nil || !Supported(uint16(port)) {
		t.Errorf("Find(%v) = %+v, %v, want %+v", peer, got, err, want)
	}
}

func TestMarked(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	root, _ := begin(t, l, "connect", "MARK=only")
	if got := Marked("MARK=only"); len(got) != 1 || got[0] != root.PID {
		t.Errorf("Marked = %v, want %d", got, root.PID)
	}
	if got := Marked("MARK=onl"); len(got) != 0 {
		t.Errorf("Marked with half an entry = %v, want none", got)
	}
}
