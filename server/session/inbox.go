package session

import (
	"slices"
	"unicode/utf8"

	"github.com/hexarena/hexarena/protocol/netorcai"
)

const (
	// freeSize is how large a message may be that takes nothing of the budget, in bytes:
	// any answer to a usual game. Its memory is kept for the next message.
	freeSize = 16 << 10
	// logicSize is how large a game logic's message may be for its memory to be kept.
	logicSize = 256 << 10
)

// inbox holds what a client sent last; an answer stays in use until the next but one.
// It belongs to the goroutine that reads.
type inbox struct {
	slots  [3]slot
	next   int     // the slot of the next message
	budget *Budget // nil: no bound
	grown  Grow    // grow; made once, so that a read allocates nothing
	keep   int     // bytes of a message whose memory is kept
}

// slot holds one message, and how many bytes of the budget it took.
type slot struct {
	bytes []byte
	held  int
}

func (in *inbox) init(b *Budget) {
	in.budget, in.keep, in.grown = b, freeSize, in.grow
}

// trust lifts the bound, for a game logic.
func (in *inbox) trust() { in.budget, in.keep = nil, logicSize }

// read reads one message into the slot that has been out of use the longest.
func (in *inbox) read(conn Conn, limit int) ([]byte, error) {
	s := &in.slots[in.next]
	if s.bytes == nil {
		in.free(s)
	}
	content, err := conn.ReadMessage(s.bytes, limit, in.grown)
	s.bytes = content
	if cap(content) > in.keep {
		s.bytes = nil // the match may still have it
	}
	in.next = (in.next + 1) % len(in.slots)
	return content, err
}

// repair returns a message that read has returned with the bytes that are not UTF-8
// replaced; see [netorcai.ValidUTF8]. A copy takes of the budget what it may need.
func (in *inbox) repair(content []byte) ([]byte, error) {
	if utf8.Valid(content) {
		return content, nil
	}
	s := &in.slots[(in.next+len(in.slots)-1)%len(in.slots)]
	s.bytes = nil // the copy is in use in its place
	most := len(content) * utf8.RuneLen(utf8.RuneError)
	if more := most - freeSize - s.held; in.budget != nil && more > 0 {
		if err := in.budget.take(more); err != nil {
			return nil, err
		}
		s.held += more
	}
	return netorcai.ValidUTF8(content), nil
}

// grow is a Grow for the next message.
func (in *inbox) grow(buf []byte, n int) ([]byte, error) {
	need := len(buf) + n
	if need <= cap(buf) {
		return buf, nil
	}
	if in.budget == nil || need <= freeSize {
		return slices.Grow(buf, n), nil // with some room for the next message
	}
	s := &in.slots[in.next]
	if more := need - freeSize - s.held; more > 0 {
		if err := in.budget.take(more); err != nil {
			return nil, err
		}
		s.held += more
	}
	return append(make([]byte, 0, need), buf...), nil
}

func (in *inbox) free(s *slot) {
	if s.held > 0 {
		in.budget.give(s.held)
		s.held = 0
	}
}

// close lets go of the messages, and gives back what they took. What the match still
// has of them is one answer a player, until the turn is played.
func (in *inbox) close() {
	for i := range in.slots {
		in.free(&in.slots[i])
		in.slots[i].bytes = nil
	}
}
