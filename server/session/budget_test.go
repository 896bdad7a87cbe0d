package session

import (
	"errors"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/server/servertest"
)

// rawConn returns messages of a given length.
type rawConn struct {
	Conn
	size int
}

func (c *rawConn) ReadMessage(buf []byte, _ int, grow Grow) ([]byte, error) {
	for buf = buf[:0]; len(buf) < c.size; {
		n := min(c.size-len(buf), 1<<10)
		var err error
		if buf, err = grow(buf, n); err != nil {
			return nil, err
		}
		buf = buf[:len(buf)+n]
	}
	return buf, nil
}

func inboxOf(b *Budget) *inbox {
	in := &inbox{}
	in.init(b)
	return in
}

// A large message fits once others are done with theirs; a small one always fits.
func TestBudget(t *testing.T) {
	var log servertest.Log
	b := NewBudget(100<<10, zerolog.New(&log))
	one, other, logic := inboxOf(b), inboxOf(b), inboxOf(b)
	logic.trust()
	read := func(in *inbox, size int) error {
		content, err := in.read(&rawConn{size: size}, size)
		if err == nil && len(content) != size {
			t.Errorf("read %d bytes of %d", len(content), size)
		}
		return err
	}
	var full *budgetError
	for i, step := range []struct {
		in   *inbox
		size int
		full bool
	}{
		{one, 100 << 10, false}, // leaves 16 KiB
		{other, 40 << 10, true},
		{other, freeSize, false},
		{logic, 1 << 20, false},
		{one, 10, false},
		{one, 10, false},
		{one, 10, false},
		{one, 10, false},
		{one, 10, false}, // the large one is out of use
		{other, 40 << 10, false},
	} {
		if err := read(step.in, step.size); errors.As(err, &full) != step.full ||
			!step.full && err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
	}
	other.close()
	one.close()
	logic.close()
	if b.used != 0 {
		t.Errorf("%d bytes are still taken", b.used)
	}
	if n := strings.Count(log.String(), "\n"); n != 1 {
		t.Errorf("the log has %d lines, want one:\n%s", n, &log)
	}
}

// The four answers that a match may use at the same time are not overwritten by what is read after
// them.
func TestInboxKeepsAnswers(t *testing.T) {
	in, conn := inboxOf(NewBudget(0, zerolog.Nop())), &rawConn{size: 100}
	var answers [][]byte
	for n := range byte(20) {
		content, err := in.read(conn, freeSize)
		if err != nil {
			t.Fatal(err)
		}
		for i := range content {
			content[i] = n
		}
		answers = append(answers, content)
		for i := range min(4, n) {
			if before := answers[n-1-i]; before[0] != n-1-i || before[99] != n-1-i {
				t.Fatalf("message %d was overwritten when message %d was read", n-1-i, n)
			}
		}
	}
}

// Answers of ordinary size reuse the same memory.
func TestInboxAllocatesNothing(t *testing.T) {
	in, conn := inboxOf(NewBudget(0, zerolog.Nop())), &rawConn{size: 2000}
	read := func() {
		if _, err := in.read(conn, freeSize); err != nil {
			t.Fatal(err)
		}
	}
	for range len(in.slots) {
		read()
	}
	if n := testing.AllocsPerRun(100, read); n != 0 {
		t.Errorf("a message takes %v allocations, want none", n)
	}
}

// A message that grows because it is not valid UTF-8 counts with its possible size, until
// its slot is reused.
func TestBudgetOfRepairedMessages(t *testing.T) {
	b := NewBudget(100<<10, zerolog.Nop())
	in := inboxOf(b)
	repair := func(size int) error {
		content, err := in.read(&rawConn{size: size}, size)
		if err != nil {
			t.Fatal(err)
		}
		for i := range content {
			content[i] = 0xff
		}
		valid, err := in.repair(content)
		if err == nil && string(valid) != strings.Repeat("\ufffd", size) {
			t.Errorf("%d bytes that are not UTF-8 become %d others", size, len(valid))
		}
		return err
	}
	var full *budgetError
	if err := repair(freeSize / 4); err != nil || b.used != 0 {
		t.Errorf("a small one: %v, and %d bytes are taken", err, b.used)
	}
	if err := repair(20 << 10); err != nil || b.used != 60<<10-freeSize {
		t.Errorf("a large one: %v, and %d bytes are taken", err, b.used)
	}
	if err := repair(60 << 10); !errors.As(err, &full) {
		t.Errorf("one too large: %v", err)
	}
	for range len(in.slots) {
		if err := repair(1); err != nil {
			t.Error(err)
		}
	}
	if b.used != 0 {
		t.Errorf("%d bytes stay taken", b.used)
	}
}
