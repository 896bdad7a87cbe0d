//go:build browser

package pagetest

import (
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/hexarena/hexarena/maps"
)

// show makes the page of s show another match.
func (s *show) show(other *show) {
	s.page.Show(other.webMatch())
}

// An open page shows the next match automatically.
func TestFollowToTheNextMatch(t *testing.T) {
	t.Parallel()
	one := newShow(t, maps.Default, 12)
	two, three := newShowIn(t, one.folder, "pebble", 300), newShowIn(t, one.folder, maps.Default, 300)
	b := open(t, one.page.URL())
	one.join(seats...)
	one.finish()
	await(b, "turn on the board at the end of the first", boardTurn, 12)
	b.do(chromedp.Evaluate[chromedp.Void](`window.sameDocument = true`))

	one.show(two)
	await(b, "the lobby of the second", shows(lobby, "seats free", two.server.Addr().String()), true)
	await(b, "its map is drawn", drawn, true)
	two.join(seats[:2]...)
	await(b, "who is there", shows(lobby, seats[0], seats[1]), true)

	three.join(seats...)
	three.play(20)
	one.show(three)
	await(b, "turn on the board of the third", boardTurn, 20)
	await(b, "ranking of the third", ranking, three.ranking(20))
	three.play(1)
	await(b, "the turn that follows", boardTurn, 21)
	await(b, "the page was not loaded again", `window.sameDocument === true`, true)
}
