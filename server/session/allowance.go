package session

import (
	"fmt"
	"time"

	"github.com/hexarena/hexarena/protocol/jsonscan"
	"github.com/hexarena/hexarena/protocol/netorcai"
)

// Allowance is what clients of a role may send once they have logged in. Zeros stand
// for what the metaprotocol allows.
type Allowance struct {
	Size  int // bytes of a message
	Rate  int // messages in a second; a game logic is bounded by what it is asked
	Depth int // levels of JSON
}

// Allowances are those of all roles.
type Allowances struct {
	Player        Allowance // special ones included
	Visualization Allowance
	Logic         Allowance
}

// of is the allowance of a role.
func (a *Allowances) of(role netorcai.Role) Allowance {
	switch role {
	case netorcai.RoleVisualization:
		return a.Visualization
	case netorcai.RoleGameLogic:
		return a.Logic
	}
	return a.Player
}

// receive reads a message as large as the client may send it. Bytes that are not
// UTF-8 are U+FFFD in it, since states, actions and debug are sent on as they stand,
// and many programs fail at a message that is not valid UTF-8.
func (s *Session) receive() ([]byte, error) {
	size := s.may.Size
	if size == 0 {
		size = netorcai.Limit
	}
	content, err := s.read(size)
	if err != nil {
		return nil, err
	}
	return s.in.repair(content)
}

// tooDeep is what is wrong with a message, err so far, that may be nested deeper than
// the client may send it.
func (s *Session) tooDeep(content []byte, err error) error {
	d := s.may.Depth
	if d > 0 && (d < jsonscan.MaxDepth || err == netorcai.ErrNotJSON) && jsonscan.Deeper(content, d) {
		return &netorcai.DepthError{Limit: d}
	}
	return err
}

// tooFast counts a message, and is the fault if there were too many in its second.
// Only the reader calls it.
func (s *Session) tooFast(now time.Time) (fault string) {
	if now.Sub(s.second) >= time.Second {
		s.second, s.messages = now, 0
	}
	if s.messages++; s.may.Rate > 0 && s.messages > s.may.Rate {
		return fmt.Sprintf("Too many messages: more than %d in a second", s.may.Rate)
	}
	return ""
}
