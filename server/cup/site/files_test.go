package site_test

import (
	"compress/gzip"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/cup/cuptest"
	"github.com/hexarena/hexarena/server/cup/site"
	"github.com/hexarena/hexarena/server/cup/standings"
	"github.com/hexarena/hexarena/server/export"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/games/hextictactoe"
	"github.com/hexarena/hexarena/server/recording"
)

var list = games.List{hextictactoe.Game()}

// recordedCup writes a cup with a recording of match 12, and for match 13 a file that is not a
// recording.
func recordedCup(t *testing.T, p *plan.Plan, rows int) *archive.Cup {
	t.Helper()
	dir := t.TempDir()
	cuptest.Write(t, dir, p, plan.Whole, cuptest.Rows(p, rows))
	notation := filepath.Join(t.TempDir(), "game.txt")
	if err := os.WriteFile(notation, []byte("playercross[Ann]; endreason[draw];\n1. [0,4][1,4];\n2. [1,0][2,0];\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	g, noted, err := export.ReadNotation(list, notation)
	if err != nil {
		t.Fatal(err)
	}
	path, err := export.RecordNoted(recording.Options{Dir: t.TempDir(), Program: "test", Seed: 1}, g, noted[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path, filepath.Join(dir, "matches", "12.hexarena")); err != nil {
		t.Fatal(err)
	}
	c, err := archive.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func write(t *testing.T, c *archive.Cup, replays int) (dir string, r *site.Result) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "site")
	for range 2 { // the second one replaces the first
		var err error
		r, err = site.Write(t.Context(), site.Options{Cup: c, Games: list, Dir: dir, Replays: replays})
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir, r
}

func file(t *testing.T, elements ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(elements...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// scoreboardOf returns what is inside a page.
func scoreboardOf(t *testing.T, page string) *site.Scoreboard {
	t.Helper()
	m := regexp.MustCompile(
		`<script id="cup" type="application/gzip">([^<]*)</script>`).FindStringSubmatch(page)
	if m == nil {
		t.Fatal("the page has no cup in it")
	}
	packed, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(m[1])))
	if err != nil {
		t.Fatal(err)
	}
	board := new(site.Scoreboard)
	if err := json.NewDecoder(packed).Decode(board); err != nil {
		t.Fatal(err)
	}
	return board
}

// The page has the same standings as the files, needs nothing from elsewhere, and its links lead to
// files. Its looks are tested in a browser.
func TestPage(t *testing.T) {
	thorough.Long(t)
	for name, p := range map[string]*plan.Plan{
		"roundrobin": cuptest.Plan(plan.RoundRobin, 4, 3), "sprt": cuptest.Plan(plan.Comparison, 2, 4),
		"gauntlet": cuptest.Plan(plan.Gauntlet, 4, 2),
	} {
		dir, r := write(t, recordedCup(t, p, 300), 10)
		if r.Matches != 300 || r.Replays != 1 || r.Left != 0 || len(r.Failed) != 1 ||
			!strings.Contains(r.Failed[0].Error(), "match 13 ") {
			t.Errorf("%s: the result is %+v", name, r)
		}
		page := file(t, dir, "index.html")
		if found := regexp.MustCompile(`(src|href)="[^"d][^"]*"`).FindString(page); found != "" ||
			!strings.Contains(page, "connect-src 'none'") {
			t.Errorf("%s: the page needs something else: %s", name, found)
		}
		board := scoreboardOf(t, page)
		var same strings.Builder
		if err := board.Standings.WriteJSON(&same); err != nil ||
			same.String() != file(t, dir, "standings.json") {
			t.Errorf("%s: the standings are %s, %v, want those of standings.json", name, same.String(), err)
		}
		if len(board.Matches) != 1 || board.Recorded != 1 || board.Matches[0].K != 12 {
			t.Fatalf("%s: the matches that can be seen are %+v", name, board.Matches)
		}
		if file(t, dir, board.Matches[0].Replay) == "" {
			t.Errorf("%s: %s is empty", name, board.Matches[0].Replay)
		}
	}
}

// The data is all there: a line for each seat of each match, and the same standings as JSON.
func TestData(t *testing.T) {
	thorough.Long(t)
	p := cuptest.Plan(plan.RoundRobin, 4, 3)
	dir, _ := write(t, recordedCup(t, p, 300), 10)
	var written []string
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			written = append(written, path)
		}
		return err
	})
	named := site.Files(dir)
	slices.Sort(named)
	slices.Sort(written)
	if !slices.Equal(named, written) {
		t.Errorf("Files names %q\nof %q", named, written)
	}
	lines, err := csv.NewReader(strings.NewReader(file(t, dir, "matches.csv"))).ReadAll()
	if err != nil || len(lines) != 1+3*300 {
		t.Errorf("matches.csv has %d lines, %v", len(lines), err)
	}
	var rows []*results.Row
	if err := json.Unmarshal([]byte(file(t, dir, "matches.json")), &rows); err != nil ||
		len(rows) != 300 || rows[299].K != 299 {
		t.Errorf("matches.json has %d matches, %v", len(rows), err)
	}
	var table standings.Table
	if err := json.Unmarshal([]byte(file(t, dir, "standings.json")), &table); err != nil ||
		table.Matches != 300 {
		t.Errorf("standings.json has %d matches, %v", table.Matches, err)
	}
	for name, want := range map[string]int{"standings.csv": 1 + 4, "meetings.csv": 1 + 4*3} {
		lines, err := csv.NewReader(strings.NewReader(file(t, dir, name))).ReadAll()
		if err != nil || len(lines) != want {
			t.Errorf("%s has %d lines, %v, want %d", name, len(lines), err, want)
		}
	}
}

// Replays beyond the limit are counted and not written, and a cup without a match has a page as
// well.
func TestLimits(t *testing.T) {
	thorough.Long(t)
	p := cuptest.Plan(plan.RoundRobin, 4, 3)
	dir, r := write(t, recordedCup(t, p, 300), 0)
	if left, _ := filepath.Glob(filepath.Join(dir, "matches", "*")); r.Replays != 0 || r.Left != 2 ||
		len(left) > 0 {
		t.Errorf("the result is %+v, with %v", r, left)
	}
	dir, r = write(t, recordedCup(t, p, 0), 10)
	if r.Matches != 0 || scoreboardOf(t, file(t, dir, "index.html")).Expected != 1_000_002 ||
		file(t, dir, "matches.json") != "[]\n" {
		t.Errorf("without a match the result is %+v", r)
	}
}
