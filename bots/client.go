package bots

import "github.com/hexarena/hexarena/protocol/netorcai"

// clientBot adapts a strategy to netorcai.Bot.
type clientBot struct {
	Strategy
	answer []byte // reused from turn to turn
}

// ForClient returns s as a bot for [netorcai.Client.Play].
func ForClient(s Strategy) netorcai.Bot { return &clientBot{Strategy: s} }

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
