package launch

import (
	"net"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/servertest"
)

func init() {
	detach = func(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
}

// A process that has moved to another session, and whose parent has ended, is killed when
// the child ends.
func TestDaemonsDie(t *testing.T) {
	thorough.Long(t)
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

// Nothing of a daemon is left when this program is killed, either.
func TestOwnerOfADaemonKilled(t *testing.T) {
	l := servertest.Listen(t)
	owner := exec.Command(os.Args[0])
	owner.Env = append(os.Environ(), childVar+"=owner master", addrVar+"="+l.Addr().String())
	if err := owner.Start(); err != nil {
		t.Fatal(err)
	}
	// the owner, its child and the daemon
	family := []net.Conn{answer(t, l), answer(t, l), answer(t, l)}
	_ = owner.Process.Kill()
	_ = owner.Wait()
	for _, conn := range family {
		expectGone(t, conn)
	}
}
