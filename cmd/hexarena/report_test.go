package main

import (
	"encoding/json"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
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
	for _, line := range []string{"painter random --turns 40 --order seeded", "painter random painter --sudden-death --turns 30"} {
		args := append([]string{"play", "--http", "", "--seed", "7", "--json", "--record", filepath.Join(t.TempDir(), "r")}, strings.Fields(line)...)
		played := reported(t, args...)
		shown := reported(t, "replay", "show", "--json", played.Recording)
		if !reflect.DeepEqual(shown, played) {
			t.Errorf("%s: the recording's report is\n%+v\nwant\n%+v", line, shown, played)
		}
	}
}
