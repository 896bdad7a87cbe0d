//go:build browser

package pagetest

import (
	"testing"

	"github.com/hexarena/hexarena/maps"
)

const heldBanner = `document.querySelector(".banner:not(.incomplete) p")?.innerText ?? ""`

// A page says that its match is paused, until it goes on.
func TestPaused(t *testing.T) {
	t.Parallel()
	s := newShow(t, maps.Default, 300)
	s.join(seats...)
	s.play(5)
	b := open(t, s.page.URL())
	await(b, "turn on the board", boardTurn, 5)
	go s.room.Match().Pause(true) // which the match hears when the test lets it go on
	s.run()
	await(b, "why it does not go on", `/Paused at turn \d+\./.test(`+heldBanner+`)`, true)
	b.looks("paused")
	s.room.Match().Pause(false)
	await(b, "turns that follow", boardTurn+" > 60", true)
	await(b, "no banner", heldBanner, "")
}
