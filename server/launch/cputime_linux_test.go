package launch

import (
	"os"
	"os/exec"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// spinTime is the processor time that a child, and a child of it, use.
const spinTime = 80 * time.Millisecond

func init() {
	spins = func(who string) {
		if who == "parent" {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), childVar+"=spins child")
			_ = cmd.Run()
		}
		for used := (unix.Rusage{}); time.Duration(used.Utime.Nano()+used.Stime.Nano()) < spinTime; {
			if err := unix.Getrusage(unix.RUSAGE_SELF, &used); err != nil {
				panic(err)
			}
		}
		if who == "child" {
			os.Exit(0)
		}
	}
}

// The processor time of a child has that of its own children, while it runs and when it was killed.
func TestCPU(t *testing.T) {
	thorough.Long(t)
	spun := make(chan struct{})
	p, err := Start(Command{
		Argv: []string{os.Args[0]}, Env: []string{childVar + "=spins parent", "GORACE=atexit_sleep_ms=0"},
		Line: func(string) { close(spun) },
	})
	if err != nil {
		t.Fatal(err)
	}
	<-spun
	const least = 2*spinTime - 2*tick // times of children are in ticks
	running := p.CPU()
	p.Stop(0)
	if ended := p.CPU(); running < least || ended < least || ended < running-2*tick {
		t.Errorf("it has used %v while it ran and %v in all, want %v or more", running, ended, least)
	}
}
