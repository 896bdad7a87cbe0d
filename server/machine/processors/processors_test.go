package processors

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// scheduler is a follower with a fake of Go's scheduler, on a machine of eight processors.
type scheduler struct {
	follower
	uses []int
}

func newScheduler() *scheduler {
	s := &scheduler{uses: []int{8}}
	s.now = func() int { return s.uses[len(s.uses)-1] }
	s.set = func(n int) { s.uses = append(s.uses, n) }
	s.reset = func() { s.uses = append(s.uses, 8) }
	return s
}

func (s *scheduler) want(t *testing.T, uses ...int) {
	t.Helper()
	synctest.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Equal(s.uses, uses) {
		t.Errorf("used %v processors, want %v", s.uses, uses)
	}
}

func TestFollow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScheduler()
		s.follow()
		s.add(1) // a match
		s.want(t, 8)
		time.Sleep(window + 1)
		s.want(t, 8, 1)

		s.add(2) // two bots
		s.want(t, 8, 1, 3)
		s.add(-2)
		time.Sleep(window + 1) // in which there were three
		s.want(t, 8, 1, 3)
		if n := s.most(); n != 8 {
			t.Errorf("%d processors are allowed, want 8", n)
		}
		time.Sleep(window + 1)
		s.want(t, 8, 1, 3, 1)

		for range 100 { // matches that follow each other
			s.add(-1)
			s.add(1)
			time.Sleep(window / 30)
		}
		s.want(t, 8, 1, 3, 1)

		s.add(20) // viewers
		s.want(t, 8, 1, 3, 1, 8)
		s.add(-21)
		time.Sleep(2*window + 2)
		s.want(t, 8, 1, 3, 1, 8)
	})
}

// After its last match a process may use all processors again.
func TestFollowToTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScheduler()
		s.follow()
		s.add(1)
		time.Sleep(window + 1)
		s.add(-1)
		time.Sleep(2*window + 2)
		s.want(t, 8, 1, 8)
		if s.window != nil {
			t.Error("a window has begun without work")
		}
	})
}

// A process that does not follow its work uses what it did.
func TestNotFollowing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScheduler()
		s.add(1)
		time.Sleep(2*window + 2)
		s.want(t, 8)
		s.follow() // in the middle of work
		time.Sleep(window + 1)
		s.want(t, 8, 1)
	})
}
