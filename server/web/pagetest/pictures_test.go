//go:build browser && pictures

package pagetest

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/server/cup/archive"
)

var (
	pictures = flag.String("pictures", "", "folder for the pictures of the documentation")
	program  = flag.String("program", "", "a built hexarena, for the pictures")
)

// TestPictures makes the pictures of the documentation. The matches are seeded, so that pictures
// change only if the page does.
func TestPictures(t *testing.T) {
	if *pictures == "" {
		t.Fatal("-pictures names no folder")
	}
	t.Run("match", pictureMatch)
	t.Run("lobby", pictureLobby)
	t.Run("edit", pictureEdit)
	t.Run("recorded", pictureRecorded)
	t.Run("cup", pictureCup)
}

// pictureMatch photographs a turn of a match on a desktop, a projector and a phone.
func pictureMatch(t *testing.T) {
	s := newShow(t, maps.Default, 300)
	s.feed.SetAddresses([]string{"192.168.1.5:4242"})
	b := open(t, s.page.URL(), prefers("dark"))
	s.join(seats...)
	s.play(56)
	await(b, "turn on the board", boardTurn, 56)
	b.settle()
	s.play(1)
	await(b, "turn on the board", boardTurn, 57)
	b.picture("page-dark") // while bombs explode
	b.do(prefers("light"))
	await(b, "it is light", isLight, true)
	b.settle()
	b.picture("page-light")
	b.do(prefers("dark"), size(1920, 1080))
	b.press("p")
	await(b, "it looks as for a projector", `document.documentElement.classList.contains("projector")`,
		true)
	b.settle()
	b.picture("page-projector")
	b.press("p")
	b.do(phone)
	b.settle()
	b.picture("page-phone")
}

// pictureLobby photographs a lobby with free seats.
func pictureLobby(t *testing.T) {
	s := newShow(t, maps.Default, 300)
	s.feed.SetAddresses([]string{"192.168.1.5:4242"})
	s.join(seats[:3]...)
	b := open(t, s.page.URL(), prefers("dark"))
	await(b, "who is there", shows(lobby, seats[2], "1 seat free"), true)
	b.settle()
	b.picture("page-lobby")
}

// pictureEdit photographs a bot in the editor while it plays.
func pictureEdit(t *testing.T) {
	s := newShow(t, maps.Default, 300)
	b := open(t, s.page.URL()+"#edit", prefers("dark"))
	b.presses("Run")
	await(b, "status", botStatus, "waiting for the start")
	s.join(opponents...)
	s.play(60)
	await(b, "turn on the board", boardTurn, 60)
	b.settle()
	b.picture("page-edit")
}

// pictureRecorded photographs the starter in the tab My bot, and a match as an animation.
func pictureRecorded(t *testing.T) {
	s := newShow(t, maps.Default, 10)
	starter := filepath.Join(t.TempDir(), "my_bot.py")
	hexarena(t, "new", starter)
	file := played(t, s.folder, "--turns", "120", starter, "painter", "random", "painter")
	b := open(t, s.page.URL()+"?recording="+filepath.Base(file)+"#t=47", prefers("dark"))
	await(b, "turn on the board", boardTurn, 47)
	b.presses("My bot")
	await(b, "what it says", shows(myBot, "my_bot.py"), true)
	b.settle()
	b.picture("page-mybot")

	file = played(t, s.folder, "--turns", "300", "hunter", "painter", "random", "painter")
	hexarena(t, "replay", "export", file, "--format", "gif", "--size", "480", "--to", "60", "-o",
		filepath.Join(*pictures, "match.gif"))
}

// pictureCup photographs a cup with the matches of two bots.
func pictureCup(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cup")
	hexarena(t, "cup", "hunter", "painter", "random", "--count", "120", "--turns", "60", "--maps",
		"lagoon,pebble", "--seed", "7", "--keep", "all", "--out", dir)
	c := &contest{t: t, dir: dir}
	var err error
	if c.cup, err = archive.Open(dir); err != nil {
		t.Fatal(err)
	}
	c.serve()
	b := open(t, c.page.URL(), prefers("dark"))
	await(b, "it is over", cupState, "FINISHED")
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".cell a").click()`))
	await(b, "matches", shows(pairs, "match"), true)
	b.settle()
	b.picture("page-cup")
}

// hexarena runs the program.
func hexarena(t *testing.T, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), *program, args...)
	cmd.Dir = t.TempDir() // for the logs
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("hexarena %q: %v\n%s", args, err, out)
	}
}

// quality is chosen so that pictures are small without visible loss.
var quality int64 = 90

// picture writes a picture of the tab to a file of the documentation.
func (b *tab) picture(name string) {
	b.t.Helper()
	shot, err := chromedp.Call(b.ctx, page.CaptureScreenshot,
		page.CaptureScreenshotParams{Format: page.CaptureScreenshotFormatWebp, Quality: &quality})
	if err == nil {
		err = os.WriteFile(filepath.Join(*pictures, name+".webp"), shot.Data, 0o644)
	}
	if err != nil {
		b.t.Errorf("picture %s: %v", name, err)
	}
}

// played plays a match with the program and returns its recording.
func played(t *testing.T, folder string, args ...string) string {
	t.Helper()
	before := recordings(t, folder)
	hexarena(t, append([]string{"play", "--seed", "7", "--order", "seeded", "--http", "", "--record", folder}, args...)...)
	for _, file := range recordings(t, folder) {
		if !slices.Contains(before, file) {
			return file
		}
	}
	t.Fatal("no match was recorded")
	return ""
}
