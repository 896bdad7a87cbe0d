package host_test

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/servertest"
)

// playKeys plays a match of three turns between two players, a and b, whose game logic sends the
// optional keys, and returns how it went.
func playKeys(t *testing.T, netorcai bool) (host.Result, string) {
	t.Helper()
	var log bytes.Buffer
	h := openHost(t, options{
		Options: host.Options{
			Linger: usualLinger, Netorcai: netorcai, Log: zerolog.New(zerolog.SyncWriter(&log)),
			Recordings: &host.Recordings{Dir: t.TempDir(), Durable: recording.AtEnd},
		},
		spec: external(host.Spec{Settings: match.Settings{Turns: 3, Players: 2}, InOrder: true}),
	})
	logic := servertest.LoginLogic(t, h.addr)
	a, b := h.login("a", "player"), h.login("b", "player")
	h.start()
	if m := logic.Expect("DO_INIT"); strings.Contains(string(m.Raw), "seed") == netorcai {
		t.Errorf("the game logic was sent %s", m.Raw)
	}
	logic.Send(`{"message_type":"DO_INIT_ACK","initial_game_state":{"all_clients":{"s":[5,6]}},"rules":"bets/1","view":{"cells":"/c","scores":"/s"}}`)
	logic.Expect("DO_TURN")
	unasked := strings.Repeat(`,{"player":0,"text":"early"}`, 900)[1:]
	logic.Send(`{"message_type":"DO_TURN_ACK","winner_player_id":-1,"game_state":{"all_clients":{"s":[7,6]}},"scores":"many","reasons":[%s]}`, unasked)
	for turn, keys := range []string{
		`"scores":[10,20],"reasons":[{"player":1,"action":0,"text":"no such bet"},{"player":0,"text":"too poor"}]`,
		`"scores":[1],"reasons":[{"player":1,"action":0,"text":"no such bet"}]`,
	} {
		for _, c := range []*servertest.Client{a, b} {
			if turn == 0 {
				c.Expect("GAME_STARTS")
			}
			c.Expect("TURN")
			c.Answer(turn, `[{"bet":7}]`)
		}
		logic.Expect("DO_TURN")
		logic.Send(`{"message_type":"DO_TURN_ACK","winner_player_id":1,"game_state":{"all_clients":{"s":[8,9]}},%s}`, keys)
	}
	for _, c := range []*servertest.Client{logic, a, b} {
		_, _ = io.Copy(io.Discard, c)
	}
	if e := h.end(); e.Err != nil {
		t.Fatal(e.Err)
	}
	return h.room.Wait(), log.String()
}

// The optional keys of a game logic are in the result and the recording, as the figures of a
// game in this program are. Keys that cannot be used are dropped, with one short line in the log.
func TestLogicKeys(t *testing.T) {
	got, log := playKeys(t, false)
	for id, want := range []struct {
		score   int64
		rank    int
		refused string
	}{{8, 2, "too poor"}, {9, 1, "no such bet"}} {
		p := &got.Players[id]
		if len(p.Counts) != 1 || p.Counts[0] != (engine.Count{Name: "score", Value: want.score}) ||
			p.Rank != want.rank || p.Refused[want.refused] != 1+id {
			t.Errorf("player %d: %+v, want %+v", id, p.Figures, want)
		}
	}
	const most = 1000 // bytes of the line
	if n := strings.Count(log, "cannot be used"); n != 1 || !strings.Contains(log, "scores: not an array") || slices.ContainsFunc(strings.Split(log, "\n"), func(line string) bool { return len(line) > most }) {
		t.Errorf("%d lines of the log tell what was dropped, want one of %d bytes at most:\n%s", n, most,
			log)
	}
	r, err := recording.Open(got.Recording)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if h := r.Header(); h.RulesName() != "bets/1" ||
		!strings.Contains(string(h.Logic.View), `"cells":"/c"`) || len(h.Counts) != 1 {
		t.Errorf("the recording has %+v", h)
	}
	replay, err := recording.NewReplay(r, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := [][2]int64{{5, 6}, {7, 6}, {10, 20}, {8, 9}}
	for turn, err := range replay.Turns() {
		if err != nil {
			t.Fatal(err)
		}
		for id, score := range want[turn.Step] {
			if counts := replay.AppendTally(nil, engine.PlayerID(id)); len(counts) != 1 ||
				counts[0].Value != score {
				t.Errorf("turn %d, player %d: %v, want %d", turn.Step, id, counts, score)
			}
		}
		if turn.Step == 2 {
			if len(turn.Refused) != 2 || turn.Refused[0].Action != 0 || turn.Refused[1].Action != -1 ||
				turn.Inputs[turn.Refused[0].Input].Player != 1 {
				t.Errorf("turn 2 has the refusals %+v", turn.Refused)
			}
		}
	}
	if _, err := r.Next(); !errors.Is(err, io.EOF) {
		t.Errorf("the recording ends with %v", err)
	}
}

// Under the name netorcai all this is ignored.
func TestNetorcaiIgnoresLogicKeys(t *testing.T) {
	got, log := playKeys(t, true)
	for id := range got.Players {
		if p := &got.Players[id]; len(p.Counts) != 0 || len(p.Refused) != 0 || p.Rank != 0 {
			t.Errorf("player %d: %+v", id, p.Figures)
		}
	}
	if strings.Contains(log, "cannot be used") {
		t.Errorf("the log speaks of the keys:\n%s", log)
	}
}
