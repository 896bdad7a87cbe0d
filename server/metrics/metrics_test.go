package metrics

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/match"
)

// recorder is a recorder whose disk was full.
type recorder struct{}

func (recorder) Path() string { return "x" }
func (recorder) Err() error   { return errors.New("disk full") }

func scrape(m interface{ Handler() http.Handler }) string {
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	return w.Body.String()
}

func TestAMatchIsCounted(t *testing.T) {
	m := New("test")
	m.Viewers(func() int { return 3 })
	w := m.Watch(recorder{})
	seats := []match.SeatInfo{{ID: 0}, {ID: 1}}
	for range seats {
		w.Joined(match.SeatInfo{}, match.Player)
	}
	w.Joined(match.SeatInfo{}, match.Visualization)
	w.Started(&match.Frame{Table: match.Table{Seats: seats}})
	play := match.Play{Answers: []match.Answer{
		{Input: engine.Input{Player: 0}, Took: 3 * time.Millisecond},
		{Input: engine.Input{Player: 1, Lapse: engine.TimedOut}},
	}}
	w.Played(&play)
	w.Played(&play)
	for _, reason := range []string{
		"Game is finished", "Invalid first message: nickname \"<x>\"", "LOGIN denied: Game has been started", "Did not answer, \xff",
		"a\\b\nc",
	} {
		m.Kicked(reason)
	}
	m.Connected()
	m.Sent(10)
	m.RecordingFailed()
	expect(t, scrape(m),
		`hexarena_build_info{version="test"} 1`, `hexarena_matches_running 1`, `hexarena_turns_total 2`,
		`hexarena_seats{role="player"} 2`, `hexarena_seats{role="visualization"} 1`,
		`hexarena_player_wait_seconds_count{player="0"} 2`, `hexarena_turn_duration_seconds_count 1`,
		`hexarena_skipped_turns_total{player="1",reason="timed out"} 2`, `hexarena_viewers 3`,
		`hexarena_kicks_total{reason="Game is finished"} 1`, `hexarena_kicks_total{reason="Invalid first message: nickname"} 1`,
		`hexarena_kicks_total{reason="LOGIN denied: Game has been started"} 1`, `hexarena_kicks_total{reason="Did not answer"} 1`,
		`hexarena_kicks_total{reason="a\\b\nc"} 1`, "# HELP hexarena_turns_total Turns played.\n# TYPE hexarena_turns_total counter",
		`hexarena_recordings_total{outcome="complete"} 0`, `hexarena_recording_failures_total 1`, `hexarena_connections 1`, `hexarena_sent_bytes_total 10`,
		`hexarena_goroutines `, `go_goroutines `,
	)
	w.Ended(&match.Ending{})
	expect(t, scrape(m), `hexarena_matches_running 0`, `hexarena_seats{role="player"} 0`,
		`hexarena_seats{role="visualization"} 0`, `hexarena_recordings_total{outcome="failed"} 1`, `hexarena_matches_total{outcome="finished"} 1`)
}

// A coordinator and a worker have metrics of their own, and none of matches that they do not host.
func TestWorkersAreCounted(t *testing.T) {
	p := NewProcess("test")
	p.Workers(func() Workers {
		return Workers{
			States: map[string]int{"alive": 2, "silent": 1}, Leases: 3, Ended: map[string]int{"done": 4, "silent": 5}, Queued: 6, Leased: 7,
			Results: 8, Verified: 9, Conflicts: 10, Slowest: 0.5, Median: 1, Fastest: 2,
		}
	})
	p.Worker(func() WorkerState { return WorkerState{Played: 11, Playing: 12, Unsent: 13, Up: true} })
	text := scrape(p)
	expect(t, text,
		`hexarena_workers{state="alive"} 2`, `hexarena_workers{state="silent"} 1`, `hexarena_leases 3`, `hexarena_leases_ended_total{reason="done"} 4`,
		`hexarena_leases_ended_total{reason="silent"} 5`, `hexarena_cup_matches{state="queued"} 6`, `hexarena_cup_matches{state="leased"} 7`,
		`hexarena_cup_results_total 8`, `hexarena_cup_results_verified_total 9`, `hexarena_cup_conflicts_total 10`,
		`hexarena_worker_matches_per_second{worker="slowest"} 0.5`, `hexarena_worker_matches_per_second{worker="fastest"} 2`,
		`hexarena_worker_matches_total 11`, `hexarena_worker_matches_running 12`, `hexarena_worker_results_unsent 13`, `hexarena_worker_coordinator_up 1`,
		`hexarena_build_info{version="test"} 1`, `hexarena_goroutines `,
	)
	if strings.Contains(text, "hexarena_turns_total") {
		t.Error("a process that hosts no matches counts turns")
	}
}

func expect(t *testing.T, text string, want ...string) {
	t.Helper()
	for _, line := range want {
		if !strings.Contains(text, "\n"+line) {
			t.Errorf("no line %s", line)
		}
	}
}

// The operator's guide lists all metrics and no others, and the dashboard uses only metrics
// of the guide.
func TestTheGuideListsAll(t *testing.T) {
	guide, err := os.ReadFile("../../docs/operator.md")
	if err != nil {
		t.Fatal(err)
	}
	m := New("test")
	m.Viewers(func() int { return 0 })
	w := m.Watch(nil)
	w.Joined(match.SeatInfo{}, match.Player)
	w.Started(&match.Frame{Table: match.Table{Seats: make([]match.SeatInfo, 1)}})
	m.Refused("x")
	m.Kicked("x")
	m.Workers(func() Workers { return Workers{States: map[string]int{"alive": 0}, Ended: map[string]int{"done": 0}} })
	m.Worker(func() WorkerState { return WorkerState{} })
	listed := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| `.*").FindAllString(between(string(guide), "## Metrics", "\n## "), -1) {
		for _, name := range regexp.MustCompile("`([a-z_]+)`").FindAllStringSubmatch(strings.Split(row, "|")[1], -1) {
			listed[name[1]] = true
		}
	}
	text := scrape(m)
	if name := regexp.MustCompile(`(?m)^# HELP hexarena_\S+$`).FindString(text); name != "" {
		t.Errorf("%s has no text", name)
	}
	for _, name := range regexp.MustCompile(`(?m)^# TYPE hexarena_(\S+)`).FindAllStringSubmatch(text, -1) {
		if !listed[name[1]] {
			t.Errorf("docs/operator.md does not list %s", name[1])
		}
		delete(listed, name[1])
	}
	for name := range listed {
		t.Errorf("docs/operator.md lists %s, which is not counted", name)
	}
}

// between returns the text between two marks.
func between(text, begin, end string) string {
	_, text, _ = strings.Cut(text, begin)
	text, _, _ = strings.Cut(text, end)
	return text
}

// A flood of odd clients creates no more labels than there are kinds of reasons.
func TestKindsOfReasons(t *testing.T) {
	for reason, want := range map[string]string{
		"Game is finished": "Game is finished",
		"Cannot read TURN_ACK. Received message size is too big: 6057 does not fit in 20 bits": "Cannot read TURN_ACK. Received message size is too big",
		"Cannot read TURN_ACK. Remote endpoint closed? Read error: EOF":                        "Cannot read TURN_ACK. Remote endpoint closed",
		"Cannot read TURN_ACK. Received a binary message, while text was expected":             "Cannot read TURN_ACK. Received a binary message",
		"Invalid TURN_ACK received. Invalid value (turn_number=7): expecting 8":                "Invalid TURN_ACK received. Invalid value",
		"Invalid first message: Invalid role 'a. b: c'":                                        "Invalid first message: Invalid role",
		"Invalid first message: Received 'x' message type, while LOGIN was expected":           "Invalid first message: Received",
		"Invalid first message: Invalid metaprotocol version: Not MAJOR.MINOR.PATCH":           "Invalid first message: Invalid metaprotocol version",
		"LOGIN denied: a token is needed here, in the field token of LOGIN or as the nickname": "LOGIN denied: a token is needed here",
		"LOGIN denied: No LOGIN received within 10s":                                           "LOGIN denied: No LOGIN received within 10s",
		"Too many messages: more than 20 in a second":                                          "Too many messages: more than 20 in a second",
		"Did not receive DO_INIT_ACK after 3 seconds.":                                         "Did not receive DO_INIT_ACK after 3 seconds",
		"": "",
	} {
		if got := kindOf(reason); got != want {
			t.Errorf("kindOf(%q) = %q, want %q", reason, got, want)
		}
	}
}

func TestTurnsTakeNoMemory(t *testing.T) {
	w := New("test").Watch(nil)
	seats := []match.SeatInfo{{ID: 0}, {ID: 500}}
	w.Started(&match.Frame{Table: match.Table{Seats: seats}})
	play := match.Play{Answers: []match.Answer{
		{Input: engine.Input{Player: 0}, Took: time.Millisecond},
		{Input: engine.Input{Player: 500, Lapse: engine.Gone}},
	}}
	w.Played(&play)
	if n := testing.AllocsPerRun(100, func() { w.Played(&play) }); n > 0 {
		t.Errorf("a turn takes %v allocations", n)
	}
}
