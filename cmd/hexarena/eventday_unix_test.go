//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hexarena/hexarena/bots/kits"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/contest/results"
)

// hangingKitBot answers the first turn of each match, and then none.
const hangingKitBot = `import time
import hexarena

class MyBot(hexarena.Bot):
    asked = 0

    def turn(self, state):
        self.asked += 1
        if self.asked > 1:
            time.sleep(3600)
        return []

hexarena.run(MyBot)
`

// eventDay is a day of an event, which is started several times at one port.
type eventDay struct {
	*runningEvent
	args   []string
	tokens map[string]string // by team
	ctx    context.Context
	bots   sync.WaitGroup
}

// start starts the event that is in the folder.
func (d *eventDay) start() {
	d.t.Helper()
	by := func(args ...string) *exec.Cmd { return command(d.t, args...) }
	d.runningEvent = startEventAt(d.t, d.port, by, d.dir, d.args...)
}

// honest are the teams whose bots answer all day.
var honest = []string{"Ann", "Bob", "Carl", "Kit"}

// awaitHonest waits until the bots of the honest teams are there.
func (d *eventDay) awaitHonest() {
	d.t.Helper()
	for _, name := range honest {
		d.awaitTeam(d.tokens[name], func(team map[string]any) bool { return team["ready"] == true })
	}
}

// play runs rounds until there are some more matches, and checks that there is one order
// then.
func (d *eventDay) play(matches int, want string) (places []string) {
	d.t.Helper()
	d.awaitHonest()
	d.operate("resume", map[string]any{})
	d.pauseAfter(d.rows() + matches)
	order, places := d.oneOrder()
	if order != want {
		d.t.Errorf("the order is %s, want %s", order, want)
	}
	return places
}

// stay runs a bot for a team all day, which comes back as the protocol says. The channel that
// is returned gets why it has left.
func (d *eventDay) stay(token string) (left <-chan error) {
	ended := make(chan error, 1)
	d.bots.Go(func() {
		for {
			err := d.serveOnce(token)
			kick := (*netorcai.KickError)(nil)
			if d.ctx.Err() != nil || errors.As(err, &kick) && kick.Reason != netorcai.KickAbort {
				ended <- err
				return
			}
			select {
			case <-time.After(50 * time.Millisecond): // the server is away
			case <-d.ctx.Done():
			}
		}
	})
	return ended
}

// serveOnce plays over one connection.
func (d *eventDay) serveOnce(token string) error {
	c, err := netorcai.Dial(d.ctx, d.addr,
		netorcai.Login{Nickname: "bot", Role: netorcai.RolePlayer, Token: token, Stay: true})
	if err != nil {
		return err
	}
	defer c.Close()
	return c.PlayAll(d.ctx, func(netorcai.GameStarts) (netorcai.Bot, error) {
		return gameList[0].NewBuiltin(
			"painter", 1)
	})
}

// connectAll connects a bot of each honest team, each by another way: two by clients of the test,
// one by hexarena join, one by a kit. It returns what the older one of two connections of Ann's
// team is told.
func (d *eventDay) connectAll(python, bot string) (replaced <-chan error) {
	d.t.Helper()
	replaced = d.stay(d.tokens["Ann"])
	d.stay(d.tokens["Bob"])
	start(d.t, command(d.t, "join", d.url+"/#token="+d.tokens["Carl"], python+" "+bot))
	start(
		d.t,
		exec.Command(python, bot, "127.0.0.1", strconv.Itoa(d.port), "--stay", "--token",
			d.tokens["Kit"]),
	)
	d.awaitHonest()
	return replaced
}

// sendVersions sends two versions of a team: one that plays, and one that hangs.
func (d *eventDay) sendVersions(bots string) {
	d.t.Helper()
	if out, code := d.send(d.tokens["Sent"], scriptBot(d.t, "painter.sh", sentPainter)); code != 0 {
		d.t.Fatalf("exit code %d\n%s", code, out)
	}
	hanging := filepath.Join(d.t.TempDir(), "hanging")
	if err := os.CopyFS(hanging, os.DirFS(bots)); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(hanging, kits.Of("x.py").Starters["hexabomb"]), []byte(hangingKitBot), 0o644); err != nil {
		d.t.Fatal(err)
	}
	if out, code := d.send(d.tokens["Sent"], hanging); code != 0 {
		d.t.Fatalf("exit code %d\n%s", code, out)
	}
}

// moveTo continues the event in a copy of its folder, as on another machine that has the address.
func (d *eventDay) moveTo(dir string) {
	d.t.Helper()
	if err := os.CopyFS(dir, os.DirFS(d.dir)); err != nil {
		d.t.Fatal(err)
	}
	if err := os.Rename(d.dir, d.dir+".old"); err != nil {
		d.t.Fatal(err)
	}
	d.dir = dir
}

// interrupt ends the event as Ctrl-C does.
func (d *eventDay) interrupt() {
	d.t.Helper()
	if err := d.Process.Signal(os.Interrupt); err != nil {
		d.t.Fatal(err)
	}
	d.expectExit(0)
}

// checkHonest checks in the log and in the recordings that no honest bot has lost a turn or a
// match.
func (d *eventDay) checkHonest() {
	d.t.Helper()
	log, err := os.ReadFile(filepath.Join(d.dir, "log.ndjson"))
	if err != nil {
		d.t.Fatal(err)
	}
	for line := range bytes.Lines(log) {
		row := new(results.Row)
		if err := json.Unmarshal(line, row); err != nil {
			d.t.Fatal(err)
		}
		for seat, nick := range row.Bots {
			if slices.Contains(honest, nick) && row.Forfeits[seat] != "" {
				d.t.Errorf("in match %d %s has the forfeit %s", row.K+1, nick, row.Forfeits[seat])
			}
		}
		text, err := command(d.t, "replay", "show", "--json",
			filepath.Join(d.dir, "matches", fmt.Sprint(row.K, ".hexarena"))).Output()
		var shown struct {
			Seats []struct {
				Nickname string
				Skipped  int
			}
		}
		if err = errors.Join(err, json.Unmarshal(text, &shown)); err != nil {
			d.t.Fatalf("match %d: %v\n%s", row.K+1, err, text)
		}
		for _, s := range shown.Seats {
			if slices.Contains(honest, s.Nickname) && s.Skipped > 0 {
				d.t.Errorf("in match %d %s has lost %d turns", row.K+1, s.Nickname, s.Skipped)
			}
		}
	}
}

// morning signs teams up and connects their bots, one of them twice, and one team send versions.
func (d *eventDay) morning(python, bots string) {
	d.t.Helper()
	names := append(slices.Clone(honest), "Sent", "Late")
	for i, token := range d.signUp(names...) {
		d.tokens[names[i]] = token
	}
	d.operate("pause", map[string]any{})
	for team := len(honest); team < len(names); team++ { // no round waits for them
		d.operate("rest", map[string]any{"team": team})
	}
	replaced := d.connectAll(python, filepath.Join(bots, kits.Of("x.py").Starters["hexabomb"]))
	d.play(4, "rating")
	d.stay(d.tokens["Ann"]) // as from a second browser
	if err := <-replaced; err == nil ||
		!strings.Contains(err.Error(), "Another connection took the seat") {
		d.t.Errorf("the older one of two connections has left by %v", err)
	}
	d.sendVersions(bots)
	d.operate("wake", map[string]any{"team": len(honest)})
	for state := ""; state != "rests"; {
		d.play(1, "rating")
		list, _ := d.versions(d.tokens["Sent"])
		state = list[0].State
	}
}

// rename gives a team another name, and checks that its page goes on.
func (d *eventDay) rename() (places []string) {
	d.t.Helper()
	d.operate("rename", map[string]any{"team": 1, "name": "Robert"})
	for _, path := range []string{"/team/2", "/team/Bob", "/team/robert", "/team/Bob?part=live"} {
		if page := d.get(path); !strings.Contains(page, "<h1><bdi>Robert</bdi></h1>") ||
			strings.Contains(path, "part") == strings.Contains(page, "<html") {
			d.t.Errorf("%s does not lead to the page of the team:\n%s", path, page)
		}
	}
	page, status := d.fetch(http.MethodGet, "/team/Nobody", "", "")
	if status != http.StatusNotFound ||
		!bytes.Contains(page, []byte("<h1>There is no such team</h1>")) {
		d.t.Errorf("a page of no team: status %d\n%s", status, page)
	}
	places = d.play(2, "rating")
	if !strings.Contains(strings.Join(places, ", "), " Robert,") || places[5] != "0 Late" {
		d.t.Errorf("after the renaming: %q", places)
	}
	return places
}

// restart starts the event again, and checks that it has these places.
func (d *eventDay) restart(places []string) {
	d.t.Helper()
	d.start()
	if _, after := d.oneOrder(); !slices.Equal(after, places) {
		d.t.Errorf("started again in %s, the places are %q, were %q", d.dir, after, places)
	}
}

// kill kills the event while a round is played.
func (d *eventDay) kill() {
	d.t.Helper()
	d.awaitHonest()
	d.operate("resume", map[string]any{})
	d.awaitRows(d.rows() + 1)
	_ = d.Process.Kill()
	d.readRest()
	_ = d.Wait()
}

// evening freezes versions at a deadline, then official matches and a final.
func (d *eventDay) evening() {
	d.t.Helper()
	d.awaitHonest()
	d.typeLines("deadline 2s")
	for range time.Tick(10 * time.Millisecond) {
		if d.screen().Frozen {
			break
		}
	}
	if out, code := d.send(d.tokens["Sent"], scriptBot(d.t, "late.sh", sentPainter)); code == 0 ||
		!strings.Contains(out, "versions are frozen") {
		d.t.Errorf("after the deadline a version is sent: exit code %d\n%s", code, out)
	}
	d.oneOrder()
	d.play(6, "official")
	d.operate("final", map[string]any{"format": "knockout", "teams": 4, "best": 1})
	d.operate("resume", map[string]any{})
	for range time.Tick(10 * time.Millisecond) {
		if s := d.screen(); s.Final != nil && s.Final.Over && s.Problem == "" {
			break
		}
	}
	if order, places := d.oneOrder(); order != "final" || !strings.HasPrefix(places[0], "1 ") ||
		places[5] != "0 Late" {
		d.t.Errorf("after the final: %s, %q", order, places)
	}
}

// A day of an event: teams sign up, one has two connections, one sends a version that hangs, one is
// renamed; the event is started again after an interruption and after it was killed, and goes on at
// noon from a copy of its folder; after the deadline official matches are played, and a final. At
// each moment all pages and files have one order, no honest bot loses a turn, and none is started
// again.
func TestEventDay(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	python, err := exec.LookPath("python3")
	if err != nil {
		thorough.Lack(t, err)
	}
	bots, kit := t.TempDir(), kits.Of("x.py")
	for _, name := range kit.Files() {
		writeText(t, filepath.Join(bots, name), string(kit.File(name)))
	}
	ctx, stop := context.WithCancel(t.Context())
	d := &eventDay{
		runningEvent: &runningEvent{
			process: &process{t: t, port: freePort(t)}, dir: filepath.Join(t.TempDir(), "event"),
		},
		args: []string{
			"--rounds", "ready", "--send", "trusted", "--seats", "2", "--map", "pebble", "--turns", "8",
			"--turn-timeout", "2s",
		},
		tokens: map[string]string{}, ctx: ctx,
	}
	defer d.bots.Wait()
	defer stop()
	d.start()
	d.morning(python, bots)
	places := d.rename()
	d.interrupt()
	d.restart(places)
	d.play(2, "rating")
	d.kill()
	d.start()
	places = d.play(2, "rating")
	d.interrupt()
	d.moveTo(filepath.Join(t.TempDir(), "copied"))
	d.restart(places)
	d.play(2, "rating")
	d.evening()
	d.interrupt()
	d.checkHonest()
}
