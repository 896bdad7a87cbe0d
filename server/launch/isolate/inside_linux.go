package isolate

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Exit codes of the first process of a sandbox, as those of shells.
const (
	exitNotStarted = 126
	exitNotFound   = 127
	exitSignal     = 128 // plus the signal's number
)

// This is an init function so that it works in every program with this package, also in tests,
// before anything else is done.
func init() {
	if len(os.Args) == 3 && os.Args[1] == insideArgument {
		syscall.Exit(runInside(os.Args[2])) // at once, unlike os.Exit under the race detector
	}
}

// runInside does a task and returns the exit code. It is the first process of a sandbox, whose end
// is that of all others.
func runInside(text string) int {
	var t task
	if err := json.Unmarshal([]byte(text), &t); err != nil {
		return complain(exitNotStarted, "the sandbox's task: %v", err)
	}
	life, err := net.Dial("unix", filepath.Join(t.Sockets, lifeSocket))
	if err != nil {
		return complain(exitNotStarted, "%v", err)
	}
	if len(t.Argv) == 0 {
		return 0
	}
	go func() { // hexarena has ended, or wants the sandbox to
		_, _ = io.Copy(io.Discard, life)
		syscall.Exit(exitSignal + int(unix.SIGKILL))
	}()
	var sent sync.WaitGroup // what the bot sends
	if t.Port != 0 {
		l, err := net.Listen("tcp", net.JoinHostPort(Host, strconv.Itoa(t.Port)))
		if err != nil {
			return complain(exitNotStarted, "%v", err)
		}
		sent.Go(func() { forward(l, filepath.Join(t.Sockets, matchSocket), &sent) })
		defer func() {
			_ = l.Close()
			waitFor(&sent)
		}()
	}
	status, code := t.run()
	if code != 0 {
		return code
	}
	endRest()
	if status.Signaled() {
		note := ""
		if status.Signal() == unix.SIGKILL {
			note = ", as by the system if it used more memory than --isolate-memory allows"
		}
		return complain(exitSignal+int(status.Signal()), "the bot was ended by %s%s",
			unix.SignalName(status.Signal()), note)
	}
	return status.ExitStatus()
}

func complain(code int, format string, args ...any) int {
	fmt.Fprintf(os.Stderr, "hexarena: "+format+"\n", args...)
	return code
}

// run starts the bot and waits for it. A code other than 0 says that it was not started.
func (t *task) run() (status unix.WaitStatus, code int) {
	if t.Dir != "" {
		if err := os.Chdir(t.Dir); err != nil {
			return 0, complain(exitNotStarted, "%v", err)
		}
	}
	path, err := exec.LookPath(t.Argv[0])
	if err != nil {
		return 0, complain(exitNotFound,
			"%s has no program %s: choose an image that has it with --isolate-image", t.Image, t.Argv[0])
	}
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, unix.SIGHUP, unix.SIGINT, unix.SIGQUIT, unix.SIGTERM)
	bot, err := os.StartProcess(path, t.Argv, &os.ProcAttr{
		Files: []*os.File{os.Stdin, os.Stdout, os.Stderr}, Sys: &syscall.SysProcAttr{Setpgid: true},
	})
	if err != nil {
		return 0, complain(exitNotStarted, "%v; is it made for %s?", err, t.Image)
	}
	_ = os.Stdin.Close() // the other end is to know when the bot closes its own
	_ = os.Stdout.Close()
	go func() {
		for range asked {
			_ = unix.Kill(-bot.Pid, unix.SIGTERM)
		}
	}()
	for { // orphans are this process's as well
		if ended, err := unix.Wait4(-1, &status, 0, nil); ended == bot.Pid ||
			err != nil && err != unix.EINTR {
			return status, 0
		}
	}
}

// endRest kills all processes of the sandbox but this one.
func endRest() {
	if os.Getpid() == 1 { // else these are all processes of the system
		_ = unix.Kill(-1, unix.SIGKILL)
	}
}

// sentTime bounds how long the last messages of a bot are forwarded when it has ended.
const sentTime = time.Second

// waitFor waits until all that the bot has sent is forwarded.
func waitFor(sent *sync.WaitGroup) {
	done := make(chan struct{})
	go func() {
		sent.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(sentTime):
	}
}

// forward connects each connection of the bot with a socket.
func forward(l net.Listener, socket string, sent *sync.WaitGroup) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		match, err := net.Dial("unix", socket)
		if err != nil {
			_ = conn.Close()
			continue
		}
		sent.Go(func() { pass(match, conn) })
		go pass(conn, match)
	}
}

// pass copies what comes from one connection to another, and then closes that direction.
func pass(to, from net.Conn) {
	_, err := io.Copy(to, from)
	if half, ok := to.(interface{ CloseWrite() error }); ok && err == nil {
		_ = half.CloseWrite()
		return
	}
	_ = to.Close()
	_ = from.Close()
}
