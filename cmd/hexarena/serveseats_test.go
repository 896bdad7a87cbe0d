package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/servertest"
)

// playBuiltin logs in over TCP and plays a match as a built-in bot does.
func playBuiltin(t *testing.T, addr, game, name string) {
	t.Helper()
	playBuiltinAs(t, addr, "client", game, name)
}

// playBuiltinAs is playBuiltin with a nickname, which may be a token.
func playBuiltinAs(t *testing.T, addr, nickname, game, name string) {
	t.Helper()
	bot, err := gameList.Find(game).NewBuiltin(name, 1)
	if err != nil {
		t.Fatal(err)
	}
	c, err := netorcai.Dial(t.Context(), addr, netorcai.Login{Nickname: nickname, Role: netorcai.RolePlayer})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.Play(t.Context(), bot); err != nil {
		t.Error(err)
	}
}

// listeningBot returns the address of a bot that is dialled over WebSocket.
func listeningBot(t *testing.T) (address string) {
	l := servertest.Listen(t)
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = gameList.Find("hextictactoe").ServeBot(ctx, l, "nearest", "test", 1)
	}()
	t.Cleanup(func() {
		stop()
		<-served
	})
	return l.Addr().String()
}

// Bots that the setting seats names play in every match, beside clients that log in.
func TestServeSeats(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	const matches = 2
	started := fmt.Sprintf(`"%s play-test-bot play -1"`, os.Args[0])
	for _, tt := range []struct {
		name, game, seats string
		players           int
		clients           []string // built-in bots that log in
		with              []string // nicknames in the recordings
	}{
		{"dialled", "hextictactoe", "open " + listeningBot(t), 2, []string{"threat:easy"}, []string{
			"client", "nearest",
		}},
		{"stateless", "hextictactoe", statelessBot(t) + " open", 2, []string{"threat:easy"}, []string{
			"client", "righty",
		}},
		{"built in", "hextictactoe", "threat:easy", 2, []string{"nearest"}, []string{
			"client", "threat:easy",
		}},
		{"waiting", "hextictactoe", "wait:client threat:easy", 2, []string{"nearest"}, []string{
			"client", "threat:easy",
		}},
		{"bots only", "hextictactoe", "threat:easy " + listeningBot(t), 2, nil, []string{
			"threat:easy", "nearest",
		}},
		{"started", "hexabomb", started, 2, []string{"random"}, []string{"client", "hexarena"}},
		{"hexabomb", "hexabomb", "open painter painter", 4, []string{"random", "random"}, []string{
			"client", "painter", "painter#2",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			records := t.TempDir()
			args := []string{
				"--game=" + tt.game, "--seats=" + tt.seats, "--autostart", "--visualizations=0", "--turns=9",
				"--matches=" + strconv.Itoa(matches), "--record=" + records,
			}
			if tt.game == "hexabomb" {
				args = append(args, "--pace=fast", "--players="+strconv.Itoa(tt.players))
			}
			p := startServe(t, args...)
			for range matches {
				t.Run("match", func(t *testing.T) {
					for _, name := range tt.clients {
						t.Run(name, func(t *testing.T) {
							t.Parallel()
							playBuiltin(t, p.addr, tt.game, name)
						})
					}
				})
			}
			p.expectExit(0)
			files := verifiedIn(t, records, matches)
			for _, file := range files {
				out, err := command(t, "replay", "show", file).CombinedOutput()
				for _, nickname := range tt.with {
					if err != nil || !strings.Contains(string(out), nickname) {
						t.Errorf("replay show: %v, without %s:\n%s", err, nickname, out)
					}
				}
			}
		})
	}
}

// The seat of a bot that cannot be reached is kept, and the bot is dialled again.
func TestServeSeatsUnreachable(t *testing.T) {
	t.Parallel()
	l := servertest.Listen(t)
	up := make(chan struct{})
	bot := statelessBot(t)
	down := http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-up:
			http.Redirect(w, r, bot+r.URL.Path, http.StatusTemporaryRedirect)
		default:
			http.Error(w, "the bot is not up", http.StatusServiceUnavailable)
		}
	})}
	go func() { _ = down.Serve(l) }()
	defer down.Close()
	p := startServe(t, "--game=hextictactoe", "--seats="+l.Addr().String()+" open", "--autostart",
		"--visualizations=0", "--turns=1", "--tc=20+1")
	p.waitLine("Cannot seat a bot; its seat is kept")
	stopped := startServe(t, "--game=hextictactoe", "--seats="+l.Addr().String())
	stopped.waitLine("Cannot seat a bot; its seat is kept")
	stopped.quit()
	first := servertest.Login(t, p.addr, "first", "player")
	second := servertest.Dial(t, p.addr)
	second.SendLogin("second", "player")
	second.ExpectKick("LOGIN denied: Maximum number of players reached")
	p.waitLine("hexarena event")
	close(up)
	first.Expect("GAME_STARTS")
}
