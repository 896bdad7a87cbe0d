package event

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/server/event/state"
	"github.com/hexarena/hexarena/server/machine/disk"
)

const forgottenCode = "def act(state): return 'the secret plan of the team that is forgotten'"

// do carries out acts.
func do(t *testing.T, e *Event, acts ...func(*state.State) (state.Act, error)) {
	t.Helper()
	for _, next := range acts {
		if err := e.Do(next); err != nil {
			t.Fatal(err)
		}
	}
}

// writeIn writes a file of a test, with the folders that it is in.
func writeIn(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

// eventToForget makes the folder of an event in which team 1 has left its name everywhere.
func eventToForget(t *testing.T, dir string) (token string) {
	t.Helper()
	e := mustOpen(t, dir)
	defer e.Close()
	tokens := signUp(t, e, "Ann", "Zanzibar & Co", "Carl", "Dora", "Eva")
	sent := state.Upload{Digest: "0123456789abcdef", File: "zanzibar.py", Bytes: 9}
	shared := state.Upload{Digest: "fedcba9876543210", File: "same.py", Bytes: 9}
	do(t, e,
		func(s *state.State) (state.Act, error) { return s.Versions.Send(1, sent, 1) },
		func(s *state.State) (state.Act, error) {
			return s.Versions.Try(1, sent.Digest, "Zanzibar & Co fails")
		},
		func(s *state.State) (state.Act, error) { return s.Versions.Send(1, shared, 1) },
		func(s *state.State) (state.Act, error) { return s.Versions.Send(2, shared, 1) },
		func(s *state.State) (state.Act, error) { return s.Show("Well done, Zanzibar & Co!") },
		func(s *state.State) (state.Act, error) { return s.Teams.Rename(1, "Zebedee") },
		func(s *state.State) (state.Act, error) { return s.Teams.Remove([]int{1, 4}, true) },
		func(s *state.State) (state.Act, error) { return s.Teams.Remove([]int{1, 4}, false) },
	)
	for round := range 6 {
		if round == 3 {
			do(t, e, func(s *state.State) (state.Act, error) {
				return s.Freeze(map[int]string{1: "claimed by Zebedee", 2: "sent:fedcba9876543210"})
			})
		}
		r, err := e.Begin([]int{0, 1, 2, 3, 4}, false)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range r.Matches {
			row := rowOf(e, m)
			row.Versions = make([]string, len(row.Bots))
			recorded := "a match of others"
			for seat, team := range m {
				if team == 1 {
					recorded = row.Bots[seat] + " plays"
					row.Versions[seat] = []string{"claimed by Zebedee", "sent:0123456789abcdef"}[round%2]
				}
			}
			path := filepath.Join(dir, "matches", "room.hexarena")
			writeIn(t, path, []byte(recorded))
			if err := e.Add(t.Context(), row, path); err != nil {
				t.Fatal(err)
			}
		}
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write([]byte(`{"team":"Zanzibar \u0026 Co"}`))
	_ = z.Close()
	for name, text := range map[string]string{
		"matches/99.hexarena":             "Zanzibar was interrupted",
		"output/team 1.log":               "Zanzibar prints",
		"versions/0123456789abcdef/a.py":  forgottenCode,
		"versions/fedcba9876543210/a.py":  "code of two teams",
		"exams/exam-1/plan.json":          `{"digest":"0123456789abcdef00"}`,
		"exams/exam-1/bots/a.py":          forgottenCode,
		"workers/broker/objects":          forgottenCode,
		"workers/conflicts.ndjson":        "Zanzibar",
		"acts/checkpoint.json":            "Zanzibar",
		"site/matches.csv":                "Ann",
		"site/matches.json":               "[]\n",
		"site/index.html":                 "Zanzibar &amp; Co",
		"site/matches/12.html":            "base64",
		"site/style.css":                  "of the operator",
		"certificates/Zebedee.svg":        "first place: Zebedee",
		"certificates/Ann.svg":            "second place: Ann",
		"report.html":                     "<b>Zanzibar &amp; Co</b>",
		"pages/matches.csv":               "1,Zebedee",
		"pages/matches.json":              "[\n{\"k\":0}]",
		"class.txt":                       "Ann\nZanzibar & Co\nCarl\n",
		"tokens.txt":                      tokens[1],
		"report.json.gz":                  packed.String(),
		"notes about Zanzibars and so.md": "Zanzibars is another word",
	} {
		writeIn(t, filepath.Join(dir, name), []byte(text))
	}
	return tokens[1]
}

// othersOf returns what an event's pages show of the other teams, as text.
func othersOf(t *testing.T, e *Event) string {
	t.Helper()
	r := e.Result()
	r.Teams = append([]state.Place{}, r.Teams...)
	var kept []state.Place
	for _, p := range r.Teams {
		if p.Number != 1 {
			p.Rank = 0 // those below a team that is gone have better ones
			kept = append(kept, p)
		}
	}
	text, err := json.Marshal(kept)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// operators are the files of the event that the event has not written and that name team 1.
const operators = "certificates/Zebedee.svg class.txt report.html report.json.gz tokens.txt"

// expectForgotten fails the test if a folder has something of team 1, but for operators.
func expectForgotten(t *testing.T, dir, token string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if name, _ := filepath.Rel(dir, path); strings.Contains(operators, filepath.ToSlash(name)) {
			return nil
		}
		text, err := os.ReadFile(path)
		words := []string{
			"Zanzibar", "Zebedee", token, "0123456789abcdef", forgottenCode[:32], forgottenCode[20:52],
			"zanzibar.py",
		}
		for _, word := range words {
			if strings.Contains(filepath.Base(path), "Zanzibars") {
				continue // which is another word
			}
			if bytes.Contains(text, []byte(word)) || searchOf(word).mentions(text, maxNested) ||
				strings.Contains(path, word) {
				t.Errorf("%s has %q", path, word)
			}
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// dyingDisk fails after some changes, as if the process was killed.
type dyingDisk struct {
	disk.Disk
	left int
}

var errKilled = errors.New("killed")

func (d *dyingDisk) lives() error {
	if d.left--; d.left < 0 {
		return errKilled
	}
	return nil
}

func (d *dyingDisk) Remove(path string) error {
	return cmpError(d.lives(), func() error { return d.Disk.Remove(path) })
}

func (d *dyingDisk) Rename(from, to string) error {
	return cmpError(d.lives(), func() error { return d.Disk.Rename(from, to) })
}

func (d *dyingDisk) OpenWrite(path string) (disk.File, error) {
	if err := d.lives(); err != nil {
		return nil, err
	}
	return d.Disk.OpenWrite(path)
}

// cmpError returns an error, or that of a function if it is nil.
func cmpError(err error, f func() error) error {
	if err != nil {
		return err
	}
	return f()
}

// Nothing of a team that is forgotten is left in the folder, wherever the process is killed
// meanwhile. The others keep their standings, and the event goes on.
func TestForget(t *testing.T) {
	made := t.TempDir()
	token := eventToForget(t, made)
	done := false
	for steps := 0; !done; steps++ {
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(made)); err != nil {
			t.Fatal(err)
		}
		e := mustOpen(t, dir)
		do(t, e, func(s *state.State) (state.Act, error) { return s.Teams.Remove([]int{1}, true) })
		before, official := othersOf(t, e), e.Official().Matches
		dying := &dyingDisk{e.disk, steps}
		e.disk = dying
		foreign, err := e.Forget(1)
		done = dying.left >= 0
		if done != (err == nil) {
			t.Fatalf("after %d steps forgetting ends with %v", steps, err)
		}
		if done {
			e.disk = dying.Disk
			if err := e.RemoveQueue(); err != nil {
				t.Fatal(err)
			}
			expectForgotten(t, dir, token)
			if got := filepath.ToSlash(strings.Join(foreign.Named, " ")); got != operators {
				t.Errorf("these name the team: %s\nwant %s", got, operators)
			}
			if got := strings.Join(foreign.Exports, " "); got != "pages site" {
				t.Errorf("these exports were removed: %s", got)
			}
			playRound(t, e, []int{0, 2, 3, 4}, 0)
			before = othersOf(t, e)
			official = e.Official().Matches
		}
		e.Close()
		e = mustOpen(t, dir)
		expectForgotten(t, dir, token)
		if after := othersOf(t, e); after != before || e.Official().Matches != official {
			t.Fatalf("after %d steps the others are\n%s\nthey were\n%s", steps, after, before)
		}
		if err := e.Do(func(s *state.State) (state.Act, error) {
			return s.Teams.Remove([]int{1}, false)
		}); !errors.Is(err, state.ErrForgotten) {
			t.Errorf("a team that is forgotten comes back: %v", err)
		}
		for _, kept := range []string{
			"versions/fedcba9876543210/a.py", "certificates/Ann.svg", "notes about Zanzibars and so.md",
			"class.txt", "report.json.gz", "certificates/Zebedee.svg", "site/style.css",
		} {
			if _, err := os.Stat(filepath.Join(dir, kept)); err != nil {
				t.Error(err)
			}
		}
		if list, _ := filepath.Glob(filepath.Join(dir, "matches", "*")); len(list) == 0 {
			t.Error("the recordings of others are gone")
		}
		playRound(t, e, []int{0, 2, 3, 4}, 0)
		e.Close()
	}
}

// A match that is played while a team in it is forgotten counts, and names the team no more.
func TestForgetDuringMatch(t *testing.T) {
	dir := t.TempDir()
	e := mustOpen(t, dir)
	token := signUp(t, e, "Ann", "Zanzibar", "Carl")[1]
	r, err := e.Begin([]int{0, 1, 2}, false)
	if err != nil {
		t.Fatal(err)
	}
	row := rowOf(e, r.Matches[0])
	path := filepath.Join(dir, "matches", "room.hexarena")
	writeIn(t, path, []byte("Zanzibar plays"))
	if _, err := e.Forget(1); err != nil {
		t.Fatal(err)
	}
	writeIn(t, filepath.Join(dir, "output", "team 1.log"), []byte("Zanzibar prints"))
	err = e.Do(func(s *state.State) (state.Act, error) { return s.Versions.Try(1, "x", "Zanzibar") })
	if !errors.Is(err, state.ErrForgotten) {
		t.Errorf("the version of a forgotten team was tried: %v", err)
	}
	if err := e.Add(t.Context(), row, path); err != nil {
		t.Fatal(err)
	}
	expectForgotten(t, dir, token)
	if n := e.View().Matches; n != 1 {
		t.Errorf("there are %d matches", n)
	}
	writeIn(t, path, []byte("Zanzibar plays")) // of a round that is interrupted
	before := othersOf(t, e)
	e.Close()
	e = mustOpen(t, dir)
	defer e.Close()
	expectForgotten(t, dir, token)
	if after := othersOf(t, e); after != before {
		t.Errorf("the others are %s, were %s", after, before)
	}
	if _, _, err := e.SignUp("Zanzibar", e.Code()); err != nil {
		t.Errorf("the name is not free: %v", err)
	}
}

// A team may take the name of one that was forgotten, also while the event runs, in which the old
// nickname still stands for the forgotten team.
func TestSignUpAfterForget(t *testing.T) {
	dir := t.TempDir()
	e := mustOpen(t, dir)
	signUp(t, e, "Ann", "Zanzibar")
	if _, err := e.Forget(1); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Zanzibar", "Fay"} {
		if _, _, err := e.SignUp(name, e.Code()); err != nil {
			t.Fatal(err)
		}
	}
	e.Close()
	e = mustOpen(t, dir)
	e.Close()
}

// A recording that was stale when the event was opened is kept once a match has got its name.
func TestForgetKeepsNewRecordings(t *testing.T) {
	dir := t.TempDir()
	e := mustOpen(t, dir)
	signUp(t, e, "Ann", "Zanzibar", "Carl")
	e.Close()
	path := filepath.Join(dir, "matches", RecordingOf(0))
	writeIn(t, path, []byte("of an interrupted match"))
	e = mustOpen(t, dir)
	defer e.Close()
	playRound(t, e, []int{0, 2}, 0)
	writeIn(t, path, []byte("of Ann and Carl"))
	if _, err := e.Forget(1); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("the recording of others is gone: %v", err)
	}
}

// gzipped returns a text that is compressed some times.
func gzipped(text string, times int) []byte {
	packed := []byte(text)
	for range times {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = z.Write(packed)
		_ = z.Close()
		packed = b.Bytes()
	}
	return packed
}

// searchOf returns a search for a word.
func searchOf(word string) *search { return &search{[]string{word}, maxSearched} }

// A search reads no more bytes than it may of all that is packed in a file, and tells that there was
// more.
func TestMentionsInBombs(t *testing.T) {
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	for i := range 5 {
		w, err := z.Create(fmt.Sprint(i))
		if err == nil {
			_, err = w.Write(make([]byte, 300))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for size, whole := range map[int64]bool{1000: false, 1500: true} {
		s := &search{[]string{"Zanzibar"}, size}
		if s.mentions(packed.Bytes(), maxNested) || s.left >= 0 != whole {
			t.Errorf("of %d bytes all was searched: %t, want %t", size, !whole, whole)
		}
	}
}

// A search ends in archives within archives that have no end: it looks maxNested deep.
func TestMentionsInNested(t *testing.T) {
	for times := range maxNested + 3 {
		want := times <= maxNested
		if got := searchOf("Zanzibar").mentions(gzipped("by Zanzibar", times), maxNested); got != want {
			t.Errorf("compressed %d times: %t, want %t", times, got, want)
		}
	}
}

// Lines that a write which failed has left in a log, and that could not be cut off, count neither
// before nor after a team is forgotten.
func TestForgetReadsCountedLines(t *testing.T) {
	dir := t.TempDir()
	e := mustOpen(t, dir)
	signUp(t, e, "Ann", "Zanzibar", "Carl")
	playRound(t, e, []int{0, 1, 2}, 0)
	for _, name := range []string{actsFile, rowsFile} {
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_APPEND|os.O_WRONLY, 0)
		if err == nil {
			_, err = f.WriteString("{\"act\":\"paused\",\"at\":1,\"on\":true}\n{\"act\"")
		}
		if err := errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := e.Forget(1); err != nil {
		t.Fatal(err)
	}
	e.Close()
	e = mustOpen(t, dir)
	defer e.Close()
	if v := e.View(); v.Paused || v.Matches != 1 {
		t.Errorf("the event has %d matches, and is paused: %v", v.Matches, v.Paused)
	}
}
