package main

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/procfs"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// scriptMemory is what an event and its scripts may take, in bytes: half the memory of the smallest
// machines for rent, of which the system has the rest.
const scriptMemory = 512 << 20

// An event whose teams have all sent JavaScript plays a round in little memory, and no version
// loses a turn, although more of them compute at once than there are processors. It runs beside no
// other test, since a turn has only five seconds.
func TestEventOfScripts(t *testing.T) {
	thorough.Full(t)
	const teams, seats = 24, 4
	e := startUnisolated(t, "--rounds", "operator", "--map", "garden", "--seats", fmt.Sprint(seats),
		"--turns", "100", "--turn-timeout", "5s")
	names := make([]string, teams)
	for i := range names {
		names[i] = fmt.Sprint("Team ", i+1)
	}
	peak := peakMemory(t, e.Process.Pid)
	for _, token := range e.signUp(names...) {
		if v := e.tried(token, "my_bot.js", starterScript()); v.State != "plays" {
			t.Fatalf("a version is %+v", v)
		}
	}
	e.awaitReady(teams)
	began := time.Now()
	e.typeLines("round")
	e.awaitRows(teams / seats)
	took := time.Since(began)
	for k := range teams / seats {
		e.checkHonest(k, "a round of 24 scripts")
	}
	used := peak()
	t.Logf("a round of %d scripts: %.1f s, at most %d MiB", teams, took.Seconds(), used>>20)
	if used == 0 || used > scriptMemory {
		t.Errorf("the event and its scripts take %d bytes, want %d at most", used, scriptMemory)
	}
	e.quit()
}

// peakMemory measures the memory of a process and its descendants, until the function is called
// that it returns, which returns the most that they had in bytes.
func peakMemory(t *testing.T, pid int) (end func() (peak uint64)) {
	t.Helper()
	peak, ended := uint64(0), make(chan struct{})
	var measuring sync.WaitGroup
	measuring.Go(func() {
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		for {
			peak = max(peak, memoryBelow(pid))
			select {
			case <-tick.C:
			case <-ended:
				return
			}
		}
	})
	stop := sync.OnceFunc(func() { close(ended) })
	t.Cleanup(stop)
	return func() uint64 {
		stop()
		measuring.Wait()
		return peak
	}
}

// memoryBelow returns the memory of a process and its descendants in bytes. Pages that several of
// them share count once; processes that end meanwhile may be missing.
func memoryBelow(pid int) (total uint64) {
	all, _ := procfs.AllProcs() // none without /proc
	var family []procfs.Proc
	children := map[int][]procfs.Proc{}
	for _, p := range all {
		if stat, err := p.Stat(); err == nil {
			children[stat.PPID] = append(children[stat.PPID], p)
		}
		if p.PID == pid {
			family = append(family, p)
		}
	}
	for len(family) > 0 {
		p := family[0]
		family = append(family[1:], children[p.PID]...)
		if memory, err := p.ProcSMapsRollup(); err == nil {
			total += memory.Pss + memory.Swap
		}
	}
	return total
}
