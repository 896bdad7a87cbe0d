package recording

import (
	"os"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// large is a match of the largest usual size: 631 cells, 4 × 7 characters,
// 1 000 turns.
func large() *played { return &played{board: hexagon(14, 4, 7), seed: 5, turns: 1000} }

// Recording a turn allocates nothing once the buffers have grown.
func TestRecorderAllocates(t *testing.T) {
	m := large()
	r := m.open(t)
	m.begin(t, r)
	step := 1
	for ; step < 50; step++ {
		r.Played(m.step(step))
	}
	p := m.step(step)
	if n := testing.AllocsPerRun(50, func() { r.Played(p) }); n > 0 {
		t.Errorf("a turn allocates %v times, want 0", n)
	}
	m.states = m.states[:1]
	r.spool.abandon()
}

// Successive recordings share one encoder, which takes more memory than everything else
// in a short match.
func TestRecordingsShareAnEncoder(t *testing.T) {
	thorough.Long(t)
	m := &played{board: hexagon(3, 2, 1), seed: 1, turns: 20}
	m.record(t)
	const times = 10
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range times {
		m.record(t)
	}
	runtime.ReadMemStats(&after)
	if each := (after.TotalAlloc - before.TotalAlloc) / times; each > 1<<20 {
		t.Errorf("a match of %d turns takes %d KiB, want at most 1 MiB", m.turns, each>>10)
	}
}

// Recordings that are packed at the same time do not disturb each other.
func TestRecordingsPackedAtOnce(t *testing.T) {
	thorough.Long(t)
	var recorders sync.WaitGroup
	for seed := range uint64(8) {
		recorders.Go(func() {
			m := &played{board: hexagon(3, 2, 1), seed: seed, turns: 100}
			if path := m.record(t); path == "" {
				t.Error("the recording was not written")
			} else if _, err := verifyFile(path); err != nil {
				t.Error(err)
			}
		})
	}
	recorders.Wait()
}

// BenchmarkVerify reports turns per second and the size of a recording.
func BenchmarkVerify(b *testing.B) {
	m := large()
	path := m.record(b)
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	begun := time.Now()
	n := 0
	for b.Loop() {
		if _, err := verifyFile(path); err != nil {
			b.Fatal(err)
		}
		n += m.turns
	}
	b.ReportMetric(float64(n)/time.Since(begun).Seconds(), "turns/s")
	b.ReportMetric(float64(info.Size())/1000, "kB")
}

// BenchmarkRecord measures what recording a turn costs the match.
func BenchmarkRecord(b *testing.B) {
	m := large()
	r := m.open(b)
	m.begin(b, r)
	for step := 1; step < 50; step++ {
		r.Played(m.step(step))
	}
	p := m.step(50)
	b.ReportAllocs()
	for b.Loop() {
		r.Played(p)
	}
	b.StopTimer()
	r.spool.abandon()
}
