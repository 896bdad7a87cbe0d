package site

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/hexarena/hexarena/server/contest/rating"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/cup/standings"
	"github.com/hexarena/hexarena/server/web"
)

// How much a scoreboard that is watched may cost. A cup without viewers costs nothing.
const (
	// a person does not read faster, and each update costs all viewers a download
	interval = time.Second
	// pause is the least factor between the time to the next update and that of the last one, so that
	// updates take at most 2 % of one core, however many bots there are.
	pause = 49
	// liveResamples are those of a cup that goes on: ends of intervals then vary by 4 % of their
	// width from one update to the next, less than by the matches in between.
	liveResamples = 250
	// maxSeen is the number of matches that can be seen are remembered, the last ones: some megabytes.
	maxSeen = 10_000
	// maxListed is the number of them that that are listed at a time.
	maxListed = 100
	// rateSamples is over how many updates the rate is measured: a quarter of a minute.
	rateSamples = 16
)

// Live is the scoreboard of a cup in a folder, which may be played meanwhile. It implements
// web.Cup. It starts no goroutine: the first of several requests reads what was added.
type Live struct {
	cup  *archive.Cup
	life context.Context // ends reading

	mu       sync.Mutex // guards the fields below
	follower *archive.Follower
	sums     *standings.Standings
	resumed  bool    // seen has those of the rows before the checkpoint
	seen     []Match // that can be seen, the first one first
	samples  []sample
	finished bool
	shown    *web.Document // nil: it was not asked for yet
	final    bool          // its intervals have as many samples as they will ever have
	due      time.Time     // not read again before
}

// sample is the number of matches at a time.
type sample struct {
	at      time.Time
	matches int
}

// OpenLive returns the scoreboard of a cup. ctx ends its work.
func OpenLive(ctx context.Context, c *archive.Cup) *Live {
	l := &Live{cup: c, life: ctx}
	l.reset()
	return l
}

// reset forgets all that was read.
func (l *Live) reset() {
	l.sums, l.follower = l.cup.Resume()
	l.seen, l.samples, l.shown, l.resumed = nil, nil, nil, false
}

// Finish says that the cup is over, also if its plan has no limit that tells so.
func (l *Live) Finish() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.finished, l.final, l.due = true, false, time.Time{}
}

// Scoreboard implements web.Cup.
func (l *Live) Scoreboard() (*web.Document, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	begun := time.Now()
	if l.shown != nil && begun.Before(l.due) {
		return l.shown, nil
	}
	added, err := l.read()
	if err != nil {
		l.reset()
		return nil, err
	}
	if l.shown == nil || added || !l.final {
		l.update(begun, added && l.shown != nil && !l.finished)
	}
	l.due = begun.Add(max(interval, pause*time.Since(begun)))
	return l.shown, nil
}

// resume finds the matches that can be seen of those before the checkpoint.
func (l *Live) resume() error {
	if l.resumed {
		return nil
	}
	files, err := l.cup.Recordings()
	if err != nil {
		return err
	}
	least := 0
	if excess := len(files) - maxSeen; excess > 0 {
		least = slices.Sorted(maps.Keys(files))[excess]
	}
	end, _ := l.follower.Offsets()
	wanted := func(k int) bool { return k >= least && files[k] != "" }
	if err := l.cup.Pick(end, wanted, l.see); err != nil {
		return err
	}
	l.resumed = true
	return nil
}

// see notes a match that can be seen.
func (l *Live) see(row *results.Row) error {
	l.seen = append(l.seen, Match{row, fmt.Sprintf("/?recording=%d%s", row.K, archive.Extension)})
	return l.life.Err()
}

// read reads the rows that were added. It reports whether there are any.
func (l *Live) read() (added bool, err error) {
	if err := l.resume(); err != nil {
		return false, err
	}
	before := l.sums.Matches()
	err = l.follower.AddTo(l.sums, func(row *results.Row) error {
		if _, err := os.Stat(l.cup.Recording(row.K)); err == nil {
			return l.see(row)
		}
		return l.life.Err()
	})
	if excess := len(l.seen) - maxSeen; excess > 0 {
		l.seen = slices.Delete(l.seen, 0, excess)
	}
	return l.sums.Matches() > before, err
}

// update computes the scoreboard again.
func (l *Live) update(now time.Time, goesOn bool) {
	resamples := rating.TableResamples
	if goesOn || l.shown == nil {
		l.samples = append(l.samples, sample{now, l.sums.Matches()})
		l.samples = l.samples[max(0, len(l.samples)-rateSamples):]
	}
	if goesOn {
		resamples = liveResamples
	}
	s := NewScoreboard(l.cup, l.sums.Table(resamples), l.seen)
	if goesOn && s.Over { // the rows that were added are the last ones
		goesOn = false
		s = NewScoreboard(l.cup, l.sums.Table(rating.TableResamples), l.seen)
	}
	if s.Over = s.Over || l.finished; !s.Over {
		s.Rate = l.rate()
	}
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // no field can fail
	}
	l.shown, l.final = web.NewDocument(text), !goesOn
}

// rate returns how many matches were added a second of late, 0 if that cannot be said.
func (l *Live) rate() float64 {
	if len(l.samples) < 2 {
		return 0
	}
	first, last := l.samples[0], l.samples[len(l.samples)-1]
	return math.Round(100*float64(last.matches-first.matches)/last.at.Sub(first.at).Seconds()) / 100
}

// Matches implements web.Cup.
func (l *Live) Matches(bot, against string) ([]byte, error) {
	if _, err := l.Scoreboard(); err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	list := []Match{}
	for _, m := range slices.Backward(l.seen) {
		if len(list) < maxListed && slices.Contains(m.Bots, bot) && slices.Contains(m.Bots, against) {
			list = append(list, m)
		}
	}
	return json.Marshal(list)
}
