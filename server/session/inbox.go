package session

import (
	"slices"
	"unicode/utf8"

	"github.com/hexarena/hexarena/protocol/netorcai"
)

const (
	// freeSize is the size, in bytes, up to which a message takes nothing of the budget:
	// any answer in an ordinary game is smaller. Its memory is kept for the next message.
	freeSize = 16 << 10
	// logicSize is the size up to which the memory of a game logic's message is kept.
	logicSize = 256 << 10
)

// inbox holds a client's last messages. It belongs to the goroutine that reads.
//
// The last answers are in use. When a match has played a step, it has offered TURN t, and its
// watchers may take long to look at the answers that were played. These came after the match had
// looked into its mailbox before the step before, when TURN t-2 was the newest. Since then a client
// can have answered four TURNs: an older one, if it was behind, then t-2, which was kept for it,
// t-1 and t. The fifth slot is for the message that is read.
type inbox struct {
	slots  [5]slot
	next   int     // the slot of the next message
	budget *Budget // nil: no limit
	grown  Grow    // the method grow, bound once, so that a read allocates nothing
	keep   int     // size in bytes up to which a message's memory is kept
}

// slot holds one message and the number of bytes that it took of the budget.
type slot struct {
	bytes []byte
	held  int
}

func (in *inbox) init(b *Budget) {
	in.budget, in.keep, in.grown = b, freeSize, in.grow
}

// trust removes the limit, for a game logic.
func (in *inbox) trust() { in.budget, in.keep = nil, logicSize }

// read reads one message into the least recently used slot.
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

// repair returns the message that read returned last, with bytes that are not UTF-8
// replaced; see [netorcai.ValidUTF8]. A copy counts against the budget.
func (in *inbox) repair(content []byte) ([]byte, error) {
	if utf8.Valid(content) {
		return content, nil
	}
	s := &in.slots[(in.next+len(in.slots)-1)%len(in.slots)]
	s.bytes = nil // the copy replaces it
	most := len(content) * utf8.RuneLen(utf8.RuneError)
	if more := most - freeSize - s.held; in.budget != nil && more > 0 {
		if err := in.budget.take(more); err != nil {
			return nil, err
		}
		s.held += more
	}
	return netorcai.ValidUTF8(content), nil
}

// grow is the Grow for the next message.
func (in *inbox) grow(buf []byte, n int) ([]byte, error) {
	need := len(buf) + n
	if need <= cap(buf) {
		return buf, nil
	}
	if in.budget == nil || need <= freeSize {
		return slices.Grow(buf, n), nil // with spare room for the next message
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

// close drops the messages and returns their bytes to the budget. The match may still
// use one answer per player, until the turn is played.
func (in *inbox) close() {
	for i := range in.slots {
		in.free(&in.slots[i])
		in.slots[i].bytes = nil
	}
}
