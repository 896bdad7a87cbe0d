package host_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/servertest"
)

// debugLog is a watcher that keeps the players' debug data.
type debugLog struct {
	inputLog
	list []string
}

func (s *debugLog) Played(p *match.Play) {
	for i := range p.Answers {
		if a := &p.Answers[i]; a.Debug != nil {
			s.list = append(s.list, fmt.Sprintf("%d: %s", a.Turn, a.Debug))
		}
	}
}

// Debug data of players reaches all spectators. Invalid debug data is logged once,
// counted and otherwise ignored. Under the name netorcai, all debug data is ignored.
func TestDebug(t *testing.T) {
	thorough.Long(t)
	debugs := []string{
		`,"debug":{"text":"one","cells":[{"q":0,"r":0,"color":"#f00"}]}`,
		``,
		`,"debug":[]`,
		`,"debug":{"text":"` + strings.Repeat("x", 4096) + `"}`,
		`,"debug":null`,
		`,"debug":{"values":{"a":"b"}}`,
		`,"debug": {"values" : {"a":1.5}} `,
	}
	for _, ignored := range []bool{false, true} {
		var log servertest.Log
		watcher := &debugLog{}
		h := openHost(t, options{
			Options: host.Options{Netorcai: ignored, Log: zerolog.New(&log)},
			spec: host.Spec{
				Settings: match.Settings{Players: 1, Turns: len(debugs) + 1}, Autostart: true,
				Game: game(hexabomb.New(hexagon(2, 1))), Watchers: []match.Watcher{watcher},
			},
		})
		c := h.login("talker", "player")
		c.Expect("GAME_STARTS")
		for turn, debug := range debugs {
			c.Expect("TURN")
			c.Send(`{"message_type":"TURN_ACK","turn_number":%d,"actions":[]%s}`, turn, debug)
		}
		c.Expect("GAME_ENDS")
		c.ExpectKick("Game is finished")
		h.end()
		want := []string{
			`0: {"text":"one","cells":[{"q":0,"r":0,"color":"#f00"}]}`, `6: {"values" : {"a":1.5}}`,
		}
		told := 2
		if ignored {
			want, told = nil, 0
		}
		if !slices.Equal(watcher.list, want) {
			t.Errorf("ignored = %v: watchers see %q, want %q", ignored, watcher.list, want)
		}
		lines := log.About("debug of a client")
		if len(lines) != told {
			t.Errorf("ignored = %v: the log has %q, want %d lines", ignored, lines, told)
		}
		if told > 0 && len(lines) == told && !(strings.Contains(lines[0], "debug is not an object") && strings.Contains(lines[1], `"answers":3`)) {
			t.Errorf("the log has %q, want the first fault and a count of 3", lines)
		}
	}
}
