package launch

import (
	"net"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"github.com/hexarena/hexarena/server/servertest"
)

func init() {
	detach = func(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
}

// A process that has moved to another session, and whose parent has ended, is killed when
// the child ends.
func TestDaemonsDie(t *testing.T) {
	for _, stop := range []bool{false, true} {
		l := servertest.Listen(t)
		p := start(t, "master", l)
		family := []net.Conn{answer(t, l), answer(t, l)}
		if stop {
			p.Stop(0)
		} else {
			for _, conn := range family { // of which the daemon ignores it
				if _, err := conn.Write([]byte{1}); err != nil {
					t.Fatal(err)
				}
			}
		}
		<-p.Done()
		for _, conn := range family {
			expectGone(t, conn)
		}
	}
}

func TestMarkIsInTheEnvironment(t *testing.T) {
	l := servertest.Listen(t)
	p := start(t, "stay", l)
	answer(t, l)
	if got := os.Getenv(markKey); got != "" {
		t.Errorf("the test itself has the mark %s", got)
	}
	if !killMarked(p.Mark()) {
		t.Error("the child does not have its mark")
	}
	if got := p.Exit().String(); got != "killed by SIGKILL" {
		t.Errorf("Exit() = %q, want killed by SIGKILL", got)
	}
}
