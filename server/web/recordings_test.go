package web_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/web"
)

// recorded is a match that is recorded in a folder of the page.
type recorded struct {
	*stage
	dir      string
	recorder *recording.Recorder
}

func newRecorded(t *testing.T, turns int, change ...func(*web.Options)) *recorded {
	t.Helper()
	r := &recorded{dir: t.TempDir()}
	r.stage = newStage(t, func(w *web.Options, shown *web.Match, m *match.Options) {
		game := gameOf(t, shown.Map)
		m.Referee = match.Local(game)
		r.recorder = recording.New(
			recording.Options{Dir: r.dir, Rules: game, Map: shown.Map, MapName: "lagoon"})
		m.Watchers = append([]match.Watcher{r.recorder}, m.Watchers...)
		m.Settings.Turns = turns
		folder := web.NewFolder(r.dir, games)
		w.Recordings, w.Remove = folder, folder.Remove
		for _, f := range change {
			f(w)
		}
	})
	return r
}

// whole plays all turns of a match.
func (r *recorded) whole(turns int) {
	r.t.Helper()
	r.begin()
	r.play(turns - 1)
	wait(r.t, r.ended)
}

// name returns the recording's name in the API.
func (r *recorded) name() string {
	r.t.Helper()
	var list []struct{ Recording string }
	_, body, _ := r.get("/api/matches")
	if err := json.Unmarshal([]byte(body), &list); err != nil || len(list) != 1 {
		r.t.Fatalf("matches %s: %v", body, err)
	}
	return list[0].Recording
}

// last returns the last event of a recording and the number of events.
func (r *recorded) last(name string) (last string, events int) {
	r.t.Helper()
	status, body, _ := r.get("/api/recordings/" + name)
	if status != http.StatusOK {
		r.t.Fatalf("%s: %d %s", name, status, body)
	}
	lines := strings.Split(strings.TrimSuffix(body, "\n"), "\n")
	return lines[len(lines)-1], len(lines)
}

// state returns the listed state of a recording.
func (r *recorded) state(name string) web.State {
	r.t.Helper()
	var list []web.Recording
	_, body, _ := r.get("/api/recordings")
	if err := json.Unmarshal([]byte(body), &list); err != nil {
		r.t.Fatalf("recordings %s: %v", body, err)
	}
	i := slices.IndexFunc(list, func(l web.Recording) bool { return l.Name == name })
	if i < 0 {
		r.t.Fatalf("%s is not listed: %s", name, body)
	}
	return list[i].State
}

// The recording of a running match can be read and ends with an event that says so.
func TestRecordingOfARunningMatch(t *testing.T) {
	s := newRecorded(t, 40)
	if name := s.name(); name != "" {
		t.Errorf("before the start the recording is called %q", name)
	}
	s.begin()
	s.play(9)
	name := s.name()
	for _, path := range []string{"/api/match", "/api/match/events?to=1"} {
		if _, body, _ := s.get(path); !strings.Contains(body, `"recording":"`+name+`"`) || name == "" {
			t.Errorf("%s: %.300s, want the recording %q", path, body, name)
		}
	}
	if state := s.state(name); state != web.Running {
		t.Errorf("listed as %s, want %s", state, web.Running)
	}
	const want = `{"type":"incomplete","reason":"running","turn":10,"turns":40,"error":""}`
	if last, events := s.last(name); last != want || events != 12 {
		t.Errorf("of %d events the last is %s, want 12 and %s", events, last, want)
	}
	s.play(30)
	wait(t, s.ended)
	if state := s.state(name); state != web.Complete || s.name() != name {
		t.Errorf("at the end %q is %s, want %q to be %s", s.name(), state, name, web.Complete)
	}
	// Although it was prepared a moment ago, when the match was being played.
	if last, events := s.last(name); events != 42 || !strings.Contains(last, `"type":"end"`) {
		t.Errorf("at the end, of %d events the last is %s, want 42 and the end", events, last)
	}
}

// An incomplete recording is shown as far as it can be read, with the reason.
func TestIncompleteRecordings(t *testing.T) {
	s := newRecorded(t, 90)
	s.begin()
	s.play(40)
	lines, err := os.ReadFile(s.recorder.Path())
	if err != nil {
		t.Fatal(err)
	}
	s.play(49)
	wait(t, s.ended)
	frames, err := os.ReadFile(s.recorder.Path())
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name   string
		file   []byte
		reason feed.Gap
		turns  [2]int // the last turn, from and to
	}{
		{"killed", lines, feed.Truncated, [2]int{41, 41}},
		{"torn", lines[:len(lines)-20], feed.Truncated, [2]int{40, 40}},
		{"cut", frames[:len(frames)/2], feed.Truncated, [2]int{10, 80}},
		{"changed", bytes.Replace(lines, []byte(`{"turn":30,`), []byte(`{"turn":33,`),
			1), feed.Damaged, [2]int{29, 29}},
		{"flipped", flipped(frames, len(frames)/2, 200), feed.Damaged, [2]int{10, 80}},
	} {
		name := test.name + recording.Extension
		if err := os.WriteFile(filepath.Join(s.dir, name), test.file, 0o600); err != nil {
			t.Fatal(err)
		}
		last, events := s.last(name)
		var e struct {
			Type string
			feed.Incomplete
		}
		if err := json.Unmarshal([]byte(last), &e); err != nil || e.Type != "incomplete" {
			t.Errorf("%s: the last event is %s", name, last)
			continue
		}
		if e.Reason != test.reason || e.Turn < test.turns[0] || e.Turn > test.turns[1] || e.Turns != 90 ||
			events != e.Turn+2 {
			t.Errorf("%s: %d events, the last one is %s, want %s and turns %v", name, events, last,
				test.reason, test.turns)
		}
		if (e.Error != "") != (test.reason == feed.Damaged) {
			t.Errorf("%s: error %q", name, e.Error)
		}
		if state := s.state(name); state != web.State(test.reason) {
			t.Errorf("%s: listed as %s, want %s", name, state, test.reason)
		}
	}
}

func flipped(file []byte, at, n int) []byte {
	file = bytes.Clone(file)
	for i := range file[at:][:n] {
		file[at+i] ^= 0xff
	}
	return file
}

// A recording that cannot be opened is answered with a readable error.
func TestNoRecording(t *testing.T) {
	s := newRecorded(t, 40)
	for name, text := range map[string]string{
		"foreign": "{}", "empty": "", "newer": `{"hexarena_recording":9}`,
		"damaged": `{"hexarena_recording":1,"players":9}`,
	} {
		if name == "newer" || name == "damaged" {
			text = line(text)
		}
		if err := os.WriteFile(filepath.Join(s.dir, name+recording.Extension), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{
		"missing": "there is no recording missing.hexarena",
		"foreign": "foreign.hexarena is not a recording",
		"empty":   "empty.hexarena ends before its match begins",
		"newer":   "newer.hexarena cannot be read: its format is newer than this program: 9",
		"damaged": "damaged.hexarena cannot be read: damaged before its first turn",
	} {
		status, body, _ := s.get("/api/recordings/" + name + recording.Extension)
		if status != 404 && status != 422 || !strings.HasPrefix(body, `{"error":"`+want) {
			t.Errorf("%s: %d %s, want %s", name, status, body, want)
		}
	}
}

// line returns a line of a recording.
func line(record string) string {
	return fmt.Sprintf("%08x %s\n", crc32.Checksum([]byte(record), crc32.MakeTable(crc32.Castagnoli)),
		record)
}

// The public URL is at the port of the bots if others cannot reach the page's own address.
func TestPublicURL(t *testing.T) {
	s := newStage(t)
	s.feed.SetAddresses([]string{"127.0.0.1:4242", "192.168.1.5:4242"})
	if _, body, _ := s.get("/api/health"); !strings.Contains(body, `"url":"http://192.168.1.5:4242/"`) {
		t.Errorf("health %s, want the address of the bots", body)
	}
}

// Concurrent requests for the list during a match all get the whole list.
func TestConcurrentLists(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	s := newRecorded(t, 60)
	s.begin()
	if err := os.WriteFile(filepath.Join(s.dir, "foreign.hexarena"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(s.dir, "folder.hexarena"), 0o700); err != nil {
		t.Fatal(err)
	}
	var listers sync.WaitGroup
	for range 30 {
		listers.Go(func() {
			for range 5 {
				answer, err := http.Get(s.URL() + "api/recordings")
				if err != nil {
					t.Error(err)
					return
				}
				var list []web.Recording
				err = json.NewDecoder(answer.Body).Decode(&list)
				answer.Body.Close()
				if err != nil || len(list) != 1 ||
					list[0].State != web.Running && list[0].State != web.Complete {
					t.Errorf("list %+v, %v", list, err)
				}
			}
		})
	}
	s.play(59)
	wait(t, s.ended)
	listers.Wait()
	if state := s.state(s.name()); state != web.Complete {
		t.Errorf("at the end the recording is %s", state)
	}
}

// A client that has a recording, such as a relay, does not get it again unless it has changed.
func TestRecordingHasETag(t *testing.T) {
	r := newRecorded(t, 3)
	r.whole(3)
	path := "/api/recordings/" + r.name()
	_, _, header := r.get(path)
	tag := header.Get("ETag")
	if status, body, _ := r.do("GET", path, http.Header{"If-None-Match": {tag}}); tag == "" ||
		status != http.StatusNotModified || body != "" {
		t.Errorf("with the ETag %s: %d %.100s", tag, status, body)
	}
	if status, _, _ := r.do("GET", path, http.Header{"If-None-Match": {`W/"0"`}}); status != http.StatusOK {
		t.Errorf("with another ETag: %d", status)
	}
}
