package host_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/servertest"
	"github.com/hexarena/hexarena/server/web"
)

// shownOn returns a host's page, at an address of its own.
func shownOn() *host.Page { return &host.Page{Options: web.Options{Address: "127.0.0.1:0"}} }

// holdStill plays a match of turns turns without an action.
func holdStill(c *servertest.Client, turns int) {
	c.Expect("GAME_STARTS")
	for turn := range turns - 1 {
		c.Expect("TURN")
		c.Answer(turn, "[]")
	}
	c.Expect("GAME_ENDS")
}

// replayed returns the first event of a recording, which verifies, and its header.
func replayed(t *testing.T, path string) (start []byte, header *recording.Header) {
	t.Helper()
	rules := func(string, []byte) (engine.Game, error) { return hexabomb.New(hexagon(3, 4)), nil }
	for _, read := range []func(r *recording.Reader) error{
		func(r *recording.Reader) error {
			_, err := recording.Verify(t.Context(), r, rules, nil)
			return err
		},
		func(r *recording.Reader) error {
			var events bytes.Buffer
			err := feed.WriteRecorded(t.Context(), &events, feed.Recorded{}, r, rules)
			start, _, _ = bytes.Cut(events.Bytes(), []byte("\n"))
			header = r.Header()
			return err
		},
	} {
		r, err := recording.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := read(r); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		_ = r.Close()
	}
	return start, header
}

// Viewers are told the labels of a match before its start, during it and from its recording,
// and so are those that list matches.
func TestLabels(t *testing.T) {
	spec := small(1, 3)
	spec.Labels = map[string]string{"series": "cup", "round": "semi-final", "table": "2", "match": "3"}
	h := openHost(t, options{
		Options: host.Options{
			Linger: usualLinger, Page: shownOn(), Recordings: &host.Recordings{Dir: t.TempDir()},
		},
		spec: spec,
	})
	check := func(what string, event []byte) {
		t.Helper()
		var got struct{ Labels map[string]string }
		if err := json.Unmarshal(event, &got); err != nil || !maps.Equal(got.Labels, spec.Labels) {
			t.Errorf("%s: %s, %v; want the labels %v", what, event, err, spec.Labels)
		}
	}
	events := h.room.Feed().From(0)
	e, _ := events.Next()
	check("lobby", e.Data)
	holdStill(h.login("one", "player"), 3)
	result := h.room.Wait()
	e, _ = events.Next()
	check("start", e.Data)
	entry, err := json.Marshal(h.room.Feed().Brief())
	if err != nil {
		t.Fatal(err)
	}
	check("entry in the list", entry)
	start, header := replayed(t, result.Recording)
	check("start of the recording", start)
	if !maps.Equal(header.Labels, spec.Labels) {
		t.Errorf("the recording has the labels %v", header.Labels)
	}
}

// The version and language that a client gives are shown with its seat, live and in the recording,
// without characters that cannot be shown. It is optional, and ignored under the name netorcai.
func TestVersionAndLanguage(t *testing.T) {
	const login = `{"message_type":"LOGIN","nickname":"%s","role":"player","metaprotocol_version":"2.0.0"%s}`
	for _, netorcai := range []bool{false, true} {
		spec := small(3, 1)
		h := openHost(t, options{
			Options: host.Options{
				Linger: usualLinger, Page: shownOn(), Recordings: &host.Recordings{Dir: t.TempDir()},
				Netorcai: netorcai,
			},
			spec: spec,
		})
		long := strings.Repeat("é", 200) // a LOGIN has at most 1023 bytes

		clients := []*servertest.Client{}
		for i, said := range []string{
			`,"version":"sha256:1f","language":"Go"`, ``,
			`,"version":"` + long + `","language":"\u001b[31m\u202e` + long[:100] + `"`,
		} {
			c := wires[0].dial(h)
			c.Send(login, fmt.Sprint("bot", i), said)
			c.Expect("LOGIN_ACK")
			clients = append(clients, c)
		}
		var playing sync.WaitGroup
		for _, c := range clients {
			playing.Go(func() { holdStill(c, 3) })
		}
		playing.Wait()
		result := h.room.Wait()
		type seat struct{ Version, Language string }
		want := []seat{
			{"sha256:1f", "Go"}, {}, {strings.Repeat("é", 160), "[31m" + strings.Repeat("é", 36)},
		}
		if netorcai {
			want = make([]seat, 3)
		}
		check := func(what string, event []byte) {
			t.Helper()
			var got struct{ Seats []seat }
			if err := json.Unmarshal(event, &got); err != nil || !slices.Equal(got.Seats, want) {
				t.Errorf("%s: %s, %v; want %v", what, event, err, want)
			}
			if said := bytes.Count(event, []byte(`"language"`)); netorcai && said > 0 ||
				!netorcai && said != 2 {
				t.Errorf("%s names %d languages: %s", what, said, event)
			}
		}
		live, _ := h.room.Feed().From(0).Next()
		check("start", live.Data)
		start, header := replayed(t, result.Recording)
		check("start of the recording", start)
		head, err := json.Marshal(header)
		if err != nil {
			t.Fatal(err)
		}
		check("recording", head)
	}
}
