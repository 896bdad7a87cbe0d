package rehearsal

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/event"
	"github.com/hexarena/hexarena/server/games"
)

// The kinds of bots. Of ten teams, seven have honest ones.
const (
	honest  = "honest"
	late    = "late" // honest, and comes when a third of the time is over
	hanging = "hung"
	leaving = "left"
	broken  = "broken"
)

// kindOf returns the kind of a team's bot. The first two are honest, so that there are rounds.
func kindOf(i, teams int) string {
	if i < 2 {
		return honest
	}
	return []string{
		honest, hanging, leaving, broken, honest, late, honest, honest, honest, honest,
	}[(i-2)%10]
}

// think is the time that a bot thinks in each turn: as a small program in Python does.
const think = 20 * time.Millisecond

// again is after how long a bot connects again that was sent away, or has left.
const again = 100 * time.Millisecond

// bot is the bot of a team.
type bot struct {
	game   *games.Game
	kind   string
	number int
	addr   string
	token  string
}

// signUp signs the bot's team up, and returns its token.
func (b *bot) signUp(e *event.Event) (token string, err error) {
	_, token, err = e.SignUp(fmt.Sprint(b.kind, " ", b.number+1), e.Code())
	return token, err
}

// run plays until ctx ends.
func (b *bot) run(ctx context.Context, duration time.Duration) {
	rng := rand.New(rand.NewPCG(uint64(b.number), 0))
	if b.kind == late {
		pause(ctx, duration/3)
	}
	for ; ctx.Err() == nil; pause(ctx, again) {
		login := netorcai.Login{
			Nickname: "bot", Role: netorcai.RolePlayer, Token: b.token, Stay: b.number%2 == 0,
		}
		c, err := netorcai.Dial(ctx, b.addr, login)
		if err != nil {
			continue
		}
		make := func(netorcai.GameStarts) (netorcai.Bot, error) {
			names := b.game.BuiltinNames()
			one, err := b.game.NewBuiltin(names[b.number%len(names)], rng.Uint64())
			return &player{Bot: one, ctx: ctx, rng: rng, kind: b.kind}, err
		}
		if login.Stay {
			_ = c.PlayAll(ctx, make)
		} else if one, err := make(netorcai.GameStarts{}); err == nil {
			_ = c.Play(ctx, one)
		}
		_ = c.Close()
	}
}

// pause waits, or until ctx ends.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// player plays a match as a bot of a kind does.
type player struct {
	netorcai.Bot
	ctx  context.Context
	rng  *rand.Rand
	kind string
}

var errLeaves = errors.New("the bot leaves")

// oddTurns is the number of turns in one of which a bot misbehaves as its kind does: often, so that
// a short rehearsal has it.
const oddTurns = 20

// hangTime is the time that a bot hangs, some rounds long.
const hangTime = 15 * time.Second

// Turn implements netorcai.Bot.
func (p *player) Turn(m netorcai.Turn) ([]byte, error) {
	pause(p.ctx, think)
	actions, err := p.Bot.Turn(m)
	if p.kind == honest || p.kind == late || p.rng.IntN(oddTurns) > 0 {
		return actions, err
	}
	switch p.kind {
	case hanging:
		pause(p.ctx, hangTime)
	case leaving:
		return nil, errLeaves
	case broken:
		return []byte([]string{`[{"id":-1}]`, `{`, `"x"`, `[[[]]]`}[p.rng.IntN(4)]), nil
	}
	return actions, err
}
