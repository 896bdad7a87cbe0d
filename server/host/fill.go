package host

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"sync"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/panics"
)

// Filler seats built-in bots in the free seats of a host's rooms. They connect
// over TCP like any other. Each has a goroutine, which ends with its match.
type Filler struct {
	game    *games.Game
	addr    string // where they connect
	token   string // that lets them log in; empty: they need none
	log     zerolog.Logger
	playing sync.WaitGroup

	mu sync.Mutex // held while seats are filled
}

// NewFiller returns a filler for a host that listens at that address. token lets its bots log
// in; it is empty if they need none.
func NewFiller(game *games.Game, at net.Addr, token string, log zerolog.Logger) *Filler {
	addr := at.String()
	if tcp, ok := at.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		addr = net.JoinHostPort("127.0.0.1", strconv.Itoa(tcp.Port))
	}
	return &Filler{game: game, addr: addr, token: token, log: log}
}

// Fill seats a bot in each free seat of the room. It returns when all are seated or
// one was refused.
func (f *Filler) Fill(r *Room) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	players, specials := r.feed.Free()
	for i, name := range f.game.Mix(players) {
		if err := f.join(name, fmt.Sprint(name[:min(len(name), 7)], i+1), netorcai.RolePlayer, uint64(i)); err != nil {
			return err
		}
	}
	for range specials {
		if err := f.join(f.game.Special, f.game.Special, netorcai.RoleSpecialPlayer, 0); err != nil {
			return err
		}
	}
	return nil
}

func (f *Filler) join(name, nickname string, role netorcai.Role, seed uint64) error {
	bot, err := f.game.NewBuiltin(name, seed)
	if err != nil {
		return err
	}
	ctx := context.Background() // the end of the host closes the connection
	client, err := netorcai.Dial(ctx, f.addr, netorcai.Login{Nickname: nickname, Role: role, Token: f.token})
	if err != nil {
		return fmt.Errorf("%s cannot join: %w", nickname, err)
	}
	panics.Go(&f.playing, func() {
		defer client.Close()
		_ = client.Play(ctx, bot) // the host logs what ends it
	}, panics.Logged(f.log, "A built-in bot failed"))
	return nil
}

// Wait waits until all bots have left.
func (f *Filler) Wait() { f.playing.Wait() }
