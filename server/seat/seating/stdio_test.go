package seating_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/server/result"
	"github.com/hexarena/hexarena/server/seat"
	"github.com/hexarena/hexarena/server/seat/seating"
)

// stdioWord makes the test binary a bot on standard input and output; the next word says
// what it does.
const stdioWord = "arena-stdio-bot"

// stdioBot answers each TURN without actions. The number in its task is the TURN at which
// it does what it is there for.
func stdioBot(task string) {
	name, at, _ := strings.Cut(task, " ")
	fmt.Fprintln(os.Stderr, "hello from", os.Getenv("BOT_NICKNAME"), "at", os.Getenv("BOT_PORT"))
	switch name {
	case "stays":
		stayAsChild(at, true)
	case "exits":
		os.Exit(3)
	case "mute":
		hang()
	case "prints":
		fmt.Println("hello")
	case "endless":
		for {
			fmt.Print(strings.Repeat("x", 1<<10))
		}
	}
	fmt.Printf(
		`{"message_type":"LOGIN","nickname":%q,"role":"player","metaprotocol_version":"2.0.0"}`+"\n",
		os.Getenv("BOT_NICKNAME"))
	if name == "deaf" {
		hang()
	}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var m struct {
			Type   string `json:"message_type"`
			Reason string `json:"kick_reason"`
			Turn   int    `json:"turn_number"`
		}
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(5)
		}
		switch {
		case m.Type == "KICK":
			fmt.Fprintln(os.Stderr, "kicked:", m.Reason)
		case m.Type != "TURN":
		case fmt.Sprint(m.Turn) == at && name == "stumbles":
			fmt.Println("Where am I?")
		case fmt.Sprint(m.Turn) == at && name == "quits":
			os.Exit(9)
		default:
			fmt.Printf(`{"message_type":"TURN_ACK","turn_number":%d,"actions":[]}`+"\n", m.Turn)
		}
	}
}

// overStdio returns a seat for a task of stdioBot.
func overStdio(task string) seat.Spec {
	label, _, _ := strings.Cut(task, " ")
	return seat.Spec{
		Kind: seat.Process, Stdio: true, Argument: "stdio:" + task, Label: label,
		Argv: []string{os.Args[0], stdioWord, task},
	}
}

// A bot on standard input and output plays like any other, whatever it does wrong: the
// match goes on to its end, and the report says what it was.
func TestStdio(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	for _, tt := range []struct {
		task   string
		status result.Status
		error  string
		last   string // of its lines
		turns  [3]int // answered, skipped, missed
	}{
		{"plays", result.Held, "", "", [3]int{9, 0, 0}},
		{"exits", result.Absent, "exit code 3 before it had logged in", "hello from exits at ", [3]int{}},
		{"mute", result.Absent, "no login within 3s on its standard output; does it flush what it " +
			"writes?", "hello from mute at ", [3]int{}},
		{"prints", result.Absent, "kicked: Invalid first message: ", `this line of its standard output is no message: "hello"; to see what is wrong: hexarena check stdio:`, [3]int{}},
		{"endless", result.Absent, "kicked: Invalid first message: Received message size of first " +
			"message is too big", "", [3]int{}},
		{"stumbles 4", result.Left, "removed in turn 4: Cannot read TURN_ACK. Non-JSON message " +
			"received", "kicked: Cannot read TURN_ACK. ", [3]int{4, 0, 5}},
		{"quits 4", result.Crashed, "exit code 9 in turn 4", "hello from quits at ", [3]int{4, 0, 5}},
	} {
		t.Run(tt.task, func(t *testing.T) {
			t.Parallel()
			o := Options{
				Seats: append(seats(t, "walker"), overStdio(tt.task)),
				Once:  seating.Once{Strict: true},
			}
			if strings.HasPrefix(tt.task, "mute") {
				o.Launch.Timeout = 3 * time.Second // in which it has printed its line
			}
			r := play(t.Context(), t, o)
			if r.Err != nil || r.Turns != 10 || r.Seats[0].Status != result.Held {
				t.Fatalf("report = %+v, want the match to go on to its end", r)
			}
			s := r.Seats[1]
			if s.Status != tt.status || !strings.HasPrefix(s.Error, tt.error) ||
				(s.Error == "") != (tt.error == "") {
				t.Errorf("status, error = %q, %q, want %q, %q", s.Status, s.Error, tt.status, tt.error)
			}
			if got := [3]int{s.Answers, s.Skipped, s.Missed}; got != tt.turns {
				t.Errorf("turns answered, skipped, missed = %v, want %v", got, tt.turns)
			}
			if s.Untraced || len(s.Remarks) > 0 {
				t.Errorf("untraced %v, remarks %q, want its login known to be its own", s.Untraced, s.Remarks)
			}
			if tt.last != "" && !slices.ContainsFunc(s.LastLines, func(line string) bool { return strings.HasPrefix(line, tt.last) }) {
				t.Errorf("last lines = %q, want %q among them", s.LastLines, tt.last)
			}
		})
	}
}

// A bot that never reads does not stop the match, even when a pipe does not hold its first
// message.
func TestStdioThatIsNotRead(t *testing.T) {
	thorough.Long(t)
	t.Parallel()
	m := &hexabomb.Map{Starts: [][]hexgrid.Coord{{{}}, {{Q: 1}}}}
	for q := range 80 {
		for r := range 80 {
			m.Cells = append(m.Cells, hexgrid.Coord{Q: q, R: r})
		}
	}
	r := play(t.Context(), t, Options{
		Game: instance(hexabomb.New(m)), Seats: append(seats(t, "walker"), overStdio("deaf")),
		Pace: fast(time.Millisecond),
	})
	if r.Err != nil || r.Turns != 10 || r.Seats[0].Status != result.Held {
		t.Errorf("report = %+v, want the other bot to play to the end", r)
	}
	if s := r.Seats[1]; s.Answers != 0 || s.ID == engine.NoPlayer {
		t.Errorf("the bot that does not read: %+v, want it in the match, without an answer", s)
	}
}
