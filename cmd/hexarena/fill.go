package main

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"sync"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/panics"
)

// crew is the built-in bots that take the free seats of a server's matches, over
// TCP like any others. Each has a goroutine, which ends with its match.
type crew struct {
	game    *games.Game
	addr    string // where they connect
	token   string // what lets them in; empty: they need none
	log     zerolog.Logger
	playing sync.WaitGroup

	mu sync.Mutex // one fills at a time
}

// newCrew makes a crew for a server that listens at that address.
func newCrew(game *games.Game, at net.Addr, token string, log zerolog.Logger) *crew {
	addr := at.String()
	if tcp, ok := at.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		addr = net.JoinHostPort("127.0.0.1", strconv.Itoa(tcp.Port))
	}
	return &crew{game: game, addr: addr, token: token, log: log}
}

// fill has a bot take each seat that is free in the match that f tells of. It
// returns when all are seated or one was refused.
func (c *crew) fill(f *feed.Feed) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	players, specials := f.Free()
	for i, name := range c.game.Mix(players) {
		if err := c.join(name, fmt.Sprint(name[:min(len(name), 7)], i+1), netorcai.RolePlayer, uint64(i)); err != nil {
			return err
		}
	}
	for range specials {
		if err := c.join(c.game.Special, c.game.Special, netorcai.RoleSpecialPlayer, 0); err != nil {
			return err
		}
	}
	return nil
}

func (c *crew) join(name, nickname string, role netorcai.Role, seed uint64) error {
	bot, err := c.game.NewBuiltin(name, seed)
	if err != nil {
		return err
	}
	ctx := context.Background() // the server's end ends it
	client, err := netorcai.Dial(ctx, c.addr, netorcai.Login{Nickname: nickname, Role: role, Token: c.token})
	if err != nil {
		return fmt.Errorf("%s cannot join: %w", nickname, err)
	}
	panics.Go(&c.playing, func() {
		defer client.Close()
		_ = client.Play(ctx, bot) // whatever ends it is in the server's log
	}, panics.Logged(c.log, "A built-in bot failed"))
	return nil
}
