package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The number of a turn is that of the TURN message everywhere: a bot that shows turn_number, and
// the boards, answers and figures that commands show for this number, are about the same state.
func TestTurnNumbers(t *testing.T) {
	dir := t.TempDir()
	run := func(args ...string) string {
		t.Helper()
		out, err := commandIn(t, dir, args...).Output()
		if err != nil {
			t.Fatalf("%v: %v", args, err)
		}
		return string(out)
	}
	const turns = 25
	live := run("play", "painter", "hexarena play-test-bot talk 99", "--map", "pebble", "--turns",
		strconv.Itoa(turns), "--text", "--http=", "--port", "0", "--seed", "5", "--pace", "fast",
		"--turn-timeout", "1m", "--record", "r")
	files, err := filepath.Glob(filepath.Join(dir, "r", "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("the recordings are %v, %v", files, err)
	}
	file := files[0]
	talker := 0
	if strings.Contains(run("replay", "show", file), "player 1 (hexarena)") ||
		strings.Contains(run("replay", "show", file, "--turn", "0"), "player 1 (hexarena)") {
		talker = 1
	}
	figures := strings.Split(run("replay", "export", file, "--format", "csv"), "\n")

	for _, turn := range []int{0, 1, 7, turns - 2} {
		n := strconv.Itoa(turn)
		message, said, _ := strings.Cut(
			run("replay", "show", file, "--turn", n, "--player", strconv.Itoa(talker)), "\n")
		var m struct {
			Number int            `json:"turn_number"`
			State  map[string]any `json:"game_state"`
		}
		decode(t, message, &m)
		if m.Number != turn {
			t.Errorf("--turn %d shows TURN %d", turn, m.Number)
		}
		var bot struct {
			Turn  int
			Debug struct{ Text string }
		}
		decode(t, said, &bot)
		if want := fmt.Sprintf("TURN %d", turn); bot.Turn != turn || bot.Debug.Text != want {
			t.Errorf("--turn %d has what the bot said: %+v, want %q", turn, bot, want)
		}
		var shown struct {
			Step, Turn int
			State      map[string]any
			Inputs     []struct {
				Turn int `json:"turn_number"`
			}
		}
		decode(t, run("replay", "show", file, "--turn", n, "--json"), &shown)
		if shown.Turn != turn || shown.Step != turn+1 || !reflect.DeepEqual(shown.State, m.State) {
			t.Errorf("--turn %d --json is turn %d, step %d, or another state", turn, shown.Turn, shown.Step)
		}
		if len(shown.Inputs) != 2 || shown.Inputs[0].Turn != turn || shown.Inputs[1].Turn != turn {
			t.Errorf("--turn %d --json has the answers %+v", turn, shown.Inputs)
		}
		board := strings.TrimSpace(run("replay", "show", file, "--turn", n, "--text"))
		if !strings.HasPrefix(board, fmt.Sprintf("turn %d of %d\n", turn, turns)) ||
			!strings.Contains(live, board) {
			t.Errorf("the board of --turn %d was not shown live:\n%s", turn, board)
		}
		for id, score := range m.State["score"].(map[string]any) {
			row := regexp.MustCompile(fmt.Sprintf(`^%d,%d,%s,[^,]*,%v,`, turn+1, turn, id, score))
			if !row.MatchString(figures[1+2*(turn+1)+atoi(t, id)]) {
				t.Errorf("turn %d, player %s, score %v: figures %q", turn, id, score,
					figures[1+2*(turn+1)+atoi(t, id)])
			}
		}
	}

	var report struct {
		Decided []struct {
			Step, Turn int
			Played     []string
		}
	}
	decode(t, run("replay", "show", file, "--json"), &report)
	if len(report.Decided) == 0 {
		t.Fatal("no turn decided; want a match with some")
	}
	digest := run("replay", "digest", file, "--for", "painter")
	for _, d := range report.Decided {
		if d.Step != d.Turn+2 || d.Turn < 0 {
			t.Errorf("turn %d has step %d", d.Turn, d.Step)
			continue
		}
		answers := run("replay", "show", file, "--turn", strconv.Itoa(d.Turn))
		for _, played := range d.Played {
			if _, did, _ := strings.Cut(played, ": ["); did != "" &&
				!strings.Contains(answers, did[:min(len(did), 40)]) {
				t.Errorf("turn %d decided by %q, which --turn does not show:\n%s", d.Turn, played, answers)
			}
		}
		if !strings.Contains(digest, fmt.Sprintf("\nturn %d: ", d.Turn)) {
			t.Errorf("turn %d is not one that the digest names:\n%s", d.Turn, digest)
		}
	}
}

func decode(t *testing.T, text string, to any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), to); err != nil {
		t.Fatalf("%v: %.300s", err, text)
	}
}

func atoi(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
