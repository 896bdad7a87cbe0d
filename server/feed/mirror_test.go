package feed_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/server/feed"
)

// start, turn and end are the records of a match whose state is one number.
func start() feed.Record {
	return record(feed.KeyRecord, 0, `{"type":"start","id":"A",`, `"state":{"n":0}`, `}`)
}

func turn(k int) feed.Record {
	r := record(feed.DeltaRecord, k, fmt.Sprintf(`{"type":"turn","turn":%d,`, k), fmt.Sprintf(`"delta":{"n":%d}`, k), `,"winner":-1}`)
	if k%10 == 0 {
		r.Kind, r.State = feed.KeyRecord, fmt.Appendf(nil, `{"n":%d}`, k)
	}
	return r
}

func end(k int) feed.Record {
	return feed.Record{Event: feed.Event{Data: []byte(`{"type":"end"}`)}, Kind: feed.EndRecord, Index: k}
}

func record(kind feed.Kind, k int, before, body, after string) feed.Record {
	return feed.Record{Event: feed.Event{Data: []byte(before + body + after)}, Kind: kind, Index: k, From: len(before), To: len(before) + len(body)}
}

func mirror(t *testing.T, maxBytes int, records ...feed.Record) *feed.Feed {
	t.Helper()
	f := feed.NewMirror(feed.Brief{ID: "A"}, feed.Options{MaxBytes: maxBytes})
	for _, r := range records {
		if err := f.Receive(r, nil); err != nil {
			t.Fatal(err)
		}
	}
	return f
}

func turns(from, to int) (list []feed.Record) {
	for k := from; k <= to; k++ {
		list = append(list, turn(k))
	}
	return list
}

// all returns the events that a new reader gets, one per line.
func all(f *feed.Feed) string {
	var b strings.Builder
	for c := f.From(0); ; {
		e, ok := c.Next()
		if !ok {
			return b.String()
		}
		fmt.Fprintf(&b, "%s\n", e.Data)
	}
}

func TestMirror(t *testing.T) {
	records := append(append([]feed.Record{start()}, turns(1, 25)...), end(26))
	f := mirror(t, 0, records...)
	var want strings.Builder
	for _, r := range records {
		fmt.Fprintf(&want, "%s\n", r.Data)
	}
	if got := all(f); got != want.String() {
		t.Errorf("readers get\n%swant\n%s", got, want.String())
	}
	for k := range 26 {
		if state, err := f.State(k); err != nil || string(state) != fmt.Sprintf(`{"n":%d}`, k) {
			t.Errorf("the state of turn %d is %s, %v", k, state, err)
		}
	}
	if phase, newest := f.Status(); phase != feed.Over || newest != 25 {
		t.Errorf("the match is %s at turn %d", phase, newest)
	}
	select {
	case <-f.Over():
	default:
		t.Error("the match is not over")
	}
	// A mirror of the mirror gets the same records.
	tail := f.Tail(0)
	for _, r := range records {
		got, ok := tail.Next()
		if !ok || string(got.Data) != string(r.Data) || got.Kind != r.Kind || got.Index != r.Index || string(got.State) != string(r.State) {
			t.Fatalf("record %+v, want %+v", got, r)
		}
	}
}

// A mirror that joins late, or whose history is full, has the start, a whole state, and what follows it.
func TestMirrorBeginsWithKey(t *testing.T) {
	late := append(append([]feed.Record{start()}, turns(20, 25)...), end(26))
	full := append(append([]feed.Record{start()}, turns(1, 25)...), end(26))
	lines := strings.Split(all(mirror(t, 0, late...)), "\n")
	if want := `{"type":"turn","turn":20,"state":{"n":20},"winner":-1}`; lines[1] != want {
		t.Errorf("after the start comes %s, want %s", lines[1], want)
	}
	short := mirror(t, 600, full...)
	if lines := strings.Split(all(short), "\n"); lines[1] != `{"type":"turn","turn":20,"state":{"n":20},"winner":-1}` || len(lines) != 9 {
		t.Errorf("readers of a full mirror get %q", lines)
	}
	if r, _ := secondOf(short.Tail(0)); r.Index != 20 || string(r.State) != `{"n":20}` {
		t.Errorf("a mirror of a full mirror gets %+v", r)
	}
	if err := feed.NewMirror(feed.Brief{ID: "A"}, feed.Options{MaxBytes: 10}).Receive(start(), nil); err == nil || !strings.Contains(err.Error(), "more than 10 bytes") {
		t.Errorf("a start that is too large: %v", err)
	}
}

func secondOf(t *feed.Tail) (r feed.Record, ok bool) {
	t.Next()
	return t.Next()
}

// What a wrong server sends is refused, and changes nothing.
func TestMirrorRefuses(t *testing.T) {
	wrong := func(change func(*feed.Record)) feed.Record {
		r := turn(3)
		change(&r)
		return r
	}
	for what, r := range map[string]feed.Record{
		"a gap without a state":       turn(5),
		"a turn that it has":          turn(2),
		"another start":               start(),
		"the lobby":                   {Kind: feed.LobbyRecord, Event: feed.Event{Data: []byte(`{}`)}},
		"an unknown kind":             wrong(func(r *feed.Record) { r.Kind = "tea" }),
		"no kind":                     wrong(func(r *feed.Record) { r.Kind, r.From, r.To = "", 0, 0 }),
		"a body beyond the event":     wrong(func(r *feed.Record) { r.To = 1000 }),
		"a body that ends too early":  wrong(func(r *feed.Record) { r.To = r.From - 1 }),
		"a negative body":             wrong(func(r *feed.Record) { r.From, r.To = -2, -1 }),
		"another body":                wrong(func(r *feed.Record) { r.From++ }),
		"an empty body":               wrong(func(r *feed.Record) { r.To = r.From }),
		"a key without a state":       wrong(func(r *feed.Record) { r.Kind = feed.KeyRecord }),
		"a delta with a state":        wrong(func(r *feed.Record) { r.State = []byte("{}") }),
		"an index beyond all matches": wrong(func(r *feed.Record) { r.Kind, r.State, r.Index = feed.KeyRecord, []byte("{}"), 1<<30 }),
		"a negative index":            wrong(func(r *feed.Record) { r.Index = -1 }),
		"an end with a body":          wrong(func(r *feed.Record) { r.Kind = feed.EndRecord }),
	} {
		f := mirror(t, 0, start(), turn(1), turn(2))
		before := all(f)
		if err := f.Receive(r, nil); err == nil {
			t.Errorf("%s is accepted", what)
		}
		if after := all(f); after != before {
			t.Errorf("%s changes what readers get from\n%sto\n%s", what, before, after)
		}
	}
	for what, r := range map[string]feed.Record{"a turn": turn(1), "a turn with a state": turn(10), "no lobby": {Kind: feed.LobbyRecord, Event: feed.Event{Data: []byte(`[`)}}} {
		if err := feed.NewMirror(feed.Brief{ID: "A"}, feed.Options{}).Receive(r, nil); err == nil {
			t.Errorf("%s is the first record", what)
		}
	}
	if err := mirror(t, 0, end(0)).Receive(end(1), nil); err == nil {
		t.Error("a match ends twice")
	}
}
