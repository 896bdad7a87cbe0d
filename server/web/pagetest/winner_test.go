//go:build browser

package pagetest

import (
	"testing"

	"github.com/hexarena/hexarena/maps"
)

// On a projector the board is below the card of the winner.
func TestWinnerBesideTheBoard(t *testing.T) {
	t.Parallel()
	s := newShow(t, maps.Default, 12)
	s.join(seats...)
	s.finish()
	b := open(t, s.recordingURL("#t=12"), size(1920, 1080), prefers("dark"))
	await(b, "turn on the board", boardTurn, 12)
	b.press("p")
	await(b, "the card", `document.querySelector(".projector .winner") !== null`, true)
	await(b, "where the card overlaps the board or the corners", `(() => {
		const card = document.querySelector(".winner").getBoundingClientRect();
		const canvas = document.querySelector('[role="img"][aria-label^="Board"] canvas');
		const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
		copy.drawImage(canvas, 0, 0);
		const drawn = copy.getImageData(0, 0, canvas.width, Math.round(card.bottom * canvas.height / canvas.clientHeight)).data.some((v, i) => i % 4 === 3 && v > 200);
		const corners = [...document.querySelectorAll(".corner > *")].map((e) => e.getBoundingClientRect());
		return [drawn && "board", corners.some((e) => e.width > 1 && e.right > card.left && e.left < card.right) && "corner"].filter(Boolean).join(", ");
	})()`, "")
	b.shoot("winner on a projector")
}
