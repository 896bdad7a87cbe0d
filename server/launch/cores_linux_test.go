package launch

import (
	"os"
	"slices"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// coresOf returns the processors that all threads of a child and its descendants may use.
func coresOf(t *testing.T, p *Process) (list []int) {
	t.Helper()
	for _, pid := range family(p.group.pgid) {
		for _, thread := range threads(pid) {
			list = append(list, affinity(thread)...)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// A child has the processors that it is started with, and those that it is given later; this
// process keeps its own.
func TestCores(t *testing.T) {
	thorough.Long(t)
	ours := Cores()
	if len(ours) == 0 {
		t.Fatal("this process may use no processor")
	}
	first, last := ours[:1], ours[len(ours)-1:]
	printed := make(chan struct{})
	p, err := Start(Command{
		Argv: []string{os.Args[0]}, Env: []string{childVar + "=spins parent", "GORACE=atexit_sleep_ms=0"},
		Cores: last,
		Line:  func(string) { close(printed) },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Stop(0)
	if got := coresOf(t, p); !slices.Equal(got, last) {
		t.Errorf("the child was started on %v, want %v", got, last)
	}
	<-printed // it starts no more threads
	p.Pin(first)
	if got := coresOf(t, p); !slices.Equal(got, first) {
		t.Errorf("the child may use %v, want %v", got, first)
	}
	if got := Cores(); !slices.Equal(got, ours) {
		t.Errorf("this process may use %v, want %v as before", got, ours)
	}
	if p, err := Start(Command{Argv: []string{os.Args[0]}, Cores: []int{1 << 9}}); err == nil {
		p.Stop(0)
		t.Error("a child starts on a processor that there is not")
	}
}
