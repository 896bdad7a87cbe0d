package host_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/recording"
)

// reportIn returns the report in the last of some events, without when the match was played, which
// depends on the clock of the one who asks.
func reportIn(t *testing.T, event []byte) map[string]any {
	t.Helper()
	var end struct {
		Type   string
		Report map[string]any
	}
	if err := json.Unmarshal(event, &end); err != nil || end.Type != "end" ||
		end.Report["table"] == nil {
		t.Fatalf("the last event is %s, %v; want the end, with a report", event, err)
	}
	delete(end.Report, "times")
	return end.Report
}

// Viewers get the same report of a match when it ends and from its recording, whatever the players
// did.
func TestReportOfViewers(t *testing.T) {
	h := openHost(t, options{
		Options: host.Options{
			Linger: usualLinger, Page: shownOn(), Recordings: &host.Recordings{Dir: t.TempDir()},
		},
		spec: small(3, 1),
	})
	stays, leaves, cheats := h.login("stays", "player"), h.login("leaves", "player"), h.login("cheats", "player")
	cheats.Expect("GAME_STARTS")
	cheats.Expect("TURN")
	cheats.Send(`{"message_type":"TURN_ACK","turn_number":7,"actions":[]}`)
	cheats.Expect("KICK")
	leaves.Expect("GAME_STARTS")
	leaves.Expect("TURN")
	leaves.Close()
	holdStill(stays, 3)
	result := h.room.Wait()

	var last []byte
	for events := h.room.Feed().From(0); ; {
		e, ok := events.Next()
		if !ok {
			break
		}
		last = e.Data
	}
	live := reportIn(t, last)
	r, err := recording.Open(result.Recording)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var events bytes.Buffer
	rules := func(string, []byte) (engine.Game, error) { return hexabomb.New(hexagon(3, 4)), nil }
	if err := feed.WriteRecorded(t.Context(), &events, feed.Recorded{}, r, rules); err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSpace(events.Bytes()), []byte("\n"))
	if diff := cmp.Diff(live, reportIn(t, lines[len(lines)-1])); diff != "" {
		t.Errorf("from the recording, the report differs (-live +recorded):\n%s", diff)
	}
}
