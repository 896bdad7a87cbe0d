package session

import (
	"cmp"
	"fmt"
	"time"

	"github.com/hexarena/hexarena/protocol/jsonscan"
	"github.com/hexarena/hexarena/protocol/netorcai"
)

// Allowance limits what clients of a role may send once they have logged in. A zero
// stands for the metaprotocol's own limit.
type Allowance struct {
	Size  int // bytes per message
	Rate  int // messages per second; does not apply to game logics, which only answer
	Depth int // nesting levels of JSON
}

// Allowances are the limits for all roles.
type Allowances struct {
	Player        Allowance // also for special players
	Visualization Allowance
	Logic         Allowance
}

// of returns the allowance of a role.
func (a *Allowances) of(role netorcai.Role) Allowance {
	switch role {
	case netorcai.RoleVisualization:
		return a.Visualization
	case netorcai.RoleGameLogic:
		return a.Logic
	}
	return a.Player
}

// receive reads a message of at most the size that the client may send. It replaces
// bytes that are not valid UTF-8 by U+FFFD, since much of it is passed on and many programs reject
// messages that are not valid UTF-8.
func (s *Session) receive() ([]byte, error) {
	content, err := s.read(cmp.Or(s.allowance.Size, netorcai.Limit))
	if err != nil {
		return nil, err
	}
	return s.in.repair(content)
}

// checkDepth returns an error if a message is nested deeper than the client may nest
// it, and otherwise err, the error of parsing the message.
func (s *Session) checkDepth(content []byte, err error) error {
	d := s.allowance.Depth
	if d > 0 && (d < jsonscan.MaxDepth || err == netorcai.ErrNotJSON) && jsonscan.Deeper(content, d) {
		return &netorcai.DepthError{Limit: d}
	}
	return err
}

// countMessage counts a message. It returns a kick reason if the client sent too many
// within a second. Only the reader calls it.
func (s *Session) countMessage(now time.Time) (fault string) {
	if now.Sub(s.second) >= time.Second {
		s.second, s.messages = now, 0
	}
	if s.messages++; s.allowance.Rate > 0 && s.messages > s.allowance.Rate {
		return fmt.Sprintf("Too many messages: more than %d in a second", s.allowance.Rate)
	}
	return ""
}
