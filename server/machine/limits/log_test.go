package limits

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/servertest"
)

const kicking = "Kicking client"

// A flood from one address is limited, counted and reported; other addresses are not
// affected.
func TestFloodOfOneAddress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var written servertest.Log
		root := zerolog.New(&written)
		l := NewLog(root)
		defer l.Close()
		flood, other := l.About(root, "10.0.0.1:1"), l.About(root, "10.0.0.2:1")
		for range 3000 {
			flood.Warn().Msg(kicking)
			time.Sleep(time.Millisecond)
		}
		other.Warn().Msg(kicking)
		if n := len(written.About("10.0.0.1:1")); n != addressBurst+3*addressRate-1 &&
			n != addressBurst+3*addressRate {
			t.Errorf("%d lines in 3 s, want %d and %d a second", n, addressBurst, addressRate)
		}
		if n := len(written.About("10.0.0.2:1")); n != 1 {
			t.Errorf("%d lines of another address, want 1", n)
		}
		time.Sleep(reportInterval)
		reported := written.About(suppressed)
		if len(reported) != 1 || !strings.Contains(reported[0], `"address":"10.0.0.1","kind":"Kicking client","lines":28`) || !strings.Contains(reported[0], `"in":"10s"`) {
			t.Errorf("reported: %q", reported)
		}
		time.Sleep(10 * reportInterval)
		if reported := written.About(suppressed); len(reported) != 1 {
			t.Errorf("reported again: %q", reported)
		}
	})
}

// Lines of different kinds are counted separately; lines of a disabled level are not
// counted.
func TestKindsAreCountedApart(t *testing.T) {
	var written servertest.Log
	root := zerolog.New(&written).Level(zerolog.InfoLevel)
	l := NewLog(root)
	defer l.Close()
	log := l.About(root, "10.0.0.1:1")
	for range addressBurst {
		log.Debug().Msg("b")
		log.Info().Msg("a")
	}
	log.Info().Msg("b")
	if got := len(written.About("")); got != addressBurst+1 {
		t.Errorf("%d lines, want %d", got, addressBurst+1)
	}
}

// The log, the number of buckets and the report are limited for any number of addresses.
func TestFloodOfManyAddresses(t *testing.T) {
	thorough.Long(t)
	synctest.Test(t, func(t *testing.T) {
		var written servertest.Log
		l := NewLog(zerolog.New(&written))
		allowed := 0
		for i := range 50_000 {
			if l.Allow(fmt.Sprintf("10.%d.%d.%d:1", i>>16, i>>8&255, i&255), kicking) {
				allowed++
			}
		}
		if allowed > kindBurst {
			t.Errorf("%d lines at once, want at most %d", allowed, kindBurst)
		}
		if len(l.buckets) > maxBuckets+1 {
			t.Errorf("%d buckets, want at most %d", len(l.buckets), maxBuckets)
		}
		time.Sleep(2 * time.Second)
		l.Close()
		sum := 0
		for _, line := range written.About(suppressed) {
			at := strings.Index(line, `"lines":`)
			n := 0
			if _, err := fmt.Sscanf(line[at:], `"lines":%d`, &n); err != nil {
				t.Fatal(err)
			}
			sum += n
		}
		if reported := written.About(suppressed); len(reported) > maxReported+1 || sum != 50_000-allowed {
			t.Errorf("%d lines report %d suppressed ones, want %d", len(reported), sum, 50_000-allowed)
		}
		time.Sleep(time.Hour)
		for i := range 50_000 { // idle buckets make room
			l.Allow(fmt.Sprintf("10.%d.%d.%d:1", 100+i>>16, i>>8&255, i&255), kicking)
		}
		if _, ok := l.buckets[key{"10.0.0.1", kicking}]; ok {
			t.Error("an idle address is still kept")
		}
	})
}

func TestClip(t *testing.T) {
	l := NewLog(zerolog.Nop())
	for _, tt := range []struct{ text, want string }{
		{"short", "short"},
		{strings.Repeat("x", MaxText), strings.Repeat("x", MaxText)},
		{strings.Repeat("x", MaxText+1), strings.Repeat("x", MaxText) + "…"},
		{strings.Repeat("x", MaxText-1) + "ü", strings.Repeat("x", MaxText-1) + "…"},
	} {
		if got := l.Clip(tt.text); got != tt.want {
			t.Errorf("Clip(%d bytes) = %q, want %q", len(tt.text), got, tt.want)
		}
	}
}

// Under the name netorcai there is no Log.
func TestNoLimiter(t *testing.T) {
	var written servertest.Log
	var l *Log
	defer l.Close()
	log := l.About(zerolog.New(&written), "10.0.0.1:1")
	for range 10 * addressBurst {
		log.Info().Msg(l.Clip(strings.Repeat("x", 4096)))
	}
	if n := len(written.About(strings.Repeat("x", 4096))); n != 10*addressBurst {
		t.Errorf("%d lines, want all", n)
	}
}
