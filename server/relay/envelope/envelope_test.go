package envelope_test

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/relay/envelope"
)

// FuzzParse parses anything, and gives what it has parsed to the mirror of a match. What can be parsed stays the same as bytes.
func FuzzParse(f *testing.F) {
	start := feed.Record{Event: feed.Event{Data: []byte(`{"state":{"n":1}}`)}, Kind: feed.KeyRecord, From: 1, To: 16}
	turn := feed.Record{Event: feed.Event{Data: []byte(`{"delta":{}}`)}, Kind: feed.KeyRecord, Index: 64, From: 1, To: 11, State: []byte(`{"n":2}`)}
	for _, e := range []*envelope.Envelope{
		{Kind: envelope.Hello, Version: envelope.Version, Server: map[string]any{"cup": true}},
		{Kind: envelope.Matches, Matches: []string{"A", "B"}, Current: "B", Away: true},
		envelope.Of("A", &start, &feed.Brief{ID: "A"}), envelope.Of("A", &turn, nil),
		envelope.Of("A", &feed.Record{Kind: feed.EndRecord, Index: 65, Event: feed.Event{Data: []byte(`{}`)}}, nil),
		envelope.Of("A", &feed.Record{Kind: feed.LobbyRecord, Event: feed.Event{Data: []byte(`{"present":[]}`)}}, nil),
	} {
		f.Add(e.Bytes())
	}
	f.Fuzz(func(t *testing.T, message []byte) {
		e, err := envelope.Parse(message)
		if err != nil {
			return
		}
		again, err := envelope.Parse(e.Bytes())
		if err != nil || !bytes.Equal(again.Event, e.Event) || !bytes.Equal(again.State, e.State) || !reflect.DeepEqual(again.Matches, e.Matches) && len(e.Matches) > 0 {
			t.Fatalf("%+v, want %+v, %v", again, e, err)
		}
		m := feed.NewMirror(feed.Brief{ID: "A"}, feed.Options{MaxBytes: 1 << 10})
		if err := m.Receive(start, nil); err != nil {
			t.Fatal(err)
		}
		_ = m.Receive(e.Record(), e.About)
		_ = feed.NewMirror(feed.Brief{ID: "A"}, feed.Options{}).Receive(e.Record(), e.About)
		c := m.From(0)
		for _, ok := c.Next(); ok; _, ok = c.Next() {
		}
		tail := m.Tail(0)
		for _, ok := tail.Next(); ok; _, ok = tail.Next() {
		}
		_, _ = m.State(1)
		_, newest := m.Status()
		_, _ = m.State(newest)
		m.Summary()
		for range m.Range(0, 100) {
		}
	})
}
