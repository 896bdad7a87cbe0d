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

// builtinFiller seats built-in bots in the free seats of a server's matches. They connect
// over TCP like any other. Each has a goroutine, which ends with its match.
type builtinFiller struct {
	game    *games.Game
	addr    string // where they connect
	token   string // that lets them log in; empty: they need none
	log     zerolog.Logger
	playing sync.WaitGroup

	mu sync.Mutex // held while seats are filled
}

// newBuiltinFiller returns a filler for a server that listens at that address.
func newBuiltinFiller(game *games.Game, at net.Addr, token string, log zerolog.Logger) *builtinFiller {
	addr := at.String()
	if tcp, ok := at.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		addr = net.JoinHostPort("127.0.0.1", strconv.Itoa(tcp.Port))
	}
	return &builtinFiller{game: game, addr: addr, token: token, log: log}
}

// fill seats a bot in each free seat of the match of f. It returns when all are seated or
// one was refused.
func (c *builtinFiller) fill(f *feed.Feed) error {
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

func (c *builtinFiller) join(name, nickname string, role netorcai.Role, seed uint64) error {
	bot, err := c.game.NewBuiltin(name, seed)
	if err != nil {
		return err
	}
	ctx := context.Background() // the end of the server closes the connection
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
