package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/result"
	"github.com/hexarena/hexarena/server/web"
)

// report is what play and replay show have in common as JSON.
type report struct {
	Rules     string       `json:"rules"`
	Seed      uint64       `json:"seed"`
	Turns     int          `json:"turns"`
	TurnsMax  int          `json:"turns_max"`
	Winner    string       `json:"winner"`
	Reason    string       `json:"reason"`
	Digest    string       `json:"state_digest"`
	Seats     []seatReport `json:"seats"`
	Recording string       `json:"recording"`
}

type seatReport struct {
	Label    string         `json:"label"`
	Nickname string         `json:"nickname"`
	Special  bool           `json:"special"`
	ID       int            `json:"id"`
	Rank     int            `json:"rank"`
	Counts   map[string]int `json:"counts"`
	Refused  map[string]int `json:"refused"`
	Answers  int            `json:"answers"`
	Skipped  int            `json:"skipped"`
	Missed   int            `json:"missed"`
	Status   string         `json:"status"`
}

// reported runs a command and returns its report, with the seats by id.
func reported(t *testing.T, args ...string) (r report) {
	t.Helper()
	code, stdout, stderr := hexarena(args...)
	if err := json.Unmarshal([]byte(stdout), &r); code != 0 || err != nil {
		t.Fatalf("%v: exit code %d, %v, %s%s", args, code, err, stdout, stderr)
	}
	slices.SortFunc(r.Seats, func(a, b seatReport) int { return a.ID - b.ID })
	return r
}

// After a match and from its recording, a report is the same.
func TestOneReport(t *testing.T) {
	for _, line := range []string{
		"painter random --turns 40 --order seeded", "painter random painter --sudden-death --turns 30",
	} {
		args := append([]string{"play", "--http", "", "--seed", "7", "--json", "--record", filepath.Join(t.TempDir(), "r")}, strings.Fields(line)...)
		played := reported(t, args...)
		shown := reported(t, "replay", "show", "--json", played.Recording)
		if !reflect.DeepEqual(shown, played) {
			t.Errorf("%s: the recording's report is\n%+v\nwant\n%+v", line, shown, played)
		}
	}
}

// replay show and the page, which gets them with the end of a recording, tell of the same turns
// that decided, and of a death by whose bomb it came.
func TestOneWhy(t *testing.T) {
	dir := t.TempDir()
	played := reported(t, "play", "--http", "", "--turns", "200", "--seed", "7", "--json", "--record",
		dir, "painter", "random", "random", "random")
	folder := web.NewFolder(dir, gameList.Replay)
	replay, err := folder.Open(filepath.Base(played.Recording))
	if err != nil {
		t.Fatal(err)
	}
	defer replay.Close()
	var events bytes.Buffer
	if err := replay.Write(t.Context(), &events, false); err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSpace(events.Bytes()), []byte("\n"))
	var end struct{ Decided []result.Decisions }
	if err := json.Unmarshal(lines[len(lines)-1], &end); err != nil {
		t.Fatal(err)
	}
	if len(end.Decided) != 3 || end.Decided[0].Players[0] != end.Decided[2].Players[0] {
		t.Fatalf("the page gets %+v, want the best of four players with each of the others", end.Decided)
	}
	code, shown, stderr := hexarena("replay", "show", "--json", played.Recording)
	var told struct{ Decided []result.Decision }
	if err := json.Unmarshal([]byte(shown), &told); code != 0 || err != nil {
		t.Fatalf("replay show: exit code %d, %v, %s", code, err, stderr)
	}
	if !reflect.DeepEqual(told.Decided, end.Decided[0].Turns) {
		t.Errorf("replay show tells of %+v, the page of %+v", told.Decided, end.Decided[0].Turns)
	}
	deaths := 0
	for _, d := range end.Decided {
		for _, turn := range d.Turns {
			if len(turn.About) == 0 || len(turn.Played) < 2 {
				t.Errorf("of turn %d it says only %q, %q", turn.Turn, turn.About, turn.Played)
			}
			deaths += strings.Count(strings.Join(turn.Played, "\n"), " of its own") +
				strings.Count(strings.Join(turn.Played, "\n"), " of ran") +
				strings.Count(strings.Join(turn.Played, "\n"), " of painter")
		}
	}
	if deaths == 0 {
		t.Errorf("no death says by whose bomb it came: %+v", end.Decided)
	}
}

// The page, which gets the table with the end of the match, shows the words and columns of the
// terminal: after a match, from its recording, and of a bot that was removed.
func TestOneTable(t *testing.T) {
	dir := t.TempDir()
	cmd := command(t, "play", "--http", "", "--turns", "6", "--port", "0", "--record", dir, "--logs",
		filepath.Join(dir, "logs"), os.Args[0]+" play-test-bot cheat 3", "painter")
	played, _ := cmd.Output() // a bot that is removed is in its exit code
	paths, err := filepath.Glob(filepath.Join(dir, "*"+recording.Extension))
	if err != nil || len(paths) != 1 {
		t.Fatalf("recordings %q, %v, want one; play prints\n%s", paths, err, played)
	}
	file, err := recording.Open(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var events bytes.Buffer
	if err := feed.WriteRecorded(t.Context(), &events, feed.Recorded{}, file, gameList.Replay); err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSpace(events.Bytes()), []byte("\n"))
	var end struct{ Report struct{ Table result.Table } }
	if err := json.Unmarshal(lines[len(lines)-1], &end); err != nil {
		t.Fatal(err)
	}
	table := end.Report.Table
	want := [][]string{{}}
	for _, c := range table.Columns {
		want[0] = append(want[0], strings.Fields(c.Name)...)
	}
	for _, row := range table.Rows {
		want = append(want, strings.Fields(strings.Join(row, " ")))
	}
	if len(want) != 3 || !strings.Contains(strings.Join(want[2], " "), "removed in turn") {
		t.Fatalf("table %q, want two bots, the last one removed", want)
	}
	code, shown, stderr := hexarena("replay", "show", paths[0])
	if code != 0 {
		t.Fatalf("replay show: exit code %d, %s", code, stderr)
	}
	// replay show has the players' ids after their names, by which its other output names them
	const ids = 1
	for what, text := range map[string]string{"play": string(played), "replay show": shown} {
		_, rest, _ := strings.Cut(text, "\n\n")
		for i, line := range strings.Split(rest, "\n")[:len(want)] {
			got := strings.Fields(line)
			if what == "replay show" {
				at := 1 + min(i, ids) // the head has no rank
				got = slices.Delete(got, at, at+ids)
			}
			if !slices.Equal(got, want[i]) {
				t.Errorf("%s prints %q, and the page has %q", what, got, want[i])
			}
		}
	}
}
