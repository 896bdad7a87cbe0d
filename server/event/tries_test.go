package event

import (
	"fmt"
	"testing"
	"time"
)

// Wrong codes are refused after as many as a class may mistype, from one address and from all, and right ones with them, so that
// a code cannot be found by trying. Allowances come back, and what is kept is bounded.
func TestTries(t *testing.T) {
	var s tries
	now := time.Unix(1e9, 0)
	for n := range triesPerAddress {
		if wait := s.try("class", false, now); wait != 0 {
			t.Fatalf("wrong code %d has to wait %v", n+1, wait)
		}
	}
	if s.try("class", false, now) == 0 || s.try("class", true, now) == 0 {
		t.Error("an address sends codes without end")
	}
	if wait := s.try("other", true, now); wait != 0 {
		t.Errorf("another address has to wait %v", wait)
	}
	now = now.Add(addressRest)
	if s.try("class", true, now) != 0 || s.try("class", false, now) != 0 || s.try("class", false, now) == 0 {
		t.Error("the allowance does not come back")
	}
	sent := 0
	for day := now.Add(10 * time.Hour); now.Before(day); now = now.Add(time.Second) {
		for range 3 {
			if s.try(fmt.Sprint("address ", sent), false, now) == 0 {
				sent++
			}
		}
		if len(s.addresses) > 2*triesInAll {
			t.Fatalf("%d addresses are kept", len(s.addresses))
		}
	}
	if sent > codeDigits/100 {
		t.Errorf("%d wrong codes are sent in ten hours, which find one of %d too often", sent, codeDigits)
	}
	s.reset()
	if s.try("class", false, now) != 0 {
		t.Error("a new code does not begin with new tries")
	}
}
