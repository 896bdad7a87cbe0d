package bots

import (
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
)

// clientBot adapts a strategy to netorcai.Bot.
type clientBot struct {
	Strategy
	answer []byte // reused from turn to turn
}

// searcher is a strategy that may think for long, and shows what it thinks.
type searcher interface {
	Strategy
	Debug() netorcai.Debug
	Interrupt()
	SetLimit(time.Duration)
}

// searchingBot plays a searcher over a connection. It is a netorcai.Debugger.
type searchingBot struct {
	clientBot
	searcher
}

// ForClient returns s as [netorcai.Client.Play] wants it. A bot that may think for long is
// a [netorcai.Debugger], and has the methods Interrupt, which cuts its thinking off from
// any goroutine, and SetLimit, which bounds a turn of a game without a clock.
func ForClient(s Strategy) netorcai.Bot {
	if one, ok := s.(searcher); ok {
		return &searchingBot{clientBot{Strategy: s}, one}
	}
	return &clientBot{Strategy: s}
}

// Start implements netorcai.Bot.
func (b *searchingBot) Start(m netorcai.GameStarts) error { return b.clientBot.Start(m) }

// Turn implements netorcai.Bot.
func (b *searchingBot) Turn(m netorcai.Turn) ([]byte, error) { return b.clientBot.Turn(m) }

func (c *clientBot) Start(m netorcai.GameStarts) error {
	return c.Strategy.Start(Info{
		Player:   m.PlayerID,
		Players:  m.NbPlayers,
		Specials: m.NbSpecialPlayers,
		Turns:    m.NbTurnsMax,
	}, m.State)
}

func (c *clientBot) Turn(m netorcai.Turn) ([]byte, error) {
	answer, err := c.Strategy.Turn(m.Number, m.State, c.answer[:0])
	c.answer = answer
	return answer, err
}

func (c *clientBot) End(netorcai.GameEnds) {}

// Clients returns a function that makes clients which play the strategy of that name; strategy
// returns it and must know the name.
func Clients(
	name string, strategy func(name string, seed uint64) (Strategy, error),
) func(seed uint64) netorcai.Bot {
	return func(seed uint64) netorcai.Bot {
		s, err := strategy(name, seed)
		if err != nil {
			panic(err)
		}
		return ForClient(s)
	}
}
