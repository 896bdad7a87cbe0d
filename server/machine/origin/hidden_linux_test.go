package origin

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// finder listens, and for each process id that it reads prints what it finds about the next
// connection.
func finder() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(l.Addr())
	for pids := bufio.NewScanner(os.Stdin); pids.Scan(); {
		pid, err := strconv.Atoi(pids.Text())
		if err != nil {
			panic(err)
		}
		conn, err := l.Accept()
		if err != nil {
			panic(err)
		}
		port := l.Addr().(*net.TCPAddr).AddrPort().Port()
		fmt.Println(Find(conn.RemoteAddr().(*net.TCPAddr).AddrPort(), port, []int{pid}))
	}
}

// runAs starts this binary as another user to do a task.
func runAs(
	t *testing.T, uid uint32, task, addr string,
) (pid int, stdin io.WriteCloser, lines *bufio.Scanner) {
	t.Helper()
	cmd := exec.Command("/proc/self/exe") // the user need not see the folder that it is in
	cmd.Env = append(os.Environ(), taskVar+"="+task, addrVar+"="+addr)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
	cmd.Dir, cmd.Stderr = "/", os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
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
	return cmd.Process.Pid, stdin, bufio.NewScanner(stdout)
}

// The descriptors of another user's process are hidden. Its connection is identified by its
// user, unless another process could have made it as well.
func TestFindHidden(t *testing.T) {
	thorough.Long(t)
	if os.Getuid() != 0 {
		t.Skip("only root can start processes as two other users")
	}
	const ours, theirs = 54321, 54322 // users that no machine has
	_, ask, answers := runAs(t, ours, "finder", "")
	next := func() string {
		t.Helper()
		if !answers.Scan() {
			t.Fatal("the finder has ended: ", answers.Err())
		}
		return answers.Text()
	}
	addr := next()
	for _, want := range []string{fmt.Sprint(0, error(nil)), fmt.Sprint(Unknown, error(nil))} {
		pid, _, _ := runAs(t, theirs, "connect", addr)
		fmt.Fprintln(ask, pid)
		// The second time, the first process could be the one that connects.
		if got := next(); strings.TrimSpace(got) != want {
			t.Errorf("found %s, want %s", got, want)
		}
	}
}
