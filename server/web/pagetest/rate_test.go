//go:build browser

package pagetest

import (
	"slices"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/server/match"
)

// gaps are the times from frame to frame over some seconds, in milliseconds.
const gaps = `new Promise((done) => {
	const list = [];
	let last = performance.now();
	const begun = last;
	requestAnimationFrame(function frame(now) {
		list.push(now - last);
		last = now;
		if (now - begun < 4000) requestAnimationFrame(frame);
		else done(list.slice(1));
	});
})`

// The rate is told and not judged: it is the machine's as much as the page's.
func TestFrameRate(t *testing.T) {
	name, size := largestMap(t)
	s := newShow(t, name, 10_000)
	b := open(t, s.page.URL())
	s.join(seats...)
	s.run()
	s.server.Match().SetPace(func(match.Settings) match.Pace { return match.Fast(0, interval) })
	await(b, "the match runs", boardTurn+" > 20", true)
	_, first := s.feed.Status()
	list := value[[]float64](b, gaps, chromedp.EvalAwaitPromise)
	_, last := s.feed.Status()
	b.shoot("largest map")
	var total float64
	for _, gap := range list {
		total += gap
	}
	slices.Sort(list)
	t.Logf("map %s, %d cells, %d turns in %.1f s: %.0f frames/s in the mean, %.0f in the median, the slowest frames %.0f and %.0f ms",
		name, size, last-first, total/1000, 1000*float64(len(list))/total, 1000/list[len(list)/2], list[len(list)-1], list[len(list)-2])
}

func largestMap(t *testing.T) (name string, size int) {
	t.Helper()
	for _, info := range maps.List() {
		if info.Cells > size {
			name, size = info.Name, info.Cells
		}
	}
	return name, size
}
