package host_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/servertest"
)

// The greatest possible number of players plays a match to its end.
func TestThousandPlayers(t *testing.T) {
	thorough.Full(t)
	const turns = 4
	board, err := maps.Generate(maps.Options{Players: maps.MaxPlayers, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	h := open(t, host.Spec{
		Settings: match.Settings{Turns: turns, Players: maps.MaxPlayers}, Autostart: true,
		Game: game(hexabomb.New(board)),
	})
	clients := make([]*servertest.Client, maps.MaxPlayers)
	for i := range clients {
		clients[i] = h.login(fmt.Sprint("bot", i), "player")
	}
	var all sync.WaitGroup
	for _, c := range clients {
		all.Go(func() {
			expect := func(prefix string) {
				if head, err := c.Head(); err != nil || !strings.HasPrefix(head, prefix) {
					t.Errorf("received %q, %v; want %s", head, err, prefix)
				}
			}
			expect(`{"message_type":"GAME_STARTS"`)
			for turn := range turns - 1 {
				expect(fmt.Sprintf(`{"message_type":"TURN","turn_number":%d,`, turn))
				c.Answer(turn, `[{"id":0,"movement":"move","direction":"x+"}]`)
			}
			expect(`{"message_type":"GAME_ENDS"`)
			expect(`{"message_type":"KICK","kick_reason":"Game is finished"}`)
			if _, err := c.Head(); err == nil {
				t.Error("the server does not close the connection")
			}
			c.Close()
		})
	}
	all.Wait()
	if e := h.end(); e.Err != nil || e.Steps != turns {
		t.Fatalf("match ended with %+v", e)
	}
}
