package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// eventPlace is a team's place as JSON has it.
type eventPlace struct {
	Rank, Team, Matches int
	Name                string
	Rating              float64
	Elo                 *float64
	Final               bool
}

// standings returns the order of the teams that the event has.
func (e *runningEvent) standings() (order string, places []eventPlace) {
	e.t.Helper()
	var answer struct {
		Order string
		Teams []eventPlace
	}
	if err := json.Unmarshal([]byte(e.get("/event/standings")), &answer); err != nil {
		e.t.Fatal(err)
	}
	return answer.Order, answer.Teams
}

// screenShown is what a test reads of the screen.
type screenShown struct {
	Order  string
	Frozen bool
	Teams  []struct {
		Name string
		Rank int
	}
	Shows    []struct{ Match string }
	Deadline int64
	Problem  string
	Final    *struct{ Over bool }
}

func (e *runningEvent) screen() (s screenShown) {
	e.t.Helper()
	if err := json.Unmarshal([]byte(e.get("/screen.json")), &s); err != nil {
		e.t.Fatal(err)
	}
	return s
}

// pauseAfter waits until the log has this many matches, pauses rounds, and waits until no match is
// played, nor will be: a round that began before the pause shows no match until its bots have
// started.
func (e *runningEvent) pauseAfter(rows int) {
	e.t.Helper()
	e.awaitRows(rows)
	e.operate("pause", map[string]any{})
	e.awaitRows(e.begun())
	for range time.Tick(10 * time.Millisecond) {
		if !slices.ContainsFunc(e.screen().Shows, func(s struct{ Match string }) bool { return s.Match != "" }) {
			return
		}
	}
}

// begun returns the number of matches once all of the last round are over.
func (e *runningEvent) begun() (matches int) {
	e.t.Helper()
	text, err := os.ReadFile(filepath.Join(e.dir, "acts", "log.ndjson"))
	if err != nil {
		e.t.Fatal(err)
	}
	for line := range bytes.Lines(text) {
		var act struct {
			Act     string
			First   int
			Matches [][]int
		}
		if err := json.Unmarshal(line, &act); err != nil {
			e.t.Fatal(err)
		}
		if act.Act == "round" {
			matches = act.First + len(act.Matches)
		}
	}
	return matches
}

var (
	shownPlace = regexp.MustCompile(
		`<tr[^>]*><td>([^<]*)</td><th scope="row">(?:<a [^>]*>)?<bdi>([^<]*)</bdi>`)
	ownPlace = regexp.MustCompile(`Place (\d+),`)
)

// placesOn returns the places in a table of a page, as "1 Ann".
func placesOn(page string) (list []string) {
	for _, m := range shownPlace.FindAllStringSubmatch(page, -1) {
		list = append(list, html.UnescapeString(strings.ReplaceAll(m[1], "–", "0")+" "+m[2]))
	}
	return list
}

// placesIn returns those in a table as CSV.
func (e *runningEvent) placesIn(table string) (list []string) {
	e.t.Helper()
	lines, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil {
		e.t.Fatalf("%v in\n%s", err, table)
	}
	for _, line := range lines[1:] {
		rank := line[0]
		if rank == "" {
			rank = "0"
		}
		list = append(list, rank+" "+line[1])
	}
	return list
}

// oneOrder checks that all pages and files have one order of the teams, and returns its kind and
// the places, as "1 Ann". No match may be played meanwhile.
func (e *runningEvent) oneOrder() (order string, places []string) {
	e.t.Helper()
	order, list := e.standings()
	for _, p := range list {
		places = append(places, fmt.Sprint(p.Rank, " ", p.Name))
		own := "0"
		if m := ownPlace.FindStringSubmatch(e.get(fmt.Sprintf("/team/%d", p.Team+1))); m != nil {
			own = m[1]
		}
		if own != fmt.Sprint(p.Rank) {
			e.t.Errorf("the page of %s has the place %s, want %d", p.Name, own, p.Rank)
		}
	}
	screen := e.screen()
	readers := map[string][]string{}
	for _, team := range screen.Teams {
		readers["/screen.json"] = append(readers["/screen.json"], fmt.Sprint(team.Rank, " ", team.Name))
	}
	readers["/admin"] = placesOn(e.text("/admin?part=live", ""))
	readers["standings.csv"] = e.placesIn(e.text("/admin/standings.csv", e.admin))
	shown, err := command(e.t, "cup", "show", e.dir, "--csv").Output()
	if err != nil {
		e.t.Fatal(err)
	}
	readers["cup show"] = e.placesIn(string(shown))
	site := e.t.TempDir()
	if out, err := command(e.t, "cup", "export", e.dir, "--out", site, "--replays", "0").CombinedOutput(); err != nil {
		e.t.Fatalf("%v: %s", err, out)
	}
	for name, read := range map[string]func(string) []string{
		"standings.csv": e.placesIn, "index.html": placesOn,
	} {
		text, err := os.ReadFile(filepath.Join(site, name))
		if err != nil {
			e.t.Fatal(err)
		}
		readers["exported "+name] = read(string(text))
	}
	for reader, got := range readers {
		if !slices.Equal(got, places) {
			e.t.Errorf("%s has the order %q, want %q", reader, got, places)
		}
	}
	if screen.Order != order {
		e.t.Errorf("the screen's order is %s, want %s", screen.Order, order)
	}
	return order, places
}

// An event has one order of its teams at a time, on all its pages and in all its files: that by the
// rating of the day, then that by the official matches, then the final's. The deadline and the
// freeze are on all pages, and no page offers to send a version from then on.
func TestEventHasOneOrder(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	e := startEvent(t, filepath.Join(t.TempDir(), "event"), "--rounds", "ready", "--seats", "2")
	tokens := e.signUp("Ann", "Bob", "Carl", "Dora")
	if order, places := e.oneOrder(); order != "rating" ||
		!slices.Equal(places, []string{"0 Ann", "0 Bob", "0 Carl", "0 Dora"}) {
		t.Errorf("before the first match: %s, %q", order, places)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer e.connect(ctx, tokens)()
	defer stop()
	e.pauseAfter(4)
	e.signUp("Late & never")
	e.operate("void", map[string]any{"match": 1})
	order, places := e.oneOrder()
	if order != "rating" || places[4] != "0 Late & never" || !strings.HasPrefix(places[0], "1 ") {
		t.Errorf("after the first rounds: %s, %q", order, places)
	}

	// The second is less than a minute in 64 bits.
	for _, minutes := range []int{999_999_999, 307_445_735, -999_999_999_999} {
		form := map[string]any{"minutes": minutes}
		if answer, status := e.post("/admin/deadline", e.admin, form); status == http.StatusOK {
			t.Errorf("a deadline in %d minutes: %v", minutes, answer)
		}
	}
	e.operate("deadline", map[string]any{"minutes": 90})
	if left := e.screen().Deadline; left <= 0 || left > 90*60_000 {
		t.Errorf("the screen has %d ms to the deadline", left)
	}
	for _, path := range []string{
		"/join", "/join?part=live", "/admin", "/team/1", "/team/1?part=live",
	} {
		if page := e.get(path); !strings.Contains(page, `<p class="deadline">Versions freeze in <b data-until=`) {
			t.Errorf("%s does not have the deadline:\n%s", path, page)
		}
	}
	e.operate("freeze", map[string]any{})
	for range time.Tick(10 * time.Millisecond) {
		if e.screen().Frozen {
			break
		}
	}
	for _, path := range []string{"/join", "/admin", "/team/1"} {
		if page := e.get(path); !strings.Contains(page, "Versions are frozen. Official matches decide.") {
			t.Errorf("%s does not have the freeze:\n%s", path, page)
		}
	}
	if team, _ := e.ask(http.MethodGet, "/event/team", tokens[0], ""); team["send"] != false ||
		!strings.Contains(team["no_send"].(string), "frozen") {
		t.Errorf("the team is offered to send: %v", team)
	}
	if order, after := e.oneOrder(); order != "official" || !strings.HasPrefix(after[0], "0 ") ||
		strings.TrimPrefix(after[0], "0 ") != strings.TrimPrefix(places[0], "1 ") {
		t.Errorf("before the first official match: %s, %q", order, after)
	}
	e.operate("resume", map[string]any{})
	e.pauseAfter(e.rows() + 4)
	if order, places = e.oneOrder(); order != "official" || places[4] != "0 Late & never" ||
		!strings.HasPrefix(places[0], "1 ") {
		t.Errorf("after official matches: %s, %q", order, places)
	}

	e.operate("final", map[string]any{"format": "knockout", "teams": 3, "best": 1})
	e.operate("resume", map[string]any{})
	for range time.Tick(10 * time.Millisecond) {
		if s := e.screen(); s.Final != nil && s.Final.Over && s.Problem == "" {
			break
		}
	}
	var final struct{ Final struct{ Places []string } }
	if err := json.Unmarshal([]byte(e.get("/event/final")), &final); err != nil {
		t.Fatal(err)
	}
	order, last := e.oneOrder()
	if order != "final" || last[0] != "1 "+final.Final.Places[0] ||
		last[1] != "2 "+final.Final.Places[1] || last[3][0] != '4' || last[4] != "0 Late & never" {
		t.Errorf("after the final with the places %q: %s, %q", final.Final.Places, order, last)
	}
	e.operate("final-off", map[string]any{})
	if order, after := e.oneOrder(); order != "official" || !slices.Equal(after, places) {
		t.Errorf("without the final: %s, %q, want %q", order, after, places)
	}
	e.operate("thaw", map[string]any{})
	if order, _ := e.oneOrder(); order != "rating" {
		t.Errorf("after the thaw the order is %s", order)
	}
	e.quit()
}
