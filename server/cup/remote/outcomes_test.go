package remote

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"testing"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/cup"
	"github.com/hexarena/hexarena/server/cup/cuptest"
)

// storeQueue is a worker's side of a queue that keeps what it gets.
type storeQueue struct {
	Client
	objects map[string]int // their lengths
	results []outcomes
}

func (q *storeQueue) Publish(_ context.Context, text []byte) error {
	message, err := decodeOutcomes(text)
	q.results = append(q.results, message)
	return err
}

func (q *storeQueue) Send(_ context.Context, name string, data []byte) error {
	q.objects[name] = len(data)
	return nil
}

// encodeOutcomes returns a message with results.
func encodeOutcomes(from sender, list ...playedOutcome) []byte {
	text := appendLine(nil, from)
	for _, one := range list {
		text = appendLine(text, one)
	}
	return text
}

// Results arrive as they were sent, a short recording with its result and a long one as an object.
// One that is too long, or that is missing, does not arrive.
func TestOutcomesArrive(t *testing.T) {
	p := cuptest.Plan(plan.RoundRobin, 4, 2)
	rows, dir := cuptest.Rows(p, 5), t.TempDir()
	var list []pending
	for i, size := range []int{-1, maxInline, maxInline + 1, maxRecording + 1} {
		path := filepath.Join(dir, strconv.Itoa(i))
		if size >= 0 {
			if err := os.WriteFile(path, make([]byte, size), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		list = append(list, pending{Outcome: &cup.Outcome{Row: rows[i], Recording: path}})
	}
	list = append(list, pending{Outcome: &cup.Outcome{Row: rows[4]}})
	q := &storeQueue{objects: map[string]int{}}
	w := &workLoop{opts: WorkerOptions{ID: "w", Name: "n", Version: "1"}, queue: q}
	for rest := list; len(rest) > 0; {
		n, err := w.sendSome(t.Context(), p.Digest(), rest)
		if err != nil {
			t.Fatal(err)
		}
		rest = rest[n:]
	}
	if want := (map[string]int{recordingName("w", 2): maxInline + 1}); !reflect.DeepEqual(q.objects, want) {
		t.Errorf("the queue has the objects %v, want %v", q.objects, want)
	}
	var got []playedOutcome
	for _, m := range q.results {
		if m.Worker != "w" || m.Name != "n" || m.Version != "1" || m.Plan != p.Digest() {
			t.Errorf("a message is from %q, %q, version %q, of the plan %v", m.Worker, m.Name, m.Version,
				m.Plan)
		}
		got = append(got, m.Matches...)
	}
	if len(got) != len(list) {
		t.Fatalf("%d results arrive, want %d", len(got), len(list))
	}
	for i, one := range got {
		if !reflect.DeepEqual(one.Row, rows[i]) {
			t.Errorf("row %d arrives as %+v, want %+v", i, one.Row, rows[i])
		}
		if wantData, wantName := i == 1, i == 2; len(one.Data) > 0 != wantData ||
			one.Recording != "" != wantName {
			t.Errorf("result %d comes with %d bytes of recording and the object %q", i, len(one.Data),
				one.Recording)
		}
	}
}

// The times of seats keep all that times.csv shows, and output that is not UTF-8 arrives as it is.
func TestTimesArrive(t *testing.T) {
	o := &cup.Outcome{
		Row:     cuptest.Rows(cuptest.Plan(plan.RoundRobin, 2, 2), 1)[0],
		Outputs: [][]byte{nil, []byte("\xff\n")},
	}
	times := `[{"k":0,"started":"2026-11-23T16:34:22.123456Z","took":1234567,"host":"a","seat":2,
		"bot":"b","answers":3,"skipped":4,"missed":5,"p50":6,"p99":7,"max":8,"exit":"e",
		"printed":["<f>\u2028",""],"cpu":9,"lag":10}]`
	if err := json.Unmarshal([]byte(times), &o.Times); err != nil {
		t.Fatal(err)
	}
	message, err := decodeOutcomes(encodeOutcomes(sender{}, playedOutcome{Outcome: o}))
	if err != nil || len(message.Matches) != 1 || !reflect.DeepEqual(message.Matches[0].Outcome, o) {
		t.Errorf("%+v arrives as %+v, %v", o, message.Matches, err)
	}
}

// Messages that lack a result, or are not JSON, are errors; the sender is read alone.
func TestUnreadableOutcomes(t *testing.T) {
	for _, text := range []string{
		"", "\n", "probe 1", `{"worker":1}`, "\x02w", `{"worker":"w"` + "\n", `{"worker":"w"}` + "\n\n",
		`{"worker":"w"}` + "\n{}\n", `{"worker":"w"}` + "\n" + `{"times":[]}`,
		`{"worker":"w"}` + "\n" + `{"row":null}`, `{"worker":"w"}` + "\n" + `{"row":{"k":1}}{}`,
		`{"worker":"w"}` + "\n" + `{"row":{"k":1}}` + "\nnull",
	} {
		if message, err := decodeOutcomes([]byte(text)); err == nil {
			t.Errorf("%q is read as %+v", text, message)
		}
	}
	// A worker cannot name itself to the queue, and another one to the coordinator.
	text := []byte(`{"worker":"a","Worker":"b"}` + "\n" + `{"row":{"k":1},"worker":"c"}`)
	if message, err := decodeOutcomes(text); err != nil || message.Worker != Publisher(text) {
		t.Errorf("%q is of %q, and of %q to the coordinator: %v", text, Publisher(text),
			message.Worker, err)
	}
}

// No message panics, whatever it is.
func FuzzOutcomes(f *testing.F) {
	row := cuptest.Rows(cuptest.Plan(plan.RoundRobin, 2, 2), 1)[0]
	f.Add(encodeOutcomes(
		sender{Worker: "w", Version: "1"}, playedOutcome{Outcome: &cup.Outcome{Row: row}},
	))
	f.Add([]byte{})
	f.Fuzz(func(_ *testing.T, text []byte) {
		message, err := decodeOutcomes(text)
		if err == nil {
			encodeOutcomes(message.sender, message.Matches...)
		}
	})
}
